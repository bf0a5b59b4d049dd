"""Hackjack: wounds on cards and a death-score."""
