"""Sheets, targets, what cards and panels are made of, and what stands on a printed page, in mm."""
