"""Telegram on this machine: python -m emulator."""

import sys

from emulator.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
