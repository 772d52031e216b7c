"""The type of a claim, by its wording."""

# ruff: noqa: SIM905 (word classes are easier to read and to extend as text)

from __future__ import annotations

import re

from beliefmerge.claims.claim import ClaimType
from beliefmerge.claims.reading import Frame, Reading
from beliefmerge.claims.values.normalise import read
from beliefmerge.claims.words.gate import Gate

_DECISION = re.compile(
    r"\b(?:decided|decision|chose|chosen|choose|picked|pick|selected|will use|we'll use|went with|going with|go with|"
    r"settled (?:on|for)|agreed|opted|adopted|"
    r"switched|migrated|moved (?:\w+ ){0,4}to|replaced|changed|let's use|standardi[sz]ed|approved|signed off|booked|"
    r"hired|appointed|elected|set the|we use|will be using|renamed|dropped|rescheduled|postponed)\b|"
    r"决定|选择|选定|选用|采用|改为|改成|改用|换成|确定|定为|敲定|拍板|我们用|entschieden|gewählt|décidé|choisi|decidido|решили",
    re.IGNORECASE,
)
_CONSTRAINT = re.compile(
    r"\b(?:must|never|at most|at least|only|may not|cannot|can't|not allowed|forbidden|prohibited|required|mandatory|"
    r"always|no more than|no less than|no later than|shall|limited to|"
    r"up to|maximum|minimum|have to|has to|needs? to|should not|shouldn't|don't|do not|is allowed|are allowed|ensure|"
    r"limit is|may)\b|"
    r"必须|不得|不能|禁止|最多|至少|只能|不可|不允许|务必|总是|从不|限制|上限|下限|不可以|可以|muss|darf|müssen|doit|debe|нельзя|должен",
    re.IGNORECASE,
)
_GOAL = re.compile(
    r"\b(?:want(?:s)? to|aim(?:s|ing)? (?:to|for)|goal|objective|plan(?:s|ning)? to|intend|target|would like to|"
    r"hope to|ship(?:ping)? (?:by|in|on|before|the)|by the end of|our mission|we need to (?:ship|launch|finish|"
    r"deliver)|going to (?:ship|launch|release)|to be (?:shipped|released|delivered))\b|"
    r"目标|想要|希望|计划|打算|旨在|争取",
    re.IGNORECASE,
)


_DECISIONS = Gate(
    "will going went settled signed let using chose agreed opted decided decision we entschieden decidido",
    verbs=(
        "decide choose pick select adopt switch migrate move replace change approve book hire appoint elect set "
        "rename drop reschedule postpone standardise standardize use agree"
    ).split(),
)
_CONSTRAINTS = Gate(
    "must never most least only not cannot t forbidden prohibited required mandatory always no shall limited up "
    "maximum minimum have has need needs should do allowed ensure limit may muss darf doit debe"
)
_GOALS = Gate(
    "want wants aim aims aiming goal objective plan plans planning intend target like hope ship shipping end mission "
    "need going shipped released delivered"
)


def claim_type(reading: Reading, sentence: str) -> ClaimType:
    """What kind of statement `reading` of `sentence` is."""
    if reading.frame is Frame.QUESTION:
        return ClaimType.OPEN_QUESTION
    if reading.frame is Frame.REFUTED:
        return ClaimType.REFUTED
    foreign = not sentence.isascii()
    if reading.frame is Frame.CHANGE or ((foreign or _DECISIONS(sentence)) and _DECISION.search(sentence)):
        return ClaimType.DECISION
    if (foreign or _GOALS(sentence)) and _GOAL.search(sentence):
        return ClaimType.GOAL
    if (foreign or _CONSTRAINTS(sentence)) and _CONSTRAINT.search(sentence):
        return ClaimType.CONSTRAINT
    return ClaimType.ARTIFACT if read(reading.value).kind in ("path", "address") else ClaimType.FACT
