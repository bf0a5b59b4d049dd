"""From the files of a pack to a system, or to every fault with its file and line."""
