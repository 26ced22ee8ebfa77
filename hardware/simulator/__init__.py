"""A box that exists in memory only, below the real drivers: switches, bus, ports, and hands to touch them with. Tests, scripts and
laptops use it; the service does not load it.
"""
