"""Metrics: one file each, defining `METRIC`."""
