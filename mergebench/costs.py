"""What a piece of work costs: processor time, and the memory it takes beyond what was there."""

from __future__ import annotations

import gc
import os
import time
import tracemalloc
from collections.abc import Callable


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds of one run and of the processes it starts; others on the machine do not add to them."""
    begun = _spent()
    work()
    return _spent() - begun


def _spent() -> float:
    """Of this process to the microsecond; of those it has started and waited for, to the system's tick."""
    return time.process_time() + sum(os.times()[2:4])


def peak(work: Callable[[], object]) -> int:
    """Bytes of Python objects that one run holds at once in this process. Tracing makes it several times slower."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
