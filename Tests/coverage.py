"""Reports the coverage of Sources by module, lists the lines not covered, and fails below a share of lines.

Tests/coverage.py --tool llvm-cov --profile all.profdata --lines 90 --output uncovered.txt BINARY...
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Dict, List, Set, Tuple

SOURCES = Path(__file__).resolve().parents[1] / "Sources"


def export(tool: str, profile: str, binaries: List[str]) -> List[Dict[str, object]]:
    command = [tool, "export", "-format=text", f"-instr-profile={profile}", binaries[0]]
    command += [part for binary in binaries[1:] for part in ("-object", binary)]
    answer = subprocess.run([*command, str(SOURCES)], check=True, capture_output=True, text=True).stdout
    files: List[Dict[str, object]] = json.loads(answer)["data"][0]["files"]
    return files


def lines_of(segments: List[List[int]]) -> Tuple[Set[int], Set[int]]:
    """The lines with code, and those of them that ran, out of the regions' borders."""
    code: Set[int] = set()
    ran: Set[int] = set()
    for (line, _, count, counted, _, _), (end, *_rest) in zip(segments, segments[1:]):
        if not counted:
            continue
        span = range(line, end + 1 if end == line else end)
        code.update(span)
        if count:
            ran.update(span)
    return code, ran


def branches_of(segments: List[List[int]]) -> Tuple[int, int]:
    """How many regions begin there, of which each arm of a condition is one, and how many of them ran."""
    counts = [segment[2] for segment in segments if segment[3] and segment[4]]
    return sum(count > 0 for count in counts), len(counts)


def ranges(lines: List[int]) -> str:
    found: List[List[int]] = []
    for line in lines:
        if found and found[-1][1] + 1 == line:
            found[-1][1] = line
        else:
            found.append([line, line])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--profile", required=True)
    parser.add_argument("--lines", type=float, required=True, help="percent of lines that must be covered")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("binaries", nargs="+")
    options = parser.parse_args()
    modules: Dict[str, List[int]] = defaultdict(lambda: [0, 0, 0, 0])
    missing: List[str] = []
    for file in export(options.tool, options.profile, options.binaries):
        place = Path(str(file["filename"])).relative_to(SOURCES)
        if place.parts[0] == "MobileTokenTesting":
            continue  # a library for tests
        code, ran = lines_of(file["segments"])  # type: ignore[arg-type]
        figures = (len(ran), len(code), *branches_of(file["segments"]))  # type: ignore[arg-type]
        modules[place.parts[0]] = [sum(pair) for pair in zip(modules[place.parts[0]], figures)]
        if code - ran:
            missing.append(f"Sources/{place}: {ranges(sorted(code - ran))}")
    listed = "\n".join(sorted(missing)) + "\n"
    options.output.write_text(listed, encoding="utf-8")
    print(f"not covered:\n{listed}")
    total = [sum(values) for values in zip(*modules.values())]
    for name, (ran_lines, all_lines, ran_regions, regions) in [*sorted(modules.items()), ("all", total)]:
        lines = f"{ran_lines:6} of {all_lines:6} lines {100 * ran_lines / all_lines:5.1f} %"
        print(f"{name:20} {lines}  {ran_regions:6} of {regions:6} branches {100 * ran_regions / regions:5.1f} %")
    share = 100 * total[0] / total[1]
    if share < options.lines:
        print(f"coverage: {share:.1f} % of lines, less than {options.lines} %", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
