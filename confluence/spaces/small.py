"""Spaces that every engine, the brute force included, can go through in a test."""

from __future__ import annotations

from confluence.space import Form, NamedSpace, Shape, Space

_GENERAL = (
    (1, 2, 3),
    (2, 1, 2),
    (2, 1, 3),
    (2, 1, 4),
    (2, 2, 2),
    (2, 2, 3),
    (2, 3, 2),
    (3, 1, 2),
    (3, 1, 3),
    (3, 2, 2),
)
_WELL_FORMED = ((1, 2, 4), (2, 1, 4), (2, 2, 4), (2, 3, 3), (2, 4, 3), (3, 1, 4), (3, 2, 3), (3, 2, 4), (4, 1, 3))

SPACE = NamedSpace(
    [
        *(Space(k, e, n, Form.GENERAL) for k, e, n in _GENERAL),
        *(Space(k, e, n, Form.WELL_FORMED) for k, e, n in _WELL_FORMED),
    ],
    scores=(),
    shapes=tuple(Shape),
)
