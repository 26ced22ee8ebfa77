"""Readers of tagged cards: what they say, as bytes in and tags out, and which card lies there now."""
