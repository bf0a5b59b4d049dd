"""Nothing of it is there."""
