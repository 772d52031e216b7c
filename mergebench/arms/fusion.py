"""Chronological fusion: what users and the assistant said, copies once, by time; when it is too much, the latest stays.

Sources are read as `beliefmerge.fusion` reads them, secrets replaced first. Its limit counts the bytes of a snapshot,
the benchmark's counts tokens of what is printed: whole messages go, the earliest first.
"""

from __future__ import annotations

from beliefmerge.fusion.material import gather
from beliefmerge.fusion.message import FusedMessage
from beliefmerge.fusion.options import FusionOptions
from beliefmerge.fusion.order import chronological
from mergebench.arm import Arm, Output, Request
from mergebench.scenario import Scenario
from mergebench.transcript import WHO


def work(scenario: Scenario, request: Request) -> Output:
    """The longest end of the fused conversation that fits."""
    material = gather(scenario.sessions, FusionOptions())
    order = chronological(material.messages, material.sequences)
    lines = [line(material.messages[i]) for i in order]
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high) // 2
        if request.count("\n".join(lines[middle:])) <= request.budget:
            high = middle
        else:
            low = middle + 1
    # Byte-pair counts of endings need not grow with their length, so the end that was found is checked.
    while low < len(lines) and request.count("\n".join(lines[low:])) > request.budget:
        low += 1
    return Output("\n".join(lines[low:]))


def line(message: FusedMessage) -> str:
    """``who: text``."""
    return f"{WHO[message.role.channel]}: {' '.join(message.text.split())}"


ARM = Arm(work)
