"""MergeBench: whether merging lets a reader answer what no single branch could, and whether it earns its tokens."""
