"""One registry a family: lazy, collisions are errors, unknown names get the nearest match.

A family lives in one package, one member a file. The member's module is imported when it is first asked for, so that
listing names costs nothing and a heavy dependency of one member is nobody else's.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cached_property
from typing import Generic, TypeVar

from beliefmerge.errors import BeliefMergeError, unknown

T = TypeVar("T")


class Registry(Generic[T]):
    """Members of a family by name: each module of `package` defines one as the attribute `attribute`.

    A module whose name starts with an underscore is no member. ``register`` adds one at run time.
    """

    def __init__(self, kind: str, package: str, attribute: str) -> None:
        self.kind, self.package, self._attribute = kind, package, attribute
        self._added: dict[str, T] = {}

    def names(self) -> list[str]:
        """Known names, sorted; imports no member."""
        return sorted(self._found | set(self._added))

    @cached_property
    def _found(self) -> frozenset[str]:
        """Names of the modules, as they were when first asked for."""
        path = importlib.import_module(self.package).__path__
        return frozenset(module.name for module in pkgutil.iter_modules(path) if not module.name.startswith("_"))

    def __contains__(self, name: object) -> bool:
        return name in self._found or name in self._added

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def register(self, name: str, member: T) -> None:
        """Add `member` under `name`; a name that is taken is an error."""
        if name in self:
            raise BeliefMergeError(f"{self.kind} {name!r} is registered already")
        self._added[name] = member

    def unregister(self, name: str) -> None:
        """Take back what ``register`` added."""
        del self._added[name]

    def __getitem__(self, name: str) -> T:
        if name in self._added:
            return self._added[name]
        if name not in self:
            raise unknown(self.kind, name, self.names())
        member: T = getattr(importlib.import_module(f"{self.package}.{name}"), self._attribute)
        return member
