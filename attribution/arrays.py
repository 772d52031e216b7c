"""Names for the arrays of this package: N ablations of D entries."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Masks: TypeAlias = NDArray[np.bool_]
"""[N, D]: row n keeps entry d where True."""
Floats: TypeAlias = NDArray[np.float64]
