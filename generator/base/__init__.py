"""Errors, text that people type, dice, cards, files: nothing of any game."""
