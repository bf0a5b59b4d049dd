"""`python -m generator` is the same as `hackjack`."""

from generator.cli import main

if __name__ == "__main__":
    main()
