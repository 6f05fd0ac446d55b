"""``python -m stablemate`` is the command line."""

from stablemate.cli import main

main()
