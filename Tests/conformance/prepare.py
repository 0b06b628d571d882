"""Spells documents out for players: routines, plays and the server's addresses are gone then. Counts steps and checks."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Sequence, Set

FOLDER = Path(__file__).resolve().parent
JSON = Dict[str, Any]

_VARIABLE = re.compile(r"\$\{(\w+)\}")
_STATUS = {"call", "wait", "http", "fork"}
"""Steps with a check of their own."""


class Counts(NamedTuple):
    steps: int
    checks: int

    def __str__(self) -> str:
        return f"steps {self.steps}, checks {self.checks}"


class Document(NamedTuple):
    name: str
    cases: List[JSON]

    def needs(self) -> Set[str]:
        return {need for case in self.cases for need in case["needs"]}

    def counts(self, statuses: Set[str], lacks: Sequence[str] = ()) -> Counts:
        """What a player prints that lacks these. `statuses`: the functions that return a status."""
        steps = [step for case in self.cases if not set(case["needs"]) & set(lacks) for step in case["steps"]]
        checks = sum(len(step.get("expect", ())) + _has_status(step, statuses) for step in steps)
        return Counts(len(steps), checks)

    def write(self, folder: Path) -> Path:
        path = folder / f"{self.name}.json"
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self._asdict(), ensure_ascii=False, indent=1), encoding="utf-8")
        return path


def _has_status(step: JSON, statuses: Set[str]) -> bool:
    if "call" in step:
        return step["call"] in statuses
    return bool(_STATUS & set(step))


def statuses(description: JSON) -> Set[str]:
    """The functions that return a status."""
    return {item["name"] for item in description["functions"] if item["result"]["role"] == "status"}


def written(path: Path, facts: Mapping[str, str], quick: bool = False) -> Document:
    """A document as it is written in this folder, spelled out. `facts`: url, admin, server, ca, configuration, application,
    and configurations of other applications; a play that needs one that is not there is left out.
    """
    source: JSON = json.loads(path.read_text(encoding="utf-8"))
    plays: List[JSON] = [play for play in source.get("plays", [{}]) if _names(play) <= set(facts)]
    cases: List[JSON] = []
    for written_play in plays[:1] if quick else plays:
        play = put_in(written_play, dict(facts))
        tag = "".join(f" ({play[name]})" for name in ("protocol", "application") if name in play)
        for case in source["cases"]:
            cases.append(
                {
                    "name": case["name"] + tag,
                    "needs": case.get("needs", []),
                    "variables": {**facts, **source.get("variables", {}), **case.get("variables", {})},
                    "steps": put_in(spelled(case["steps"]), play),
                }
            )
    return Document(source["name"], cases)


def behind(document: Document, name: str, variables: JSON, options: JSON, *, sends: bool = False) -> Document:
    """The same document, with clients that reach the server another way. With `sends` the player sends their requests,
    and what is about certificates is left out: those are the player's matter then."""
    cases = []
    for case in document.cases:
        steps: List[JSON] = []
        for step in case["steps"]:
            call = step.get("call")
            if call == "mtoken_client_new" and "fails" not in step:
                given = dict(step["with"]["options"])
                for key in ("tls_trust", "ca_file") if sends else ():
                    given.pop(key, None)
                step = {**step, "with": {**step["with"], "options": {**given, **options}}}
            steps.append(step)
            if sends and call == "mtoken_runtime_new" and "keep" in step:
                steps.append({"send": f"${{{next(iter(step['keep']))}}}"})
        text = json.dumps(steps)
        if not (sends and any(word in text for word in ('"pins"', "MTOKEN_ERROR_TLS", '"fork"'))):
            cases.append({**case, "steps": steps, "variables": {**case["variables"], **variables}})
    return Document(name, cases)


def spelled(steps: List[JSON]) -> List[JSON]:
    """The steps, with those of routines in their places."""
    routines: Dict[str, List[JSON]] = json.loads((FOLDER / "routines.json").read_text(encoding="utf-8"))
    found: List[JSON] = []
    for step in steps:
        if "play" in step:
            for turn in range(step.get("times", 1)):
                found += put_in(spelled(routines[step["play"]]), {**step.get("set", {}), "turn": turn})
        else:
            found.append(step)
    return found


def _names(play: JSON) -> Set[str]:
    """The facts that a play asks for."""
    return {name for value in play.values() if isinstance(value, str) for name in _VARIABLE.findall(value)}


def put_in(value: Any, given: JSON) -> Any:
    """`${name}` becomes what is given for it; other variables stay."""
    if isinstance(value, dict):
        return {str(put_in(key, given)): put_in(item, given) for key, item in value.items()}
    if isinstance(value, list):
        return [put_in(item, given) for item in value]
    if not isinstance(value, str):
        return value
    whole = _VARIABLE.fullmatch(value)
    if whole and whole[1] in given:
        return given[whole[1]]
    return _VARIABLE.sub(lambda found: str(given[found[1]]) if found[1] in given else found[0], value)
