"""Virus Wars: its rules are in docs/rules/virus_wars.md, whose numbers stand in brackets in the code."""

from underboard.engine.base.i18n import N_
from underboard.engine.gamekit.registry import GameDeclaration

GAME = GameDeclaration(
    title="Virus Wars",
    about=N_("Two colours of virus spread over the board, five steps a turn; who cannot move has lost. No cards."),
    rules="rules:VirusWars",
    table="table:VirusWarsTable",
    presentation="presentation:VirusWarsPresentation",
    prints="prints:VirusWarsPrint",
)
