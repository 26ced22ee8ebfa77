"""What keys and panel are for besides the game. A long press of LEFT opens the table's menu.

    menu         go on, another game, corrections, scores of the evening, language
    plan         the set-up of a game: which one, for whom, by which options
    corrections  what a referee sets by hand when the house disagrees with the table
    scores       who has won what this evening
    languages    another language, in the middle of a game too

Each is an `Aside` (see `engine.tabletop`): it lies over the game until it is left, and the game goes on where it was.
"""
