"""The fixtures of the end-to-end tests; those of the command have them too. Tests import from tests of other folders."""

import sys
from pathlib import Path

sys.path += sorted({str(path.parent) for path in Path(__file__).parent.glob("*/test_*.py")})

from fixtures import *  # noqa: F403
