"""Faces on sheets: everything that draws, with reportlab and nothing that decides a rule."""
