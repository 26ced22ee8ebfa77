"""Texts that play: the rules protocol, table scripts with what they expect, journals written as scripts, and playback for the page."""
