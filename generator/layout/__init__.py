"""Sheets, targets, the parts of cards and panels, and the text of a printed page, in mm."""
