"""Deadlands 1876: trait dice, wounds, fate and luck."""
