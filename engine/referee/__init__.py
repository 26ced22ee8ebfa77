"""The referee: (table, event) -> (table, effects), pure. It compares the tokens that stand with those that should, follows
the keys and the card reader, and says what is wrong. `step` begins with an essay on how it thinks; `menu` is the table's own menu.
"""
