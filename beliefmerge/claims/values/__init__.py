"""Values: what numbers, units, dates and names come to, however they are spelled."""
