"""Underboard, the referee under your board. Everything that is installed lies in this package:

engine     the rules, the referee, the journal, what is shown, the command line
hardware   everything that touches a pin, a bus, a port or time
firmware   what runs on a Pico under the board
web        the page: its server and its files
version    which release and commit this is
"""
