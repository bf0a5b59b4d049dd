"""The types of content: frozen values without behaviour."""

import atexit
import gc

# At the end nothing is looked through any more: msgspec's types, which name each other in circles, have been seen to
# crash when they are collected while the interpreter takes itself apart.
atexit.register(gc.freeze)
