# SPDX-License-Identifier: Apache-2.0
"""PowerAuth protocol 4.0 beside 3.x. All else is as in 3.x."""
