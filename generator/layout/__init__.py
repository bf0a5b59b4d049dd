"""Sheets, targets, and what cards and panels are made of, in mm."""
