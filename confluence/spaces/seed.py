"""The spaces of the known table: 72,760 profiles under two scores."""

from __future__ import annotations

from confluence.space import Form, NamedSpace, Shape, Space

SPACE = NamedSpace(
    [Space(k, e, 3, form) for k, e in ((3, 2), (2, 4)) for form in (Form.GENERAL, Form.WELL_FORMED)],
    shapes=tuple(Shape),
)
