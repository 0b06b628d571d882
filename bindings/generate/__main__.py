import sys
from pathlib import Path
from . import describe, cdef, golden, symbols, swift
from .reader import read
header = read(Path(sys.argv[1]))
out = Path("/tmp/genout"); out.mkdir(exist_ok=True)
for name, m in [("mtoken.abi.json", describe), ("mtoken.cdef.h", cdef), ("golden.txt", golden), ("libmtoken.map", symbols), ("Constants.swift", swift)]:
    (out/name).write_text(m.text(header))
print(len(header.functions), len(header.structs), len(header.enums), len(header.integers), len(header.handles))
