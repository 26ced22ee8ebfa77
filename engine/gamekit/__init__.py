"""The interface for authors of games: what the rules, table, presentation and prints of a game provide, and helpers for that.
A game imports nothing of Underboard but this and `base`.
"""
