"""What a piece of work costs: processor time, and the memory it takes beyond what was there."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds of one run, which other processes on the machine do not add to."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def peak(work: Callable[[], object]) -> int:
    """Bytes of Python objects that one run holds at once, at most. Tracing makes it several times slower."""
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
