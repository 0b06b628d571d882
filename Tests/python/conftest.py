"""The fixtures of the end-to-end tests; those of the command have them too."""

from fixtures import *  # noqa: F403
