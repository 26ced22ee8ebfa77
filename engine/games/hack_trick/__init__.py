"""Hack Trick: its rules are in docs/rules/hack_trick.md, whose numbers stand in brackets in the code."""

from underboard.engine.base.i18n import N_
from underboard.engine.gamekit.registry import GameDeclaration

GAME = GameDeclaration(
    title="Hack Trick",
    about=N_("Two hackers add up cards and infect nine servers: three in a line win."),
    rules="rules:HackTrick",
    table="table:HackTrickTable",
    presentation="presentation:HackTrickPresentation",
)
