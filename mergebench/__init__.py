"""MergeBench: does merging let a reader answer what no single branch could, and does it earn its tokens?"""
