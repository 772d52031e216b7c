"""Scenario families: one file each, defining `FAMILY`. Files that begin with an underscore are what they share."""
