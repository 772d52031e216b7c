"""Typst sources, read far enough to tell prose from formulas, code and settings.

Typst has three modes. Markup is text; ``#`` leads into code, ``$`` into a formula; ``[`` in code leads back into
markup. `scan` walks a file once and reports pieces: the text a reader sees, what is typed in code, and calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from beliefmerge.errors import BeliefMergeError, UsageError

_IDENTIFIER = re.compile(r"[^\W\d][\w-]*(?:\.[^\W\d][\w-]*)*")
_NUMBER = re.compile(r"(?:0[xob][\da-fA-F]+|\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+)(?P<unit>pt|mm|cm|in|em|deg|rad|fr|%)?")
_LABEL = re.compile(r"<[\w.:-]+>")
_REFERENCE = re.compile(r"@[\w.:-]*\w")
_LINK = re.compile(r"https?://[^\s\])>]+")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"?', re.DOTALL)
"""A string that is never closed ends with the text."""
_COLON = re.compile(r"\s*:(?!:)")
_ESCAPE = re.compile(r"\\(?:u\{[\da-fA-F]+\}|.)", re.DOTALL)
_STATEMENTS = frozenset({"let", "set", "show", "import", "include", "if", "for", "while", "return", "context"})
_LENGTHS = frozenset({"pt", "mm", "cm", "in", "em", "deg", "rad", "fr"})
_PAIRS = {"(": ")", "{": "}"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a source that says something: its kind, its text, and where it begins.

    Kinds: ``prose``, ``formula`` (what is between the dollar signs), ``number`` and ``string`` in code, ``semicolon``
    (right after code in the text, where Typst prints none). Of a piece in code, `function` is the call that it is a
    direct argument of and `setting` the argument's name.
    """

    kind: str
    text: str
    offset: int
    function: str = ""
    setting: str = ""
    unit: str = ""

    @property
    def is_length(self) -> bool:
        """Whether it is a number with a unit of length, angle or fraction."""
        return self.unit in _LENGTHS


@dataclass(frozen=True, slots=True)
class Call:
    """A call in code: the function, its positional arguments that are plain strings, and where it begins.

    `plain` tells whether all its arguments are strings.
    """

    function: str
    strings: tuple[str, ...]
    plain: bool
    offset: int


@dataclass(frozen=True, slots=True)
class Source:
    """A scanned file: the name it goes by in messages, its text, its pieces and its calls."""

    name: str
    text: str
    pieces: tuple[Piece, ...]
    calls: tuple[Call, ...]

    def place(self, offset: int) -> str:
        """``file:line`` of `offset`."""
        return f"{self.name}:{self.text.count(chr(10), 0, offset) + 1}"


