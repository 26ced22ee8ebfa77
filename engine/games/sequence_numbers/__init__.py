"""Sequence Numbers: its rules are in docs/rules/sequence_numbers.md, whose numbers stand in brackets in the code."""

from underboard.engine.base.i18n import N_
from underboard.engine.gamekit.registry import GameDeclaration

GAME = GameDeclaration(
    title="Sequence Numbers",
    about=N_("Cards come to a sum or a number: five chips in a line are a sequence. For two to six."),
    rules="rules:SequenceNumbers",
    table="table:SequenceNumbersTable",
    presentation="presentation:SequenceNumbersPresentation",
    prints="prints:SequenceNumbersPrint",
)
