# SPDX-License-Identifier: Apache-2.0
"""Operations laid out for a terminal. Texts of the server are shown as they are, never as markup or control codes."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

import mtoken
from rich.console import Group, RenderableType
from rich.text import Text

from . import meaning
from .layout import Card, Facts, Heading, Listing, Verbatim
from .output import clean

ALERTS = {
    mtoken.AlertType.INFO: "blue",
    mtoken.AlertType.SUCCESS: "green",
    mtoken.AlertType.WARNING: "yellow",
    mtoken.AlertType.ERROR: "red",
}
STATUSES = {
    mtoken.OperationStatus.PENDING: "yellow",
    mtoken.OperationStatus.APPROVED: "green",
    mtoken.OperationStatus.REJECTED: "red",
}
SHORTEST = 8


def text(value: Optional[str], style: str = "") -> Text:
    """A text of the server, without control characters."""
    return Text(clean(value or ""), style=style)


def line(value: Optional[str], style: str = "") -> Text:
    """The same in one line with single spaces, so that it cannot look like several rows."""
    return Text(" ".join(clean(value or "").split()), style=style)


def short_ids(given: Iterable[str]) -> Dict[str, str]:
    """For each id its shortest unique beginning of at least eight characters."""
    ids = list(given)
    short: Dict[str, str] = {}
    for id in ids:
        length = SHORTEST
        while length < len(id) and any(other != id and other.startswith(id[:length]) for other in ids):
            length += 1
        short[id] = id[:length]
    return short


def when(moment: datetime, *, seconds: bool = False) -> str:
    """A date in the user's time zone, which it names."""
    local = moment.astimezone()
    return f"{local:%Y-%m-%d %H:%M:%S %Z}" if seconds else f"{local:%Y-%m-%d %H:%M %Z}"


def remaining(expires: datetime, now: datetime) -> str:
    """The time until then, in words."""
    seconds = int((expires - now).total_seconds())
    if seconds <= 0:
        return "expired"
    if seconds < 120:
        return f"{seconds} s"
    if seconds < 7200:
        return f"{seconds // 60} min"
    return f"{seconds // 3600} h" if seconds < 172_800 else f"{seconds // 86_400} days"


def operations_table(
    operations: Sequence[mtoken.Operation], now: Optional[datetime], *, past: bool = False
) -> RenderableType:
    """A list of operations; operations of the past have their status."""
    if not operations:
        return Text("No operations." if past else "No operation is waiting for approval.")
    now = now or datetime.now(timezone.utc)
    short = short_ids(operation.id for operation in operations)
    last_columns = ("Status", "Asked at") if past else ("Expires in",)
    table = Listing(("Id", "Operation", "Amount", *last_columns), 1, right=[2])
    for operation in operations:
        about = line(operation.title or operation.name, "bold")
        if operation.message:
            about.append("\n").append_text(line(operation.message, "not bold dim"))
        if operation.contradictions:
            about.append("\n").append("does not show what it signs", "not dim bold red")
        amounts = [attribute for attribute in operation.attributes if isinstance(attribute, mtoken.AmountAttribute)]
        amount = amount_text(amounts[0].amount) if amounts else Text()
        if past:
            last = [status_text(operation), Text(when(operation.created))]
        else:
            last = [Text(remaining(operation.expires, now))]
        table.add_row(Text(clean(short[operation.id]), "cyan"), about, amount, *last)
    return table


def about(operation: mtoken.Operation) -> str:
    """An operation in one line, for a choice: title, amount, payee, and the signed account."""
    amounts = [amount_text(one.amount).plain for one in operation.attributes if isinstance(one, mtoken.AmountAttribute)]
    parties = [one.party.name or "" for one in operation.attributes if isinstance(one, mtoken.PartyInfoAttribute)]
    signed = operation.summary.split("\n")[1:]
    shown = [] if any(one.startswith("Amount:") for one in signed) else amounts[:1]
    parts = [operation.title or operation.name, *shown, *parties[:1], *signed]
    return " · ".join(dict.fromkeys(" ".join(clean(part).split()) for part in parts if part))


