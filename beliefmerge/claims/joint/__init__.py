"""Joint extraction: one model call over all branches; of its reply, what the text does not bear out is dropped."""

from __future__ import annotations

from beliefmerge.claims.claim import Extractor
from beliefmerge.llm.protocol import LanguageModel

MAX_SLOTS = 40
BRANCH_TOKENS = 4000


def joint_extractor(
    model: LanguageModel,
    *,
    max_slots: int = MAX_SLOTS,
    branch_tokens: int = BRANCH_TOKENS,
    max_tokens: int = 4096,
    tokens: str = "chars4",
) -> Extractor:
    """An extractor that asks `model` once about all branches, and a second time where the reply cannot be used.

    At most `max_slots` slots are asked for and taken; of a branch, the prompt has about `branch_tokens` tokens by the
    counter `tokens`, head and tail; a reply has `max_tokens`. The extractor raises ModelError when the model cannot be
    asked, and JointError when both replies are of no use.
    """
    from beliefmerge.claims.joint.extractor import JointExtractor

    return JointExtractor(model, max_slots=max_slots, branch_tokens=branch_tokens, max_tokens=max_tokens, tokens=tokens)
