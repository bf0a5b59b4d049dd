"""Errors, text that people type, dice, cards, files, locks: nothing of any game."""
