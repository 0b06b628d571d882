"""`python -m mtoken` is the command `mtoken`."""

from .command import main

main()
