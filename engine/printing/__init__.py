"""Sheets to be printed: what lies on the board, and the cards."""
