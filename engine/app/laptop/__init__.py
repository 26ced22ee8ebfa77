"""`underboard play`: tables on one computer over a simulated box, with a page for all hands."""
