"""Three to six branches wherever there are at most 10^9 profiles."""

from __future__ import annotations

from itertools import product

from confluence.space import Form, NamedSpace, Space

MOST = 10**9

_ALL = (Space(k, e, n, form) for k, e, form, n in product((2, 3, 4), (1, 2, 3, 4), Form, (3, 4, 5, 6)))
SPACE = NamedSpace([space for space in _ALL if space.total <= MOST])
