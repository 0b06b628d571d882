"""The one reader of the C header, and what is generated from it. See README.md."""
