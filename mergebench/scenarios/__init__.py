"""Scenario families: one file each, defining `FAMILY`. Files whose names begin with an underscore are what they share."""
