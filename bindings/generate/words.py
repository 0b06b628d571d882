# SPDX-License-Identifier: Apache-2.0
"""What the header says, in the words of another language.

A comment becomes blocks (paragraphs, lists, code), and what it says of parameters, of the result and of errors. C's
names become those of the language, between marks that its form turns into what stands in its comments. What is named
there and has no counterpart goes, with the smallest part of the text that speaks of it: brackets, a clause, or the
sentence. So do clauses on memory, which is the binding's.
"""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field
from typing import Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple

from . import docs, errors, plan
from .model import Enum, Header, Struct, Value
from .plan import Call, Item

BEGIN, END, GONE = "\x01", "\x02", "\x03"
"""Around a name; instead of one that the language does not have."""
KEPT = "\x04"
"""A space at which no line ends."""

_NAME = re.compile(
    r'"[^"]*"|`\w+`|\bmtoken_\w+(?:\.\w+)?|\bMTOKEN_\w*(?:\.\.\.)?|(?<!\w)_[A-Za-z]\w+'
    r"|\b[a-z]\w*_\w*[a-z0-9]\b(?![-/.]\w)|(?<![=/])\b[A-Z][A-Z0-9_]+\b"
)
_ORDINARY = frozenset("HTTP JSON NO PIN TLS YES".split())
"""Constants, without their prefix, that are words too."""
_OF_C = re.compile(
    r"\b[Ff]reed? (?:\w+ )*with\b|\bNULL is ignored\b|\bmust (?:still )?(?:be )?free|\bstruct_size\b|\bnever grows\b"
    r"|^Static\b|^(?:It |They )?[Ll]ives? as long as\b|\bread during the call\b"
)
_UNSAID = re.compile(r" ?\((?:see )?\w+\.h\)|[:;,] see \w+\.h\b|(?:^|; )[Nn]ever NULL\b\.?")
"""Headers, and what the type says."""
_ANSWER = re.compile(
    r"(^|[;:.,] |\b[Rr]eturns |[Oo]therwise |\band )(-1|[01])(?=: | if | for | while | otherwise|[.,;]|$)"
)
_WHERE = re.compile(rf"(?:^|[:;,]? )[Ss]ee [^;.()]*{GONE}[^;.()]*")
_LABELS = ("Calls", "Task result", "Errors", "Errors of the task", "Returns")
_PHRASES = (("NULL with length 0", "NULL"), (" (data not NULL, length 0)", ""), (" with MTOKEN_OK", ""),
            ("INT64_MAX", "the largest number"))  # fmt: skip


@dataclass(frozen=True)
class Block:
    kind: str
    """text: a paragraph; list; code: lines"""
    texts: List[str]


@dataclass
class Comment:
    """Of a call."""

    blocks: List[Block] = field(default_factory=list)
    parameters: Dict[str, str] = field(default_factory=dict)
    returns: str = ""
    errors: List[Tuple[str, str]] = field(default_factory=list)
    """When ("at once", "of the task"; "": no matter), and which."""
    arguments: Mapping[str, str] = field(default_factory=dict)

    def failures(self) -> List[str]:
        """The errors, as sentences."""
        return [_finished(f"{when}: {text}" if when else text) for when, text in self.errors]

    def whole(self, heading: str = "") -> List[Block]:
        """Everything, for languages whose comments have no tags. heading: above the errors."""
        found = list(self.blocks)
        told = [f"{_marked(self.arguments[name])}: {text}" for name, text in self.parameters.items() if text]
        found += [Block("text", ["Arguments:"])] if told and found and found[-1].kind == "list" else []
        found += [Block("list", [_finished(text) for text in told])] if told else []
        found += [Block("text", [f"Returns: {self.returns}"])] if self.returns else []
        if heading and self.errors:
            found.append(Block("text", [heading]))
            return [*found, Block("list" if len(self.errors) > 1 else "text", self.failures())]
        return [*found, *(Block("text", [f"Errors {when}".strip() + f": {text}"]) for when, text in self.errors)]


