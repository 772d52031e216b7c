"""What the benchmarks share: timing, rows, the run and its record."""
