"""What the experiments share: the command's entry, run records, tables, intervals, seeds and tracking."""
