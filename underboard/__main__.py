"""`python -m underboard`: the command line."""

import sys

from underboard.engine.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
