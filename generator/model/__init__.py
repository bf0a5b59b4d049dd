"""What content is made of: frozen values that act on nothing."""
