"""Makaó: its rules are in docs/rules/makao.md, whose numbers stand in brackets in the code."""

from underboard.engine.base.i18n import N_
from underboard.engine.gamekit.registry import GameDeclaration

GAME = GameDeclaration(
    title="Makaó",
    about=N_("Get rid of your cards: follow suit or rank; sevens, aces, nines and overs ask for more. Cards only, for three to five."),
    rules="rules:Makao",
    table="table:MakaoTable",
    presentation="presentation:MakaoPresentation",
    prints="prints:MakaoPrint",
)