class Findings(BeliefMergeError):
    """Several errors, one a line."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = list(lines)
        super().__init__("\n".join(self.lines))


def read(path: Path, name: str) -> Source:
    """Scan the file at `path`, called `name` in messages. Raises UsageError when it cannot be read."""
    try:
        return scan(path.read_text(encoding="utf-8"), name)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{name}: cannot be read: {error}") from error


def scan(text: str, name: str) -> Source:
    """Scan `text`. A bracket that is never closed ends with the text: the compiler says what is wrong with it."""
    scanner = _Scanner(text)
    scanner.markup(end="")
    return Source(name, text, tuple(scanner.pieces), tuple(scanner.calls))


@dataclass
class _Group:
    """Open brackets in code: whose arguments these are, the argument that is being read, and what was passed."""

    function: str = ""
    setting: str = ""
    argument: str = ""
    strings: list[str] = field(default_factory=list)
    plain: bool = True

    @property
    def named(self) -> str:
        """The argument's name: in a call its own, in a list the name of the argument that the list is."""
        return (self.argument or self.setting) if self.function or self.setting else ""


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.pieces: list[Piece] = []
        self.calls: list[Call] = []

    def markup(self, end: str) -> None:
        """Text up to the bracket `end`, or to the end of the file."""
        depth, start = 0, self.at
        while self.at < len(self.text):
            character, before = self.text[self.at], self.at
            if character == end and depth == 0:
                break
            if self._no_prose(character):
                self._say("prose", start, before)
                start = self.at
            else:
                depth += (character == "[") - (character == "]")
                self.at += 1
        self._say("prose", start, self.at)
        self.at += len(end)

    def _say(self, kind: str, start: int, end: int) -> None:
        if self.text[start:end].strip():
            self.pieces.append(Piece(kind, self.text[start:end], start))

    def _no_prose(self, character: str) -> bool:
        if character == "#":
            self._expression()
        elif character == "$":
            self._formula()
        else:
            return self._match(_LINK) or self._aside() or any(map(self._match, (_LABEL, _REFERENCE, _ESCAPE)))
        return True

    def _match(self, pattern: re.Pattern[str]) -> bool:
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found is not None

    def _aside(self) -> bool:
        """A comment or a raw text, which are no prose."""
        if self.text.startswith("//", self.at):
            end = self.text.find("\n", self.at)
        elif self.text.startswith("/*", self.at):
            end = self._comment_end()
        elif self.text.startswith("`", self.at):
            end = self._raw_end()
        else:
            return False
        self.at = len(self.text) if end < 0 else end
        return True

    def _comment_end(self) -> int:
        depth = 0
        for mark in re.finditer(r"/\*|\*/", self.text[self.at :]):
            depth += 1 if mark[0] == "/*" else -1
            if depth == 0:
                return self.at + mark.end()
        return -1

    def _raw_end(self) -> int:
        ticks = len(self.text[self.at :]) - len(self.text[self.at :].lstrip("`"))
        if ticks == 2:
            return self.at + 2
        closing = self.text.find("`" * ticks, self.at + ticks)
        return -1 if closing < 0 else closing + ticks

    def _formula(self) -> None:
        start = self.at = self.at + 1
        while self.at < len(self.text) and self.text[self.at] != "$":
            if self.text[self.at] == "#":
                self._expression()
            elif not (self._string(_Group()) or self._aside() or self._match(_ESCAPE)):
                self.at += 1
        self._say("formula", start, self.at)
        self.at += 1

    def _expression(self) -> None:
        """Code after ``#``: a statement up to the end of the line, or one value."""
        self.at += 1
        found = _IDENTIFIER.match(self.text, self.at)
        if found and found[0] in _STATEMENTS:
            self.at = found.end()
            self._code(_Group(function=found[0]), ends="\n;])}")
        else:
            self._token(_Group())
            self._arguments("")
            if self.text[self.at : self.at + 1] == ";":
                self.pieces.append(Piece("semicolon", ";", self.at))

    def _code(self, group: _Group, ends: str) -> None:
        while self.at < len(self.text) and self.text[self.at] not in ends:
            self._token(group)

    def _token(self, group: _Group) -> None:
        character = self.text[self.at : self.at + 1]
        if self._aside() or self._match(_LABEL):
            group.plain = False
        elif character == "[":
            self.at += 1
            self.markup("]")
            group.plain = False
        elif character in ("(", "{"):
            self._brackets(_Group(setting=group.named), character)
            group.plain = False
        elif character == "$":
            self._formula()
            group.plain = False
        elif not (self._string(group) or self._name(group) or self._number(group)):
            group.argument = "" if character == "," else group.argument
            group.plain &= character.isspace() or character == ","
            self.at += 1

    def _brackets(self, group: _Group, opening: str) -> None:
        start = self.at
        self.at += 1
        self._code(group, _PAIRS[opening])
        self.at += 1
        if group.function:
            self.calls.append(Call(group.function, tuple(group.strings), group.plain, start))

    def _name(self, group: _Group) -> bool:
        found = _IDENTIFIER.match(self.text, self.at)
        if found is None:
            return False
        self.at, group.plain = found.end(), False
        if _COLON.match(self.text, self.at):
            group.argument = found[0]
        else:
            self._arguments(found[0])
        return True

    def _arguments(self, function: str) -> None:
        """What directly follows a value: its arguments in brackets, fields and their arguments."""
        while self.at < len(self.text):
            if self.text[self.at] == "(" and function:
                self._brackets(_Group(function=function), "(")
            elif self.text[self.at] == "[" and function:
                self.at += 1
                self.markup("]")
            elif self.text[self.at] == "." and (found := _IDENTIFIER.match(self.text, self.at + 1)):
                self.at, function = found.end(), f"{function}.{found[0]}"
            else:
                return

    def _number(self, group: _Group) -> bool:
        found = _NUMBER.match(self.text, self.at)
        if found is None:
            return False
        unit = found["unit"] or ""
        self.pieces.append(Piece("number", found[0], self.at, group.function, group.named, unit))
        self.at, group.plain = found.end(), False
        return True

    def _string(self, group: _Group) -> bool:
        found = _STRING.match(self.text, self.at)
        if found is None:
            return False
        content = found[1].replace('\\"', '"').replace("\\\\", "\\")
        self.pieces.append(Piece("string", content, self.at, group.function, group.named))
        if not group.argument:
            group.strings.append(content)
        self.at = found.end()
        return True