def about_request(request: mtoken.MobileAuthRequest) -> str:
    """A portal's request in a line."""
    return about(request.operation) if request.operation else clean(request.message or request.type or "")


def status_text(operation: mtoken.Operation) -> Text:
    """The status of an operation, in its colour."""
    name = operation.status.name if operation.status is not mtoken.OperationStatus.UNKNOWN else operation.status_text
    return text((name or "").lower(), STATUSES.get(operation.status, "dim"))


def operation_detail(operation: mtoken.Operation, now: Optional[datetime] = None) -> RenderableType:
    """Everything that the user should see before a decision."""
    parts: List[RenderableType] = []
    if operation.contradictions:
        parts += [contradiction(operation), Text()]
    template = operation.ui.templates.detail if operation.ui and operation.ui.templates else None
    if operation.message and (template is None or template.show_title_and_message is not False):
        # Beside its name, so that its lines are in the column of values and do not look like rows.
        message = Facts()
        message.add_row("Message", text(operation.message))
        parts += [message, Text()]
    for title, attributes in sections(operation, template):
        if title is not None:
            parts.append(Heading(line(title, "bold")))
        parts += list(attribute_rows(attributes))
    parts.append(signed(operation.summary))
    parts.append(facts(operation, now))
    return Card(Group(*parts), line(operation.title or operation.name, "bold"), roomy=True)


def contradiction(operation: mtoken.Operation) -> RenderableType:
    """The warning that the operation does not show what it signs."""
    found = [text(one, "red") for one in meaning.contradictions(operation.contradictions)]
    return Card(Group(*found), text("NOT WHAT IS SIGNED", "bold red"), style="red")


def signed(summary: str) -> RenderableType:
    """The signed summary. The library makes these lines from the signed data alone, not from the bank's texts."""
    return Card(Group(*(Verbatim(text(line, "bold")) for line in summary.split("\n"))), text("YOU SIGN", "bold"))


def sections(
    operation: mtoken.Operation, template: Optional[mtoken.DetailTemplate]
) -> Iterator[Tuple[Optional[str], List[mtoken.Attribute]]]:
    """The attributes in the bank's sections; attributes without a section come last, so that nothing is hidden."""
    left = list(operation.attributes)
    for section in (template.sections if template else None) or ():
        wanted = [cell.name for cell in section.cells or () if cell.name]
        named: Dict[str, List[mtoken.Attribute]] = {}
        for attribute in left:
            named.setdefault(attribute.id or "", []).append(attribute)
        titles = named.get(section.title, []) if section.title else []
        if titles and section.title not in wanted and isinstance(titles[0], mtoken.HeadingAttribute):
            # Leave out an attribute only if it has nothing but a title.
            left = [attribute for attribute in left if attribute is not titles[0]]
        chosen = [attribute for name in dict.fromkeys(wanted) for attribute in named.get(name, ())]
        left = [attribute for attribute in left if attribute.id not in wanted]
        if chosen or titles:
            yield (titles[0].label if titles else None), chosen
    if left:
        yield None, left


def attribute_rows(attributes: Iterable[mtoken.Attribute]) -> Iterator[RenderableType]:
    """Attributes as rows of label and value; headings and alerts across the whole width."""
    table: Optional[Facts] = None
    for number, attribute in enumerate(attributes):
        wide = wide_attribute(attribute)
        if wide is not None:
            if table is not None:
                yield table
                table = None
            if number > 0 and isinstance(attribute, mtoken.HeadingAttribute):
                yield Text()
            yield wide
            continue
        if table is None:
            table = Facts()
        table.add_row(line(attribute.label), value_text(attribute))
    if table is not None:
        yield table


def wide_attribute(attribute: mtoken.Attribute) -> Optional[RenderableType]:
    """An attribute that takes the whole width; None: it fits in a row."""
    if isinstance(attribute, mtoken.HeadingAttribute):
        return Heading(line(attribute.label, "bold"))
    if isinstance(attribute, mtoken.AlertAttribute):
        return alert(attribute.alert_type, attribute.title or attribute.label, attribute.message)
    return None


