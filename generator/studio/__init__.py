"""The studio: systems, prints and house rules on a page, for whoever sits at this computer."""
