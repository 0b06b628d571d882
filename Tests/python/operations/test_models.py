"""Every member of an operation that the server may send: attributes, screens, templates."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import mtoken
import pytest
from conftest import Device
from devserver import SHOWCASE


def attribute(device: Device, **members: Any) -> mtoken.Attribute:
    """One attribute as the server sends it."""
    form = {"title": "Title", "message": "", "attributes": [{"id": "a", "label": "Label", **members}]}
    operation = device.new_operation(name="raw", data="A1", formData=form)
    assert device.client.operations.list().issues == ()
    only = operation.attributes[0]
    assert (only.id, only.label, only.type_text) == ("a", "Label", members["type"])
    return only


def test_every_kind_of_the_showcase(device: Device) -> None:
    operation = device.new_operation(template="showcase", parameters=SHOWCASE)
    kinds = [item.type for item in operation.attributes]
    assert kinds == [
        mtoken.AttributeType.HEADING,
        mtoken.AttributeType.AMOUNT,
        mtoken.AttributeType.KEY_VALUE,
        mtoken.AttributeType.NOTE,
        mtoken.AttributeType.AMOUNT_CONVERSION,
        mtoken.AttributeType.PARTY_INFO,
        mtoken.AttributeType.IMAGE,
        mtoken.AttributeType.ALERT,
    ]
    heading, amount, key_value, note, conversion, party, image, alert = operation.attributes
    assert isinstance(heading, mtoken.HeadingAttribute) and (heading.label, heading.level) == ("Transfer", 2)
    assert isinstance(amount, mtoken.AmountAttribute)
    assert amount.amount == mtoken.Amount(Decimal("1250.5"), "EUR", "1,250.50", "€", "€1,250.50")
    assert isinstance(key_value, mtoken.KeyValueAttribute) and key_value.value == SHOWCASE["iban"]
    assert isinstance(note, mtoken.NoteAttribute) and note.note == "Rent for May"
    assert isinstance(conversion, mtoken.AmountConversionAttribute) and conversion.dynamic
    assert (conversion.source.amount, conversion.source.currency) == (Decimal("1250.5"), "EUR")
    assert (conversion.target.amount, conversion.target.currency) == (Decimal("31262.5"), "CZK")
    assert isinstance(party, mtoken.PartyInfoAttribute)
    assert party.party == mtoken.Party(
        "https://example.com/logo.png", "Town Hall", "City of Brno", "https://example.com"
    )
    assert isinstance(image, mtoken.ImageAttribute)
    assert (image.thumbnail_url, image.original_url) == (SHOWCASE["thumbnailUrl"], SHOWCASE["originalUrl"])
    assert isinstance(alert, mtoken.AlertAttribute)
    assert (alert.alert_type, alert.alert_type_text) == (mtoken.AlertType.WARNING, "WARNING")
    assert (alert.title, alert.message) == (SHOWCASE["alertTitle"], SHOWCASE["alertMessage"])


def test_ui_of_the_showcase(device: Device) -> None:
    ui = device.new_operation(template="showcase", parameters=SHOWCASE).ui
    assert ui is not None
    assert (ui.flip_buttons, ui.block_approval_on_call) == (True, False)
    assert ui.legacy_pre_approval_screen is not None
    assert ui.legacy_pre_approval_screen.items == ("You pay 1250.50 EUR", "You know the recipient")
    assert ui.legacy_pre_approval_screen.approval_type_text == "SLIDER"
    assert ui.pre_approval_screens is not None and len(ui.pre_approval_screens) == 1
    screen = ui.pre_approval_screens[0]
    assert (screen.type, screen.heading) == (mtoken.ScreenType.WARNING, "Watch out!")
    assert screen.image == "fallback_image" and screen.id is None
    assert screen.elements is not None
    assert [(element.type, element.text, element.icon) for element in screen.elements] == [
        (mtoken.ElementType.LIST_ITEM, "You pay 1250.50 EUR", "fallback_icon"),
        (mtoken.ElementType.LIST_ITEM, "You know the recipient", "fallback_icon"),
    ]
    assert screen.controls is not None
    assert (screen.controls.flip, screen.controls.decline_type) == (True, "BACK")
    assert screen.controls.approve_type == "SLIDER"
    post = ui.post_approval_screen
    assert post is not None and post.type is mtoken.PostScreenType.MERCHANT_REDIRECT
    assert (post.redirect_url, post.countdown) == ("https://www.example.com/order", 5)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0, "0"),
        (100, "100"),
        (-1.5, "-1.5"),
        (965165234082.23, "965165234082.23"),
        (0.1, "0.1"),
        (1e21, "1e21"),
        (123456789012345678, "123456789012345678"),
    ],
)
def test_amounts_are_exact(device: Device, number: Any, expected: str) -> None:
    item = attribute(device, type="AMOUNT", amount=number, currency="CZK")
    assert isinstance(item, mtoken.AmountAttribute)
    assert item.amount.amount == Decimal(expected)
    assert item.amount.amount_formatted and item.amount.currency_formatted == "CZK"


def test_an_attribute_of_a_later_server(device: Device) -> None:
    item = attribute(device, type="HOLOGRAM", depth=3)
    assert type(item) is mtoken.Attribute and item.type is mtoken.AttributeType.UNKNOWN
    assert json.loads(item.json or "") == {"id": "a", "label": "Label", "type": "HOLOGRAM", "depth": 3}


def ui_of(device: Device, ui: Any) -> mtoken.OperationUI | None:
    return device.new_operation(extraMembers={"ui": ui}).ui


def test_pre_approval_screens(device: Device) -> None:
    ui = ui_of(
        device,
        {
            "preApprovalScreens": [
                {
                    "id": "scam",
                    "type": "WARNING",
                    "heading": "Heading",
                    "message": "Message",
                    "image": "image.png",
                    "backButton": False,
                    "elements": [
                        {"type": "LIST_ITEM", "id": "e1", "text": "Item", "icon": "icon", "style": "DANGER"},
                        {"type": "ALERT", "text": "Alert", "style": "INFO"},
                        {"type": "BUTTON", "action": "PHONE", "actionSettings": "REJECT", "href": "tel:123"},
                        {"type": "SPARKLES", "id": "e4", "text": "New"},
                    ],
                    "controls": {
                        "flip": True,
                        "axis": "VERTICAL",
                        "decline": {"type": "REJECT", "text": "No"},
                        "approve": {"type": "BUTTON", "text": "Yes", "counter": 10},
                    },
                },
                {"type": "NEW_TYPE", "heading": "H", "message": "M", "elements": []},
            ]
        },
    )
    assert ui is not None and ui.pre_approval_screens is not None and ui.legacy_pre_approval_screen is None
    first, second = ui.pre_approval_screens
    assert (first.id, first.type, first.image, first.back_button) == (
        "scam",
        mtoken.ScreenType.WARNING,
        "image.png",
        False,
    )
    assert first.elements is not None
    item, alert, button, unknown = first.elements
    assert (item.type, item.id, item.text, item.icon, item.style) == (
        mtoken.ElementType.LIST_ITEM,
        "e1",
        "Item",
        "icon",
        "DANGER",
    )
    assert (alert.type, alert.style, alert.id) == (mtoken.ElementType.ALERT, "INFO", None)
    assert (button.action, button.action_settings, button.href) == ("PHONE", "REJECT", "tel:123")
    assert (unknown.type, unknown.type_text) == (mtoken.ElementType.UNKNOWN, "SPARKLES")
    assert first.controls == mtoken.ScreenControls(True, "VERTICAL", "REJECT", "No", "BUTTON", "Yes", 10)
    assert (second.type, second.type_text) == (mtoken.ScreenType.UNKNOWN, "NEW_TYPE")
    assert second.elements == () and second.controls is None and second.back_button is None


def test_post_approval_screens(device: Device) -> None:
    review = {"type": "KEY_VALUE", "id": "v", "label": "V", "value": "1"}
    ui = ui_of(
        device,
        {"postApprovalScreen": {"type": "REVIEW", "heading": "H", "message": "M", "payload": {"attributes": [review]}}},
    )
    assert ui is not None and ui.post_approval_screen is not None
    screen = ui.post_approval_screen
    assert screen.type is mtoken.PostScreenType.REVIEW
    assert [item.id for item in screen.attributes] == ["v"]
    for kind, expected in (("GENERIC", mtoken.PostScreenType.GENERIC), ("NEW", mtoken.PostScreenType.UNKNOWN)):
        ui = ui_of(
            device, {"postApprovalScreen": {"type": kind, "heading": "H", "message": "M", "payload": {"any": [1]}}}
        )
        assert ui is not None and ui.post_approval_screen is not None
        assert ui.post_approval_screen.type is expected
        assert json.loads(ui.post_approval_screen.payload or "") == {"any": [1]}


def test_templates(device: Device) -> None:
    ui = ui_of(
        device,
        {
            "templates": {
                "list": {"style": "S", "header": "${a}", "title": "T", "message": "M", "image": "img"},
                "detail": {
                    "style": "D",
                    "showTitleAndMessage": False,
                    "sections": [
                        {
                            "style": "X",
                            "title": "heading",
                            "cells": [
                                {
                                    "name": "a",
                                    "style": "BIG",
                                    "visibleTitle": True,
                                    "canCopy": False,
                                    "collapsable": "YES",
                                    "centered": True,
                                },
                                {"style": "a cell without a name"},
                            ],
                        },
                        {"cells": "none"},
                    ],
                },
            }
        },
    )
    assert ui is not None and ui.templates is not None
    assert ui.templates.list == mtoken.ListTemplate("S", "${a}", "T", "M", "img")
    detail = ui.templates.detail
    assert detail is not None and (detail.style, detail.show_title_and_message) == ("D", False)
    assert detail.sections is not None
    assert detail.sections[0].cells == (mtoken.TemplateCell("a", "BIG", True, False, "YES", True),)
    assert detail.sections[1].cells is None
