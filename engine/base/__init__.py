"""What every room uses and what knows none of them: errors, texts in the player's language, names of cells, sets of bits,
times as people write them, drawings in millimetres.
"""
