"""Procedures whose events are content: the kind `steps`."""
