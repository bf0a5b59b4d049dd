"""Hackjack: injury systems for role-playing tables, validated, printed and played from one set of data."""

__version__ = "0.3.0"
