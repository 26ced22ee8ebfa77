"""The referee: the rules of the games, the table that applies them, and the record of what happened.

Everything here is pure but `journal` and `keeper` (the record on disk) and the composition root (`app`, `config`, `run`, `play`,
`replay` and the commands).
"""
