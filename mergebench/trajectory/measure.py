"""What is measured of one arm on one trajectory, from what it printed and what the reader said."""

from __future__ import annotations

from dataclasses import dataclass

from beliefmerge.ledger.transcript import Step, filled
from beliefmerge.llm.protocol import ChatMessage, LanguageModel
from mergebench.match import fold, shows
from mergebench.trajectory.arm import WorkingSet
from mergebench.trajectory.reader import MAX_TOKENS, UNKNOWN
from mergebench.trajectory.trajectory import Part, Trajectory, part_of


@dataclass(frozen=True)
class Case:
    """One arm on one trajectory."""

    trajectory: Trajectory
    shown: WorkingSet
    answer: str
    tokens: int
    passed: bool | None
    """The quorum let the correction retract the premise; None for arms that ask no ledger."""
    twin_answer: str
    """What is answered without the premise: `answer` where it was not shown."""

    @property
    def persistence(self) -> bool:
        """The planted value is in the answer."""
        return shows(self.answer, self.trajectory.planted)

    @property
    def right(self) -> bool:
        """The right value is in the answer, and the planted one is not."""
        return shows(self.answer, self.trajectory.right) and not self.persistence

    @property
    def abstained(self) -> bool:
        """The reader said that it does not know."""
        return fold(self.answer).strip(" .") in ("", UNKNOWN)

    @property
    def survival(self) -> bool:
        """The correction is in the working set: the right value is."""
        return shows(self.shown.text, self.trajectory.right)

    @property
    def exposure(self) -> bool:
        """The planted value is in the working set, whoever says it there."""
        return shows(self.shown.text, self.trajectory.planted)

    @property
    def carried(self) -> bool | None:
        """A conclusion from the premise is presented as holding; None where lines are nobody's entries."""
        return self._stands(Part.DERIVED)

    @property
    def kept(self) -> bool | None:
        """The claim that declared the premise and did not rest on it is presented as holding."""
        return self._stands(Part.SURPLUS)

    @property
    def twin_changed(self) -> bool:
        """Whether leaving out the premise changes the answer."""
        return fold(self.twin_answer) != fold(self.answer)

    def _stands(self, part: Part) -> bool | None:
        if self.shown.standing is None:
            return None
        return any(event.name in self.shown.standing for event in self.trajectory.of(part))


def asked(trajectory: Trajectory, shown: WorkingSet, reader: LanguageModel, arm: str) -> Step:
    """The question and the reader's answer, as attribution reads steps. Every entry shown is declared, so that each has
    a weight in what it writes. Raises ModelError.
    """
    prompt = filled(shown.template, trajectory.question, [entry.text for entry in shown.entries])
    answer = reader.complete([ChatMessage("user", prompt)], max_tokens=MAX_TOKENS).text.strip()
    name = f"{trajectory.number:04d}:{arm}"
    declared = tuple(entry.entry_id for entry in shown.entries)
    return Step(
        name, trajectory.tenant, name, shown.entries, shown.template, trajectory.question, answer or UNKNOWN, declared
    )


def carriers(trajectory: Trajectory, shown: WorkingSet) -> list[str]:
    """The entries that are the premise; in a summary of nobody's entries, those that show its value."""
    if shown.standing is not None:
        return [entry.entry_id for entry in shown.entries if part_of(entry.entry_id) is Part.PREMISE]
    return [entry.entry_id for entry in shown.entries if shows(entry.text, trajectory.planted)]
