"""BeliefMerge: merge conversation branches into one budgeted, labelled context."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from beliefmerge.errors import BeliefMergeError
    from beliefmerge.injection import inject
    from beliefmerge.pipeline import Merged, merge
    from beliefmerge.session.model import Channel, Message, Session
    from beliefmerge.session.readers import read_session, read_sessions

__version__ = "0.1.0"
__all__ = [
    "BeliefMergeError",
    "Channel",
    "Merged",
    "Message",
    "Session",
    "inject",
    "merge",
    "read_session",
    "read_sessions",
]

_HOME = {
    "BeliefMergeError": "errors",
    "Channel": "session.model",
    "Merged": "pipeline",
    "Message": "session.model",
    "Session": "session.model",
    "inject": "injection",
    "merge": "pipeline",
    "read_session": "session.readers",
    "read_sessions": "session.readers",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'beliefmerge' has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"beliefmerge.{_HOME[name]}"), name)
