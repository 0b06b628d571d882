# SPDX-License-Identifier: Apache-2.0
"""The one reader of the C header, and what is generated from it. See README.md."""
