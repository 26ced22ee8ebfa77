"""The table's own menu, and what keys and panel are for while it is open. A long press of LEFT opens it.

    main             go on, another game, manual overrides, scores of the evening, language, explanations
    new_game         the set-up of a game: which one, for whom, by which options
    manual_override  what a referee sets by hand when the players disagree with the table
    scores           who has won what this evening
    language         the language of the table, in the middle of a game too
    summary          what is settled for a game that is being set up
    explanations     what the special cards of a game do
    layout           the four lines of the panel that all of them have

Each is a `TableMenu` (see `underboard.engine.referee.state`): it lies over the game until it is left, and the game goes on where
it was.
"""
