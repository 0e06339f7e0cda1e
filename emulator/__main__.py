"""The group chat on one's own machine: python -m emulator."""

import sys

from emulator.play import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
