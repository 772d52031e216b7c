"""Messages that carry no fact: requests, thanks, progress, musings, the noise of tools."""

from __future__ import annotations

import random
from collections.abc import Callable

from beliefmerge.session.model import Channel

_OBJECTS = (
    "the draft", "my notes", "the second paragraph", "that spreadsheet", "the inbox", "the photo folder", "the sketch",
    "the mailing list", "the packing list", "the minutes", "the poster", "the shared folder", "the old thread",
    "the seating plan", "the slides", "the recording",
)  # fmt: skip
_ACTIONS = (
    "look over", "tidy up", "double-check", "go through", "shorten", "reread", "clean up", "proofread", "sort out",
    "have another go at",
)  # fmt: skip
_WHENS = (
    "when you get a minute", "before lunch", "once more", "tonight", "after the call", "if there is time", "this week",
    "whenever suits you",
)  # fmt: skip
_MOODS = ("calm", "hectic", "slow", "odd", "pleasant", "long", "productive", "grey")

_USER = (
    "Could you {action} {object} {when}?",
    "Thanks, that is a big help with {object}.",
    "Where were we with {subject}?",
    "Please {action} {object} {when}.",
    "Hm, I am not happy with {object} yet.",
    "It has been a {mood} day so far, sorry for the late reply.",
    "I will {action} {object} myself {when}.",
    "Does {object} look all right to you?",
    "Let us leave {subject} aside for a moment.",
    "Good, then on to {object}.",
    "What would you do first, {object} or {object2}?",
    "Never mind {object}, I found what I needed.",
)
_MODEL = (
    "I will {action} {object} now and report back.",
    "Sure, I can {action} {object} {when}.",
    "I went through {object}; nothing odd so far.",
    "{object} reads better than it did before.",
    "Happy to {action} {object}, and {object2} after that.",
    "Shall I {action} {object} as well?",
    "I have a draft of an answer on {subject}, give me a moment.",
    "That took a while, but {object} is in better shape.",
    "I left comments in {object} for you.",
    "Good question, I would start with {object}.",
    "Let me know how you want to go on with {subject}.",
)
_TOOL = (
    "opened {object}: ok",
    "saved {object} without warnings",
    "search for {subject}: several hits, none opened",
    "{object}: no changes since the last look",
    "copy of {object} made",
    "spell check of {object} finished",
)
_REASONING = (
    "They seem to want me to {action} {object}; I should ask first.",
    "Start with {object}, then {object2}.",
    "Nothing here needs an answer on {subject} yet.",
    "I could {action} {object} {when}, there is no hurry.",
)
_PATTERNS = {Channel.USER: _USER, Channel.MODEL: _MODEL, Channel.TOOL: _TOOL, Channel.REASONING: _REASONING}
Talk = Callable[[random.Random, Channel, tuple[str, ...]], str]
"""Makes one sentence of chatter on a channel, which may name one of the subjects given."""

_CHANNELS = (Channel.USER, Channel.MODEL, Channel.TOOL, Channel.REASONING)
_WEIGHTS = (40, 40, 12, 8)


def sentence(rng: random.Random, channel: Channel, subjects: tuple[str, ...]) -> str:
    """One sentence of chatter, which may name one of `subjects`."""
    first, second = rng.sample(_OBJECTS, 2)
    text = rng.choice(_PATTERNS[channel]).format(
        action=rng.choice(_ACTIONS),
        object=first,
        object2=second,
        when=rng.choice(_WHENS),
        mood=rng.choice(_MOODS),
        subject=rng.choice(subjects),
    )
    return text[0].upper() + text[1:] if channel is not Channel.TOOL else text


def chatter(
    rng: random.Random, count: int, subjects: tuple[str, ...], seen: set[str], talk: Talk = sentence
) -> list[tuple[Channel, str]]:
    """`count` messages, none of them in `seen`, to which they are added."""
    messages: list[tuple[Channel, str]] = []
    while len(messages) < count:
        (channel,) = rng.choices(_CHANNELS, _WEIGHTS)
        text = talk(rng, channel, subjects)
        for _ in range(20):
            if text not in seen:
                break
            text = f"{text} {talk(rng, channel, subjects)}"
        seen.add(text)
        messages.append((channel, text))
    return messages
