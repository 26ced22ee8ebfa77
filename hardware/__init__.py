"""Everything that touches a pin, a bus, a port or time. It knows cells, keys, card tags and pictures, and no game."""
