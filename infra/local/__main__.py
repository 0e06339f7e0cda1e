"""The group chat on one's own machine: python -m infra.local."""

import sys

from infra.local.play import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
