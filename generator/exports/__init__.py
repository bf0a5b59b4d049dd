"""One module for each other format."""
