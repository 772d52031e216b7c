"""What `README.md` and the pages in `docs` quote from the results: tables and numbers, each between two comments.

    <!-- table: NAME -->          alone on its line; up to <!-- end --> alone on its line comes that table stage, as
    <!-- end -->                  Markdown
    <!-- num: SELECTOR as FORMAT -->98 %<!-- end -->
    <!-- fact: EXPERIMENT PATH [as FORMAT] -->20<!-- end -->
    <!-- constant: PATH [as FORMAT] -->95 %<!-- end -->

What is between the comments is replaced; every other byte stays. A renderer shows no comments, and code blocks between
fences are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from beliefmerge.errors import BeliefMergeError, UsageError, nearest
from paper import numbers, stage
from paper.published import Published

TABLE, END = "table", "end"
KINDS = (TABLE, *numbers.FUNCTIONS)
_COMMENT = re.compile(r"<!--(?P<said>.*?)(?P<close>-->|\Z)", re.DOTALL)
_ASKED = re.compile(r"\s*(?P<kind>\w+):\s*(?P<asked>.*?)\s*", re.DOTALL)
_FENCED = re.compile(r"^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*(?P=fence)|\Z)", re.DOTALL | re.MULTILINE)
_NO_TEXT = re.compile(r"(?:[ \t>*+-]|\d+[.)])*")
"""What may stand before the first word of a line."""
_BLOCK = re.compile(r"\n[ \t]*(?:[-+*>#|=]|\d+[.)]|\n)")
"""A line that Markdown reads as the beginning of something else, in a comment too."""
_LONG = 120
"""Characters that no number has: what is longer is text that lost the comments around it."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the documentation: where it is, how it is called in messages, and its text."""

    path: Path
    name: str
    text: str

    def place(self, offset: int) -> str:
        """``file:line`` of an offset in the text."""
        return f"{self.name}:{self.text.count(chr(10), 0, offset) + 1}"


@dataclass(frozen=True, slots=True)
class Quote:
    """What is quoted between `start` and `end` of a page: a kind of `KINDS`, and what is asked for."""

    kind: str
    asked: str
    opening: int
    start: int
    end: int


Quoted = Sequence[tuple[Page, str]]
"""Pages, each with its text as it is to be."""


def pages(root: Path) -> list[Page]:
    """`README.md` and ``docs/**/*.md`` below `root`. Raises UsageError for a page that is not UTF-8."""
    files = [path for path in (root / "README.md", *sorted((root / "docs").rglob("*.md"))) if path.is_file()]
    return [_read(path, path.relative_to(root).as_posix()) for path in files]


def filled(page: Page, published: Published) -> tuple[str, list[str]]:
    """The text of `page` with every quote as it is in `published`, and a line for each that is wrong."""
    quotes, wrong = scan(page)
    made, done = [], 0
    for quote in quotes:
        made.append(page.text[done : quote.start])
        done = quote.start
        try:
            made.append(_quoted(quote, published))
            done = quote.end
        except BeliefMergeError as error:
            wrong.append(f"{page.place(quote.opening)}: {' '.join(str(error).split())}")
    return "".join([*made, page.text[done:]]), wrong


def all_filled(found: Iterable[Page], published: Published) -> tuple[Quoted, list[str]]:
    """Every page with its text as it is to be, and a line for each quote that is wrong."""
    made = [(page, *filled(page, published)) for page in found]
    return [(page, text) for page, text, _ in made], [line for _, _, wrong in made for line in wrong]


def differences(quoted: Quoted) -> Iterator[str]:
    """A line for each page that is not as it is to be, with the first line that differs."""
    for page, text in quoted:
        if text != page.text:
            pairs = enumerate(zip(page.text, text, strict=False))
            differing = next((index for index, (old, new) in pairs if old != new), min(len(page.text), len(text)))
            yield f"{page.place(differing)}: differs from what is built"


