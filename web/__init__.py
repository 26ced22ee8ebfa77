"""The page: who may ask for it and by which address, what is streamed to it, which commands it may send, and its files. It knows
no game and no device.
"""