@dataclass(frozen=True)
class About:
    """What a text is about: that tells what a bare name in it means."""

    arguments: Mapping[str, str] = field(default_factory=dict)
    enums: Tuple[str, ...] = ("mtoken_status", "mtoken_outcome")
    nothing: str = ""
    answers: Tuple[str, ...] = ()
    """What 0, 1 and -1 are."""
    unit: str = ""
    is_list: bool = False
    """Of errors."""


class Form:
    """How a language writes comments; this is Markdown behind `///`."""

    width = 120
    first, each, last = "", "/// ", ""

    def escape(self, text: str) -> str:
        return text

    def name(self, name: str) -> str:
        return f"`{name}`"

    def further(self, text: str) -> str:
        """A paragraph that is not the first."""
        return text

    def listed(self, items: List[str]) -> List[str]:
        return [f"- {item}" for item in items]

    def code(self, lines: List[str]) -> List[str]:
        return ["```text", *lines, "```"]

    def said(self, text: str) -> str:
        parts = re.split(f"{BEGIN}(.*?){END}", text)
        return "".join(self.name(part) if index % 2 else self.escape(part) for index, part in enumerate(parts))

    def lines(self, blocks: Sequence[Block]) -> List[str]:
        """The lines of a comment, not yet folded, with empty ones between blocks."""
        found: List[str] = []
        for block in blocks:
            texts = block.texts if block.kind == "code" else [self.said(text) for text in block.texts]
            if block.kind == "text" and found:
                texts = [self.further(texts[0])]
            made = {"list": self.listed, "code": self.code}.get(block.kind, list)(texts)
            found += ["", *made] if found else made
        return found

    def comment(self, lines: Sequence[str], indent: str = "") -> List[str]:
        """Lines, folded, as a comment."""
        width = self.width - len(indent) - len(self.each or self.first)
        folded: List[str] = []
        for line in lines:
            hanging = " " * (4 if line.startswith("@") else len(line) - len(re.sub(r"^ *(- )?", "", line)))
            folded += textwrap.wrap(
                line, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False
            ) or [""]
        folded = [line.replace(KEPT, " ") for line in folded]
        if self.first and len(folded) == 1 and len(folded[0]) < width - 6:
            return [f"{indent}{self.first} {folded[0]} {self.last.strip()}"]
        body = [f"{indent}{self.each}{line}".rstrip() for line in folded]
        return [f"{indent}{self.first}", *body, f"{indent}{self.last}"] if self.first and folded else body

    def of(self, blocks: Sequence[Block], indent: str = "") -> List[str]:
        """Blocks as a comment."""
        return self.comment(self.lines(blocks), indent)


@dataclass(frozen=True)
class Language:
    """How a language spells what C has; "": it does not have it."""

    type_of: Callable[[str], str]
    enum_of: Callable[[Enum], str]
    value_of: Callable[[Enum, Value], str]
    call_of: Callable[[Call], str]
    member: Callable[[str], str]
    argument: Callable[[str], str]
    nothing: Mapping[str, str]
    """NULL, by the kind of an item, e.g. "text", or "given text" where a program gives it; "", "given": all others."""
    by_hand: Mapping[str, str] = field(default_factory=dict)
    dot: str = "."
    """Before a member of a type."""
    task: str = "of the task"
    has_times: bool = False
    has_durations: bool = False
    """A point in time is not a number."""

    def names(self, header: Header) -> Dict[str, str]:
        """What C calls so, and the language has."""
        structs = [*plan.views(header), *plan.options(header), *(header.structs[name] for name in plan.COPIED)]
        handles = [name for name in header.handles if plan.free_name(header, name)]
        found = {name: self.type_of(name) for name in (*(struct.name for struct in structs), *handles)}
        for enum in header.enums.values():
            found[enum.name] = self.enum_of(enum)
            found.update({one.name: self.value_of(enum, one) for one in enum.values if one.name != "MTOKEN_OK"})
        found.update({one.c_name: self.call_of(one) for one in plan.calls(header)})
        found.update({"mtoken_watched": "Watch", **self.by_hand})
        return {name: spelled for name, spelled in found.items() if spelled}


