# SPDX-License-Identifier: Apache-2.0
"""`python -m mtoken_command` is the command `mtoken`."""

from . import main

main()
