# SPDX-License-Identifier: Apache-2.0
"""A PowerAuth server and Mobile Token API for one machine, made for development and tests.

The package is written from the protocol description alone. It shares nothing with the mobile-token library, because
its purpose is to check that library.
"""

__version__ = "1.0"
