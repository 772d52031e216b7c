"""The arms of the trajectory experiment. To add one, write ``mergebench/trajectory/arms/<name>.py`` defining `ARM`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from beliefmerge.registry import Registry

if TYPE_CHECKING:
    from mergebench.trajectory.arm import Arm

TRAJECTORY = "trajectory"
"""The scenario's name."""

TRAJECTORY_ARMS: Registry[Arm] = Registry("trajectory arm", "mergebench.trajectory.arms", "ARM")
