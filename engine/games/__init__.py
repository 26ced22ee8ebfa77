"""The games that can be refereed: one folder a game, declared in its `__init__` (see `underboard.engine.gamekit.registry`)."""
