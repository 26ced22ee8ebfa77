"""SPY: its rules are in docs/rules/spy.md, whose numbers stand in brackets in the code."""

from underboard.engine.base.i18n import N_
from underboard.engine.gamekit.registry import GameDeclaration

GAME = GameDeclaration(
    title="SPY",
    about=N_("Find the others' safes and top secrets, in order, before they find yours; mind the bombs. For two to four."),
    rules="rules:Spy",
    table="table:SpyTable",
    presentation="presentation:SpyPresentation",
    prints="prints:SpyPrint",
)
