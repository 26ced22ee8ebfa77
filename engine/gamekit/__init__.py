"""The public interface of a game's author: what rules, table, presentation and prints of a game have to say, and what helps
to say it. A game imports nothing of Underboard but this and `base`.
"""
