"""What a piece of work costs: processor time, and the memory it takes beyond what was there."""

from __future__ import annotations

import gc
import os
import tracemalloc
from collections.abc import Callable


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds of one run and of the processes it starts; others on the machine do not add to them."""
    begun = sum(os.times()[:4])
    work()
    return sum(os.times()[:4]) - begun


def peak(work: Callable[[], object]) -> int:
    """Bytes of Python objects that one run holds at once in this process. Tracing makes it several times slower."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
