"""Jackrealms: actions settled by a hand of blackjack."""
