"""`underboard run`: the table as a service that starts with the Pi, tells the service manager how it is, and may have a page for
spectators.
"""
