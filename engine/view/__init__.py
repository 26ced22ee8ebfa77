"""What an eye may see of a table, as JSON values and sentences: the report of the scripts, the snapshot of the pages, the game
log, the texts of the page, and who gets to see which part.
"""
