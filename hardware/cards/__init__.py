"""Readers of tagged cards."""