def scan(page: Page) -> tuple[list[Quote], list[str]]:
    """The quotes of `page` in order, and a line for each comment that is no quote and looks like one."""
    quotes: list[Quote] = []
    wrong = []
    opened: Quote | None = None
    for found in _COMMENT.finditer(_FENCED.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), page.text)):
        place = page.place(found.start())
        if not found["close"]:
            wrong.append(f"{place}: a comment is not closed by -->")
        elif found["said"].strip() == END:
            if opened is None:
                wrong.append(f"{place}: <!-- {END} --> closes nothing")
            else:
                quote = Quote(opened.kind, opened.asked, opened.opening, opened.start, found.start())
                wrong += [f"{page.place(quote.opening)}: {said}" for said in _misplaced(quote, page.text, found.end())]
                quotes.append(quote)
            opened = None
        elif (asked := _ASKED.fullmatch(found["said"])) is not None:
            if asked["kind"] in KINDS:
                wrong += _unclosed(opened, page)
                opened = Quote(asked["kind"], asked["asked"], found.start(), found.end(), found.end())
            elif match := nearest(asked["kind"], KINDS):
                wrong.append(f"{place}: unknown quote {asked['kind']!r}; did you mean {match!r}?")
    return quotes, [*wrong, *_unclosed(opened, page)]


def _unclosed(opened: Quote | None, page: Page) -> list[str]:
    if opened is None:
        return []
    return [f"{page.place(opened.opening)}: <!-- {opened.kind}: … --> is not closed by <!-- {END} -->"]


def _misplaced(quote: Quote, text: str, after: int) -> Iterator[str]:
    """What is wrong with where `quote` stands; its second comment ends at `after`.

    A comment at the beginning of a line makes a block of HTML of the line, of which no Markdown is read.
    """
    before = text[: quote.opening].rpartition("\n")[2]
    inside = text[quote.start : quote.end].strip(" \t")
    if _strange(quote.kind, inside):
        yield f"<!-- {quote.kind}: … --> and its <!-- {END} --> have text between them that would be lost"
    if quote.kind != TABLE:
        if _NO_TEXT.fullmatch(before):
            yield f"<!-- {quote.kind}: … --> begins a line, which ends the paragraph; put a word before it"
        if "--" in quote.asked or _BLOCK.search(quote.asked):
            yield "a comment cannot hold --, nor a line that begins like a list, a heading or a table"
        return
    alone = not before.strip() and not text[after:].partition("\n")[0].strip()
    if not alone or not inside.startswith(("\n", "\r\n")) or not inside.endswith("\n"):
        yield f"<!-- {TABLE}: … --> and its <!-- {END} --> each take a line of their own"


def _strange(kind: str, inside: str) -> bool:
    """Whether `inside` is nothing that a quote of `kind` could have been."""
    if kind == TABLE:
        return any(line.strip() and not line.lstrip().startswith("|") for line in inside.splitlines())
    return len(inside) > _LONG


def _quoted(quote: Quote, published: Published) -> str:
    if quote.kind == TABLE:
        return f"\n\n{stage.markdown(quote.asked, published)}\n"
    return numbers.resolved(quote.kind, _arguments(quote), published)[1]


def _arguments(quote: Quote) -> Sequence[str]:
    asked, _, form = " ".join(quote.asked.split()).rpartition(" as ")
    asked, form = (asked, form) if asked else (form, "")
    if quote.kind == "num" and not form:
        raise UsageError(f"{asked!r} has no format: expected SELECTOR as FORMAT")
    parts = asked.rsplit(" ", 1) if quote.kind == "fact" else [asked]
    if quote.kind == "fact" and len(parts) != 2:
        raise UsageError(f"{asked!r} is no fact: expected EXPERIMENT PATH")
    return [*parts, form] if form else parts


def _read(path: Path, name: str) -> Page:
    try:
        return Page(path, name, path.read_bytes().decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{name}: is not UTF-8: {error.reason} at byte {error.start}") from error
