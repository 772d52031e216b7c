"""Flat context after a measured compaction: a model was asked, neutrally, for a summary of the conversation.

The request names no fact, premise or correction, and the correction was delivered before the boundary.
"""

from __future__ import annotations

from beliefmerge.llm.protocol import ChatMessage
from mergebench.trajectory import flat
from mergebench.trajectory.arm import Arm, Request, WorkingSet
from mergebench.trajectory.trajectory import Trajectory

MAX_TOKENS = 160
_WORDS = 100
_REQUEST = """Conversation:

{conversation}

Summarise the conversation above in at most {words} words, one statement a line, so that somebody can go on with the
work from the summary alone.

Summary:"""


def asked(trajectory: Trajectory) -> list[ChatMessage]:
    """What the summariser is asked."""
    conversation = "\n".join(event.line for event in trajectory.events)
    return [ChatMessage("user", _REQUEST.format(conversation=conversation, words=_WORDS))]


def work(trajectory: Trajectory, request: Request) -> WorkingSet:
    """The model's summary. Raises ModelError."""
    assert request.model is not None, "flat_measured asks a model"
    reply = request.model.complete(asked(trajectory), max_tokens=MAX_TOKENS)
    return flat.retold(reply.text, trajectory.tenant, request)


ARM = Arm(work, source="1m", asks_model=True)
