"""The paper: figures, tables, numbers and the document, all made from `results/published`."""
