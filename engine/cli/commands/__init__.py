"""The commands of the command line, one module each: `add` says which options it takes, `run` does it and answers the exit status.

Each imports what it needs only when it runs, so that `--help` is quick everywhere.
"""