class Words:
    """The comments of a header in a language."""

    def __init__(self, header: Header, language: Language):
        self.header = header
        self.language = language
        self.names = language.names(header)
        self.common = errors.common(header)
        items = [item for struct in header.structs.values() for item in plan.members(header, struct)]
        self.members = {item.name for item in items}
        self.bools = {item.name for item in items if item.is_bool}
        self.last = ""

    def of(self, lines: Iterable[str], about: About = About()) -> List[Block]:
        """A comment on a type or a constant."""
        return _joined(made for block in docs.blocks(tuple(lines)) for made in self._block(block, about))

    def value(self, enum: Enum, value: Value) -> List[Block]:
        return self.of(value.doc, About(enums=(enum.name, *About().enums)))

    def member(self, struct: Struct, item: Item) -> List[Block]:
        beside = (one.enum for one in plan.members(self.header, struct) if one.enum != "mtoken_answer")
        enums = (*beside, *(About().enums if struct.kind != "result" else ()))
        given = "copied" if struct.name in plan.COPIED else "given" if struct.kind != "result" else ""
        return self.of(item.doc, self._about(item, given, enums))

    def member_named(self, struct: Struct, name: str) -> List[Block]:
        """Of one that may be no item, e.g. a function of the host."""
        found = next((item for item in plan.members(self.header, struct) if item.name == name), None)
        return self.member(struct, found or Item(name, "", doc=struct.member(name).doc))

    def call(self, call: Call) -> Comment:
        """A comment on a function."""
        arguments = {item.name: self.language.argument(item.name) for item in call.inputs}
        about = About(arguments, nothing=self._nothing("given"), answers=self._answers(call.result))
        made = Comment(arguments=arguments)
        told: Dict[str, str] = {}
        given = {field.name for field in call.function.parameters}
        for block in docs.blocks(call.function.doc):
            if isinstance(block, docs.Columns):
                own = [item for item in block.items if item[0] in _LABELS or set(item[0].split(", ")) <= given]
                told.update({label: " ".join(lines) for label, lines in own})
                block = docs.Columns([item for item in block.items if item not in own])
            made.blocks += self._block(block, about)
        made.blocks = _joined(made.blocks)
        if "Calls" in told:
            made.blocks.append(Block("text", [_finished("Calls " + self.text(told["Calls"], about))]))
        for item in call.inputs:
            made.parameters[item.name] = self.text(told.get(item.name, ""), self._about(item, "given", about.enums))
        result = re.sub(r"^(?:none|mtoken_task_\w+(?:, mtoken_task_\w+)*)(?:[;:.] |$)", "", told.get("Task result", ""))
        texts = [self.text(told.get("Returns") or result, about)]
        for item in call.outs:
            texts.append(self.text(told.get(item.name, ""), self._about(item, "", about.enums)))
        made.returns = " ".join(_finished(text) for text in texts if text)
        made.errors = self._errors(call, told, about)
        return made

    def _about(self, item: Item, given: str, enums: Tuple[str, ...]) -> About:
        nothing = self._nothing(f"{given} {item.kind}".strip())
        return About({}, (item.enum, *enums), nothing, self._answers(item), item.unit)

    def _nothing(self, kind: str) -> str:
        known = self.language.nothing
        keys = (kind, kind.removeprefix("copied "), kind.partition(" ")[0], "")
        return next(known[key] for key in keys if key in known)

    def _answers(self, item: Optional[Item]) -> Tuple[str, ...]:
        if item is not None and item.enum == "mtoken_answer":
            return tuple(self._constant(f"MTOKEN_{name}") for name in ("NO", "YES", "UNSET"))
        return _BOOL if item is not None and item.is_bool else ()

    # Errors

    def _errors(self, call: Call, told: Dict[str, str], about: About) -> List[Tuple[str, str]]:
        text = errors.follow(self.header, told.get("Errors", ""))
        if "Errors of the task" in told:
            text = f"of the task: {told['Errors of the task']}"
        shared = errors.concerning(call.function, text, self.common)
        if not (call.has_status and (text or shared)):
            return []
        if text.startswith("as mtoken_"):
            shared = []
        own = _times(re.sub(r"^as above[,;]?(?: and)?(?: at once)?", "", text).strip())
        known = errors.codes(self.header, text)
        for more in shared:
            for when, said in _times(errors.follow(self.header, more.text)).items():
                if when == "of the task" and not call.starts_task:
                    continue
                parts = [part for part in _split(said) if not set(errors.codes(self.header, part)) & set(known)]
                head, *rest = docs.sentences(own.get(when, "")) or [""]
                listed = ", ".join(part.strip(",;. ") for part in (head, *parts) if part)
                own[when] = ". ".join([listed, *rest])
        labels = {"of the task": self.language.task}
        about = About(about.arguments, about.enums, about.nothing, is_list=True)
        return [(labels.get(when, when), _finished(self._list(said, about))) for when, said in own.items() if said]

    def _list(self, said: str, about: About) -> str:
        further = ", ".join(name for name in errors.NETWORK_ERRORS if not re.search(rf"\b{name}\b", said))
        parts = [self.text(part, about) for part in _split(said.replace("network errors", further))]
        return ", ".join(part.strip(",; ") for part in parts if part.strip(",; "))

    # Texts

    def _block(self, block: docs.Block, about: About) -> List[Block]:
        if isinstance(block, docs.Code):
            return [] if re.search("mtoken|&", "".join(block.lines), re.IGNORECASE) else [Block("code", block.lines)]
        if isinstance(block, docs.Columns):
            items = [_finished(f"{label}: {self.text(' '.join(lines), about)}") for label, lines in block.items]
            return [Block("list", items)] if items else []
        items = re.split(r"\n(?=- )", "\n".join(block.lines))
        kinds = ["list" if item.startswith("- ") else "text" for item in items]
        texts = [_finished(self.text(item.removeprefix("- ").replace("\n", " "), about)) for item in items]
        return _joined(Block(kind, [text]) for kind, text in zip(kinds, texts) if text)

    def text(self, said: str, about: About) -> str:
        return " ".join(made for one in docs.sentences(_plain(said)) if (made := self._sentence(one, about)))

    def _sentence(self, said: str, about: About) -> str:
        said = _UNSAID.sub("", said)
        if about.answers:
            said = _ANSWER.sub(lambda match: match[1] + about.answers[int(match[2])], said)
        if any(name in self.bools for name in re.findall(r"(\w+) (?:is|are|must be) [01]\b", said)):
            said = re.sub(r"(?<=[a-z] )[01]\b(?! or)", lambda match: _BOOL[int(match[0])], said)
        if about.unit == "ms" and self.language.has_durations:
            said = re.sub(r",? (?:in )?milliseconds\b", "", said)
            said = re.sub(r"\b\d{4,}\b(?! ms)", r"\g<0> ms", said)
        if about.unit == "epoch_ms" and self.language.has_times:
            said = re.sub(r"^Milliseconds since the epoch\b", "The time", said)
            said = re.sub(r"[:;,]? (?:in )?(?:milliseconds|ms) since the epoch\b", "", said)
        named = _NAME.sub(lambda match: self._named(match, about), said)
        named = re.sub(rf" ?\([^()]*{GONE}[^()]*\)", "", named)
        named = _WHERE.sub("", named)
        clauses = [one for one in _split(named, ";") if GONE not in one and not _OF_C.search(one.strip())]
        made = "" if clauses and clauses[0].startswith("otherwise") else " ".join(clauses).rstrip(";,")
        made = made if named.startswith(made[:9]) else made[:1].upper() + made[1:]
        return made + "." if made and said.endswith(".") and made[-1] not in ".:!?" else made

    # Names

    def _named(self, match: re.Match[str], about: About) -> str:
        word = match[0]
        if word.startswith('"'):
            return word
        if word == "NULL":
            nothing = about.nothing or self._nothing("")
            return nothing if re.search(r"[ a-z]{5}", nothing) else _marked(nothing)
        if word.startswith("mtoken_"):
            self.last = word
            return self._qualified(*word.partition(".")[::2])
        if word.startswith("MTOKEN_"):
            self.last = word.rstrip(".")
            return self._family(word[:-3]) if word.endswith("...") else self._constant(word)
        if word.startswith("_"):
            return self._shortened(word, about)
        if word[0].isupper():
            return self._bare(word, about, match.start() == 0)
        name = word.strip("`")
        if name in about.arguments:
            return _marked(about.arguments[name])
        return _marked(self.language.member(name)) if name in self.members else name

    def _qualified(self, name: str, member: str) -> str:
        known = self.names.get(name)
        if known is None:
            return GONE
        return _marked(known + self.language.dot + self.language.member(member) if member else known)

    def _constant(self, name: str) -> str:
        constant = self.header.constants.get(name)
        if name in self.names:
            return _marked(self.names[name])
        if constant is None or name == "MTOKEN_NUL_TERMINATED":
            return GONE
        return f'"{constant.value}"' if isinstance(constant.value, str) else str(constant.value)

    def _family(self, prefix: str) -> str:
        """Constants whose names begin alike: an enumeration, or some of one."""
        for enum in self.header.enums.values():
            if enum.prefix == prefix or (enum.name, prefix) == ("mtoken_status", "MTOKEN_ERROR_"):
                return self._qualified(enum.name, "")
        found = [name for name in (*self.header.integers, *self.header.texts) if name.startswith(prefix)]
        return ", ".join(map(self._constant, found)) or GONE

    def _shortened(self, word: str, about: About) -> str:
        """_cancel_activation after mtoken_client_persist; _NO after MTOKEN_UNSET."""
        whole = "_".join(self.last.split("_")[:2]) + word
        for enum in self.header.enums.values():
            if self.last == enum.prefix.rstrip("_") or self.last in [value.name for value in enum.values]:
                whole = enum.prefix + word[1:]
        found = self._qualified(whole, "") if whole.startswith("mtoken_") else self._constant(whole)
        return word[1:] if found == GONE else found

    def _bare(self, word: str, about: About, begins: bool) -> str:
        if word in _ORDINARY and not (about.is_list and begins):
            return word
        for name in about.enums:
            enum = self.header.enums.get(name)
            prefix = "MTOKEN_ERROR_" if name == "mtoken_status" else enum.prefix if enum else ""
            for value in enum.values if enum else ():
                if value.name == prefix + word and value.name in self.names:
                    return _marked(self.names[value.name])
        return word


