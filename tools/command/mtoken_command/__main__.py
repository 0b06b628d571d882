"""`python -m mtoken_command` is the command `mtoken`."""

from . import main

main()
