"""What is wrong with content, and its claims recomputed."""