_BOOL = ("false", "true")


def spoken(name: str) -> str:
    """A parameter of which the header says nothing."""
    parts = name.removeprefix("out_").split("_")
    return "the " + " ".join(part.upper() if part in plan.INITIALS else part for part in parts)


def _marked(name: str) -> str:
    return f"{BEGIN}{name}{END}"


def _joined(blocks: Iterable[Block]) -> List[Block]:
    """Lists that follow each other are one."""
    found: List[Block] = []
    for block in blocks:
        if block.kind == "list" and found and found[-1].kind == "list":
            found[-1].texts.extend(block.texts)
        else:
            found.append(block)
    return found


def _plain(said: str) -> str:
    for phrase, other in _PHRASES:
        said = said.replace(phrase, other)
    return said


def _finished(text: str) -> str:
    """With a capital letter and a full stop."""
    word = re.match(r"(?:a|[a-z][a-z'-]+)(?=[ ,.;!?]|: |:?$)", text)
    return (text[:1].upper() if word else text[:1]) + text[1:] + ("" if re.search(r"[.:!?][\")]?$|^$", text) else ".")


def _split(text: str, separators: str = ",;") -> List[str]:
    """At separators outside of brackets and quotation marks; they stay at the end of their part."""
    parts, depth, quoted = [""], 0, False
    for index, character in enumerate(text):
        quoted ^= character == '"'
        depth += 0 if quoted else (character == "(") - (character == ")")
        parts[-1] += character
        if character in separators and not quoted and depth <= 0 and text[index + 1 : index + 2] == " ":
            parts.append("")
    return [part.strip() for part in parts if part.strip()]


def _times(text: str) -> Dict[str, str]:
    """What comes at once, and what of the task."""
    at_once, separator, of_task = text.partition("of the task")
    is_told = bool(separator) or text.startswith("at once")
    at_once = re.sub(r"^at once:? ", "", at_once).strip(";, ")
    found = {"at once" if is_told else "": at_once, "of the task": of_task.lstrip(": ")}
    return {when: said for when, said in found.items() if said}
