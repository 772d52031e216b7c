"""Build the paper from results/published: figures, tables, numbers, the document, and what README.md and docs quote.

Without options, every stage whose tables or source changed is made again, then every number in the sources of the
document is looked up, and paper/built/paper.pdf is compiled; then what the pages quote is put into them. The same
inputs give the same bytes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from beliefmerge.errors import BeliefMergeError, UsageError, unknown
from beliefmerge.files import write_atomically
from experiment.files import write_json
from experiment.tables import named, screen
from paper import numbers, quotes, stage, stages
from paper.document import Document
from paper.published import Published, default_directory, root
from paper.quotes import Page, Quoted
from paper.source import Findings

PDF, NUMBERS = "paper.pdf", "numbers.json"
_EXAMPLES = """examples:
  python -m paper.build                                 everything that changed, into paper/built
  python -m paper.build --list                          the figures and tables, and what they read
  python -m paper.build --only trajectory-retention     one figure, no document
  python -m paper.build --section 05-trajectory         one section as PDF and PNG, into build/paper
  python -m paper.build --docs-only                     what README.md and docs quote
  python -m paper.build --check                         make everything anew, compare it with paper/built
  python -m paper.build --published DIR --allow-changed --into DIR
                                                        from other tables, such as ones with a number changed
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m paper.build``. Returns the exit code: 0, 1 where a check finds a difference, 2 for bad input."""
    given = _parser().parse_args(arguments)
    try:
        return _run(given)
    except (BeliefMergeError, OSError) as error:
        for line in str(error).splitlines():
            sys.stderr.write(f"paper.build: error: {line}\n")
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m paper.build", description=__doc__, epilog=_EXAMPLES, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--only", nargs="+", metavar="NAME", help="make only these figures and tables, no document")
    what.add_argument("--section", metavar="NAME", help="make only this section, as PDF and one PNG a page")
    what.add_argument("--docs-only", action="store_true", help="only put what README.md and docs quote into them")
    what.add_argument("--check", action="store_true", help="make everything anew elsewhere and compare every byte")
    what.add_argument("--list", action="store_true", help="list the figures and tables, and what they read")
    parser.add_argument(
        "--pages", action="store_true", help="also write each page of the paper as PNG into build/paper"
    )
    parser.add_argument("--into", type=Path, metavar="DIR", help="build there instead of in paper/built or build/paper")
    parser.add_argument("--published", type=Path, metavar="DIR", help="read these results, not results/published")
    parser.add_argument("--document", type=Path, metavar="DIR", help="the document's sources, not paper/document")
    parser.add_argument(
        "--docs", type=Path, metavar="DIR",
        help="the directory of README.md and docs; this checkout, or none where --into or --published is given",
    )  # fmt: skip
    parser.add_argument(
        "--allow-changed", action="store_true", help="read tables that are not what their manifest says"
    )
    return parser


def _run(given: argparse.Namespace) -> int:
    published = Published(given.published or default_directory(), allow_changed=given.allow_changed)
    sources = given.document or root() / "paper" / "document"
    built = root() / "paper" / "built"
    if given.list:
        print(_listed())
        return 0
    pages = _pages(given)
    if given.check:
        return _check(given.into or built, sources, pages, published)
    code = 0
    if given.only:
        _only(given.only, published, _made(given.into or built))
    elif given.section:
        drafts = _made(given.into or root() / "build" / "paper")
        code = _section(Document(sources, given.section), published, drafts)
    elif given.docs_only:
        _write(_filled(pages, published))
    else:
        _whole(Document(sources), pages, published, _made(given.into or built), images=given.pages)
    for file in published.changed:
        sys.stderr.write(f"warning: {file} is not what its manifest says\n")
    return code


def _pages(given: argparse.Namespace) -> list[Page]:
    """The pages to keep. Results from elsewhere, or a paper for elsewhere, say nothing of those of the checkout."""
    if given.docs:
        return quotes.pages(given.docs)
    return [] if given.into or given.published else quotes.pages(root())


def _listed() -> str:
    members = {name: stage.named(name) for name in stage.names()}
    rows = [{"stage": name, "kind": it.kind, "reads": " ".join(it.reads)} for name, it in members.items()]
    return screen(rows, [named("stage"), named("kind"), named("reads")])


def _made(directory: Path) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    return directory


def _only(names: Sequence[str], published: Published, into: Path) -> None:
    known = stage.names()
    for name in names:
        if name not in known:
            raise unknown("stage", name, known)
    _report(stages.build(names, published, into), into)


def _whole(
    document: Document, pages: Sequence[Page], published: Published, into: Path, *, images: bool = False
) -> None:
    """Everything, into `into`, and what `pages` quote into them."""
    made, found, quoted = _make(document, pages, published, into)
    _report(made, into)
    _write(quoted)
    print(f"{into / PDF}: {len(found.entries)} numbers, {len(document.stages())} figures and tables")
    if images:
        _write_pages(document.compile(found, into, "png"), _made(root() / "build" / "paper"), "paper")


def _make(
    document: Document, pages: Sequence[Page], published: Published, into: Path
) -> tuple[list[str], numbers.Numbers, Quoted]:
    found, wrong = _looked_up(document, published)
    quoted, unquoted = quotes.all_filled(pages, published)
    if wrong or unquoted:
        raise Findings([*wrong, *unquoted])
    made = stages.build(stage.names(), published, into)
    write_json(into / NUMBERS, found.data())
    write_atomically(into / PDF, document.compile(found, into)[0])
    return made, found, quoted


def _filled(pages: Sequence[Page], published: Published) -> Quoted:
    quoted, wrong = quotes.all_filled(pages, published)
    if wrong:
        raise Findings(wrong)
    return quoted


def _write(quoted: Quoted) -> None:
    for page, text in quoted:
        if text != page.text:
            if page.path.read_bytes() != page.text.encode():
                raise UsageError(f"{page.name}: was changed while this was built; build again")
            write_atomically(page.path, text.encode())
            print(page.name)


def _looked_up(document: Document, published: Published) -> tuple[numbers.Numbers, list[str]]:
    """The numbers of the document, and a line for all that is wrong with its text."""
    drawn = {name: stage.named(name).reads for name in document.stages()}
    found, unresolved = numbers.gather(document.sources, published, drawn)
    return found, [*document.findings(), *unresolved]


def _section(document: Document, published: Published, into: Path) -> int:
    """One section into `into`, and the figures and tables that it shows into `built` there.

    It is a draft: what is wrong with it is listed and shown in red, and the exit code is 1.
    """
    built, name = _made(into / "built"), document.sections[0]
    found, wrong = _looked_up(document, published)
    for line in wrong:
        sys.stderr.write(f"{line}\n")
    stages.build(document.stages(), published, built)
    write_atomically(into / f"{name}.pdf", document.compile(found, built)[0])
    _write_pages(document.compile(found, built, "png"), into, name)
    print(f"{into / name}.pdf: {len(found.entries)} numbers, {len(wrong)} errors; its pages are {into / name}-*.png")
    return 1 if wrong else 0


def _write_pages(images: Sequence[bytes], into: Path, name: str) -> None:
    for old in into.glob(f"{name}-[0-9]*.png"):
        old.unlink()
    for number, image in enumerate(images, start=1):
        write_atomically(into / f"{name}-{number:02}.png", image)


def _report(made: Sequence[str], into: Path) -> None:
    for name in made:
        print(f"{into / name}")


def _check(built: Path, sources: Path, pages: Sequence[Page], published: Published) -> int:
    """Make everything anew and compare; a line for each file that differs, and 1 where there is one."""
    with tempfile.TemporaryDirectory(prefix="beliefmerge-paper-") as name:
        fresh = Path(name)
        quoted = _make(Document(sources), pages, published, fresh)[2]
        differences = [*_differences(built, fresh), *quotes.differences(quoted)]
    for line in differences:
        sys.stderr.write(f"{line}\n")
    print(f"{built}: {f'{len(differences)} files differ' if differences else 'as it is built from the sources'}")
    return 1 if differences else 0


def _differences(built: Path, fresh: Path) -> Iterator[str]:
    old, new = (
        {path.name: path for path in directory.iterdir()} if directory.is_dir() else {} for directory in (built, fresh)
    )
    for name in sorted(old.keys() | new.keys()):
        if name not in new:
            yield f"{built / name}: nothing makes it"
        elif name not in old:
            yield f"{built / name}: missing"
        elif old[name].read_bytes() != new[name].read_bytes():
            yield f"{built / name}: differs from what is built"


if __name__ == "__main__":
    raise SystemExit(main())
