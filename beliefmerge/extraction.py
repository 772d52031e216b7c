"""Stages 1 and 2 in the pipeline: the extractor asked for, the heuristic one when it fails, no secret in either."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from beliefmerge.claims.claim import Claim, Extraction, Extractor
from beliefmerge.errors import BeliefMergeError, unknown
from beliefmerge.render.escape import fold
from beliefmerge.session.model import Session

if TYPE_CHECKING:
    from beliefmerge.llm.protocol import LanguageModel
    from beliefmerge.session.redact import Known

EXTRACTIONS = ("heuristic", "joint")
NO_MODEL = "no model is configured: heuristic extraction (name one with --llm or BELIEFMERGE_LLM)"


@dataclass(frozen=True)
class Extracted:
    """What came of it, by which extractor, and the steps down that it took."""

    mode: str
    extraction: Extraction
    rungs: tuple[str, ...] = ()


def extracted(
    sessions: Sequence[Session], extract: str | Extractor, model: LanguageModel | None, current: str | None
) -> Extracted:
    """Claims of `sessions` by the extractor asked for, or by the heuristic one when that fails or needs a model.

    Raises UsageError for an unknown name.
    """
    from beliefmerge.claims.heuristic import extract as heuristic

    if not callable(extract) and extract not in EXTRACTIONS:
        raise unknown("extraction", extract, EXTRACTIONS)
    if extract == "joint" and model is not None:
        from beliefmerge.claims.joint import joint_extractor

        extract = joint_extractor(model)
    if not callable(extract):
        rungs = (NO_MODEL,) if extract == "joint" else ()
        return Extracted("heuristic", heuristic(sessions, current=current), rungs)
    mode = getattr(extract, "name", type(extract).__name__)
    try:
        return Extracted(mode, extract(sessions, current=current))
    except BeliefMergeError as error:
        rung = f"{mode} extraction failed: {error}"
        return Extracted("heuristic", heuristic(sessions, current=current), (rung,))


def without_secrets(extraction: Extraction, secrets: Known) -> Extraction:
    """`extraction` without claims that show a secret: one written full width or with joiners, as no redactor sees it,
    comes to light when its spelling is made plain.
    """
    shown = {claim: frozenset(_shown(claim)) for claim in extraction.claims}
    suspects = secrets.candidates(sorted(frozenset[str]().union(*shown.values())))
    leaks = frozenset(text for text in suspects if secrets.occurs_in(text))
    kept = tuple(claim for claim in extraction.claims if leaks.isdisjoint(shown[claim]))
    dropped = Counter(extraction.dropped)
    dropped["redacted"] += len(extraction.claims) - len(kept)
    return replace(extraction, claims=kept, dropped=+dropped)


def _shown(claim: Claim) -> Iterable[str]:
    """Whatever of `claim` a block may print."""
    yield from (claim.key, claim.spelling, claim.assertion.value, claim.span.quote, fold(claim.span.quote))
    for justification in claim.assertion.justifications:
        for premise in justification:
            yield from (premise.key, premise.value or "")
