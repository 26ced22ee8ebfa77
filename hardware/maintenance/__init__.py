"""What a builder is told about a box: wiring found out by a walk through the board, what is wrong with the machine, firmware installed."""
