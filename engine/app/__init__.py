"""One table in operation: the loop that brings events from the devices to the referee and its effects back, the configuration,
and what a table is launched with. What is put together for the box, a laptop, a workshop or virtual time has a room of its own.
"""
