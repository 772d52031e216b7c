"""2 * 10^12 profiles: four values, four levels, ten branches of one opinion each."""

from __future__ import annotations

from confluence.space import Form, NamedSpace, Space

SPACE = NamedSpace([Space(4, 4, 10, Form.WELL_FORMED)])
