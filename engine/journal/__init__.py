"""The record on disk: every action is written before anybody sees it, and read back after a power cut. What each entry means
for a table is in `history`; a disk that fails is the business of `writer`.
"""