def alert(kind: mtoken.AlertType, title: Optional[str], message: Optional[str]) -> RenderableType:
    """A warning."""
    colour = ALERTS.get(kind, "blue")
    heading = line(f"{kind.name}: {title}" if title else kind.name, f"bold {colour}")
    return Card(text(message), heading, style=colour)


def value_text(attribute: mtoken.Attribute) -> Text:
    """The value of an attribute."""
    if isinstance(attribute, mtoken.AmountAttribute):
        return amount_text(attribute.amount, "bold")
    if isinstance(attribute, mtoken.AmountConversionAttribute):
        rate = Text("  the rate may still change", style="yellow") if attribute.dynamic else Text()
        return Text.assemble(amount_text(attribute.source, "bold"), " → ", amount_text(attribute.target, "bold"), rate)
    if isinstance(attribute, mtoken.KeyValueAttribute):
        return text(attribute.value)
    if isinstance(attribute, mtoken.NoteAttribute):
        return text(attribute.note, "italic")
    if isinstance(attribute, mtoken.PartyInfoAttribute):
        party = attribute.party
        lines = [text(party.name, "bold"), text(party.description), text(party.website_url, "blue")]
        return Text("\n").join(line for line in lines if line.plain)
    if isinstance(attribute, mtoken.ImageAttribute):
        return text(attribute.original_url or attribute.thumbnail_url, "blue")
    return text(attribute.json, "dim")


def amount_text(amount: mtoken.Amount, style: str = "") -> Text:
    """An amount as the bank writes it."""
    return text(meaning.money(amount), style)


def facts(operation: mtoken.Operation, now: Optional[datetime]) -> RenderableType:
    """What belongs to every operation: id, status, times, factors, and the data that the signature covers."""
    table = Facts()
    table.add_row("Id", Verbatim(text(operation.id, "cyan")))
    table.add_row("Type", text(operation.name))
    reason = f" ({operation.status_reason})" if operation.status_reason else ""
    table.add_row("Status", Text.assemble(status_text(operation), text(reason)))
    table.add_row("Created", Text(when(operation.created, seconds=True)))
    left = (
        f" ({remaining(operation.expires, now)})" if now and operation.status is mtoken.OperationStatus.PENDING else ""
    )
    table.add_row("Expires", Text(when(operation.expires, seconds=True) + left))
    table.add_row("Asks for", Text(meaning.factors(operation)))
    table.add_row("Signed data", Verbatim(text(operation.data)))
    for issue in operation.issues:
        table.add_row("Issue", text(issue, "yellow"))
    return table


# Screens


def pre_approval_screen(screen: mtoken.PreApprovalScreen) -> RenderableType:
    """A screen to be shown before approval."""
    colour = {mtoken.ScreenType.WARNING: "yellow", mtoken.ScreenType.QR_SCAN: "magenta"}.get(screen.type, "blue")
    parts: List[RenderableType] = [text(screen.message)]
    for element in screen.elements or ():
        if element.type is mtoken.ElementType.ALERT:
            parts.append(alert(mtoken.AlertType.WARNING, None, element.text))
        elif element.type is mtoken.ElementType.LIST_ITEM:
            parts.append(Text.assemble("  • ", line(element.text)))
        else:
            where = f" ({element.href})" if element.href else ""
            parts.append(Text.assemble("  ", line(f"[{element.text or element.id or element.type_text}]{where}")))
    return Card(Group(*parts), line(screen.heading, f"bold {colour}"), style=colour)


def post_approval_screen(screen: mtoken.PostApprovalScreen) -> RenderableType:
    """A screen to be shown after the approval."""
    parts: List[RenderableType] = [text(screen.message)] if screen.message else []
    parts += list(attribute_rows(screen.attributes))
    if screen.redirect_url:
        parts.append(text(f"{screen.redirect_text or 'Continue at'}: {screen.redirect_url}", "blue"))
    if screen.type is mtoken.PostScreenType.UNKNOWN and screen.payload:
        parts.append(text(screen.payload, "dim"))
    return Card(Group(*parts), line(screen.heading, "bold green"), style="green")
