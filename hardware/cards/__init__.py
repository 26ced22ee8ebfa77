"""Readers of tagged cards: their protocols, and which card lies there now."""
