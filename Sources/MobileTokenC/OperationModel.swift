// SPDX-License-Identifier: Apache-2.0
import CMToken
import MobileToken
import MobileTokenJSON
import MobileTokenModel

/// Operations in the form of the interface. Texts are not copied: they stay where the JSON reader has them, and the arena
/// keeps their document.
extension Arena {
    func put(_ list: OperationList) -> UnsafePointer<mtoken_operation_list> {
        let operations = list.operations
        return put(
            mtoken_operation_list(
                count: operations.count, operations: pointers(operations) { put($0) },
                skipped_count: list.skippedCount, has_server_time: list.currentTimestamp == nil ? 0 : 1,
                server_time: list.currentTimestamp ?? 0, issue_count: list.issues.count,
                issues: pointers(list.issues) { text($0.description) }, further_issue_count: list.furtherIssues,
                may_be_cut: list.mayBeCut ? 1 : 0))
    }

    func put(_ operation: UserOperation) -> UnsafePointer<mtoken_operation> {
        keep(operation.id.document)
        let signature = operation.allowedSignature
        let form = operation.formData
        let signed = operation.signedData
        return put(
            mtoken_operation(
                id: view(operation.id), name: view(operation.name), operation_data: view(operation.data),
                status: operation.status.hostValue, status_text: view(operation.rawStatus),
                status_reason: view(operation.statusReason), created: operation.created, expires: operation.expires,
                signature_type: signature.kind.hostValue, signature_type_text: view(signature.rawKind),
                variants: signature.variants.hostValue, unknown_variant_count: signature.unknownVariants.count,
                unknown_variants: pointers(signature.unknownVariants) { view($0) },
                allows_biometry: signature.isBiometryAllowed ? 1 : 0, title: view(form.title),
                message: view(form.message),
                attribute_count: form.attributes.count, attributes: pointers(form.attributes) { put($0) },
                result_success: view(form.resultTexts?.success), result_failure: view(form.resultTexts?.failure),
                result_reject: view(form.resultTexts?.reject), ui: operation.ui.map { put($0) },
                json: text(operation.json.raw), json_length: operation.json.raw.count,
                signed_fields: signed.map { data in operation.data.withBytes { put(fields(data, of: $0)) } },
                contradictions: operation.contradictions(with: signed).rawValue,
                issue_count: operation.issues.count, issues: pointers(operation.issues) { text($0.detail) },
                summary: text(operation.summary)))
    }

    func put(_ attribute: OperationAttribute) -> UnsafePointer<mtoken_attribute> {
        var result = mtoken_attribute()
        result.kind_text = view(attribute.rawType)
        result.id = view(attribute.id)
        result.label = view(attribute.label)
        result.is_dynamic = MTOKEN_UNSET.rawValue
        switch attribute.content {
        case .amount(let amount):
            result.kind = MTOKEN_ATTRIBUTE_AMOUNT.rawValue
            result.amount = put(amount)
        case .conversion(let conversion):
            result.kind = MTOKEN_ATTRIBUTE_AMOUNT_CONVERSION.rawValue
            result.amount = put(conversion.source)
            result.target = put(conversion.target)
            result.is_dynamic = conversion.isDynamic ? MTOKEN_YES.rawValue : MTOKEN_NO.rawValue
        case .keyValue(let value):
            result.kind = MTOKEN_ATTRIBUTE_KEY_VALUE.rawValue
            result.value = view(value)
        case .note(let note):
            result.kind = MTOKEN_ATTRIBUTE_NOTE.rawValue
            result.value = view(note)
        case .heading(let level):
            result.kind = MTOKEN_ATTRIBUTE_HEADING.rawValue
            result.heading_level = Int32(clamping: level ?? 0)
        case .partyInfo(let party):
            result.kind = MTOKEN_ATTRIBUTE_PARTY_INFO.rawValue
            result.party = put(
                mtoken_party(
                    logo_url: view(party.logoURL), name: view(party.name), description: view(party.info),
                    website_url: view(party.websiteURL)))
        case .image(let image):
            result.kind = MTOKEN_ATTRIBUTE_IMAGE.rawValue
            result.thumbnail_url = view(image.thumbnailURL)
            result.original_url = view(image.originalURL)
        case .alert(let alert):
            result.kind = MTOKEN_ATTRIBUTE_ALERT.rawValue
            result.alert_kind = alert.kind.hostValue
            result.alert_kind_text = view(alert.rawKind)
            result.alert_title = view(alert.title)
            result.alert_message = view(alert.message)
        case .unknown:
            result.kind = MTOKEN_ATTRIBUTE_UNKNOWN.rawValue
            result.json = text(attribute.json.raw)
        }
        return put(result)
    }

    private func put(_ amount: OperationAttribute.Amount) -> UnsafePointer<mtoken_amount> {
        let formatted: UnsafePointer<CChar>?
        let decimal = amount.amount.map { text($0.text) }
        switch amount.amountFormatted {
        case .sent(let text): formatted = view(text)
        case .made(let made): formatted = decimal ?? text(made)
        }
        return put(
            mtoken_amount(
                amount: decimal, currency: view(amount.currency), amount_formatted: formatted,
                currency_formatted: view(amount.currencyFormatted), value_formatted: view(amount.valueFormatted),
                value: amount.amount?.double ?? 0))
    }

    private func put(_ ui: OperationUI) -> UnsafePointer<mtoken_operation_ui> {
        put(
            mtoken_operation_ui(
                flip_buttons: hostValue(ui.flipButtons), block_approval_on_call: hostValue(ui.blockApprovalOnCall),
                has_pre_approval_screens: ui.preApprovalScreens == nil ? 0 : 1,
                pre_approval_screen_count: ui.preApprovalScreens?.count ?? 0,
                pre_approval_screens: pointers(ui.preApprovalScreens ?? []) { put($0) },
                legacy_pre_approval_screen: ui.legacyPreApprovalScreen.map { put($0) },
                post_approval_screen: ui.postApprovalScreen.map { put($0) }, templates: ui.templates.map { put($0) }))
    }

    private func put(_ screen: PreApprovalScreen) -> UnsafePointer<mtoken_pre_approval_screen> {
        put(
            mtoken_pre_approval_screen(
                kind: screen.kind.hostValue, kind_text: view(screen.rawKind), id: view(screen.id),
                heading: view(screen.heading), message: view(screen.message), back_button: hostValue(screen.backButton),
                image: view(screen.image), has_elements: screen.elements == nil ? 0 : 1,
                element_count: screen.elements?.count ?? 0, elements: pointers(screen.elements ?? []) { put($0) },
                controls: screen.controls.map { put($0) }))
    }

    private func put(_ element: PreApprovalElement) -> UnsafePointer<mtoken_screen_element> {
        var result = mtoken_screen_element()
        result.kind_text = view(element.rawType)
        result.id = view(element.id)
        result.text = view(element.text)
        result.style = view(element.rawStyle)
        switch element.content {
        case .listItem(let icon):
            result.kind = MTOKEN_ELEMENT_LIST_ITEM.rawValue
            result.icon = view(icon)
        case .alert:
            result.kind = MTOKEN_ELEMENT_ALERT.rawValue
        case .button(let button):
            result.kind = MTOKEN_ELEMENT_BUTTON.rawValue
            result.action = view(button.rawAction)
            result.action_settings = view(button.actionSettings)
            result.href = view(button.href)
        case .unknown:
            result.kind = MTOKEN_ELEMENT_UNKNOWN.rawValue
        }
        return put(result)
    }

    private func put(_ controls: PreApprovalControls) -> UnsafePointer<mtoken_screen_controls> {
        put(
            mtoken_screen_controls(
                flip: hostValue(controls.flip), axis: view(controls.rawAxis),
                decline_kind: view(controls.decline?.rawKind),
                decline_text: view(controls.decline?.text), approve_kind: view(controls.approve?.rawKind),
                approve_text: view(controls.approve?.text),
                approve_counter_s: controls.approve?.counter.map { Int32(clamping: $0) } ?? MTOKEN_UNSET.rawValue))
    }

    private func put(_ screen: LegacyPreApprovalScreen) -> UnsafePointer<mtoken_legacy_screen> {
        put(
            mtoken_legacy_screen(
                kind: screen.kind.hostValue, kind_text: view(screen.rawKind), heading: view(screen.heading),
                message: view(screen.message), has_items: screen.items == nil ? 0 : 1,
                item_count: screen.items?.count ?? 0,
                items: pointers(screen.items ?? []) { view($0) }, approval_kind_text: view(screen.rawApproval)))
    }

    private func put(_ screen: PostApprovalScreen) -> UnsafePointer<mtoken_post_approval_screen> {
        var result = mtoken_post_approval_screen()
        result.kind_text = view(screen.rawType)
        result.heading = view(screen.heading)
        result.message = view(screen.message)
        switch screen.content {
        case .review(let attributes):
            result.kind = MTOKEN_POST_SCREEN_REVIEW.rawValue
            result.attribute_count = attributes.count
            result.attributes = pointers(attributes) { put($0) }
        case .redirect(let redirect):
            result.kind = MTOKEN_POST_SCREEN_MERCHANT_REDIRECT.rawValue
            result.redirect_text = view(redirect.text)
            result.redirect_url = view(redirect.url)
            result.countdown_s = Int32(clamping: redirect.countdown)
        case .generic(let payload):
            result.kind = MTOKEN_POST_SCREEN_GENERIC.rawValue
            result.payload = payload.map { text($0.raw) }
        case .unknown(let payload):
            result.kind = MTOKEN_POST_SCREEN_UNKNOWN.rawValue
            result.payload = payload.map { text($0.raw) }
        }
        return put(result)
    }

    private func put(_ templates: OperationTemplates) -> UnsafePointer<mtoken_templates> {
        let (list, detail) = (templates.list, templates.detail)
        return put(
            mtoken_templates(
                has_list: list == nil ? 0 : 1, list_style: view(list?.style), list_header: view(list?.header),
                list_title: view(list?.title), list_message: view(list?.message), list_image: view(list?.image),
                has_detail: detail == nil ? 0 : 1, detail_style: view(detail?.style),
                show_title_and_message: hostValue(detail?.showTitleAndMessage),
                has_sections: detail?.sections == nil ? 0 : 1, section_count: detail?.sections?.count ?? 0,
                sections: pointers(detail?.sections ?? []) { put($0) }))
    }

    private func put(_ section: OperationTemplates.Section) -> UnsafePointer<mtoken_template_section> {
        put(
            mtoken_template_section(
                style: view(section.style), title: view(section.title), has_cells: section.cells == nil ? 0 : 1,
                cell_count: section.cells?.count ?? 0, cells: pointers(section.cells ?? []) { put($0) }))
    }

    func put(_ cell: OperationTemplates.Cell) -> UnsafePointer<mtoken_template_cell> {
        put(
            mtoken_template_cell(
                name: view(cell.name), style: view(cell.style), visible_title: hostValue(cell.visibleTitle),
                can_copy: hostValue(cell.canCopy), collapsable: cell.collapsable.map { cString($0.name) },
                is_centered: hostValue(cell.centered)))
    }

    // MARK: Parts

    /// A text where the JSON reader has it.
    func view(_ text: JSONText) -> UnsafePointer<CChar> {
        UnsafeRawPointer(text.base).assumingMemoryBound(to: CChar.self)
    }

    func view(_ text: JSONText?) -> UnsafePointer<CChar>? { text.map { view($0) } }

    /// A copy of a text.
    func text(_ text: JSONText?) -> UnsafePointer<CChar>? { text.map { $0.withBytes { self.text($0) } } }
}

func hostValue(_ value: Bool?) -> Int32 {
    switch value {
    case true?: MTOKEN_YES.rawValue
    case false?: MTOKEN_NO.rawValue
    case nil: MTOKEN_UNSET.rawValue
    }
}

extension OperationStatus {
    fileprivate var hostValue: Int32 {
        switch self {
        case .pending: MTOKEN_OPERATION_PENDING.rawValue
        case .approved: MTOKEN_OPERATION_APPROVED.rawValue
        case .rejected: MTOKEN_OPERATION_REJECTED.rawValue
        case .canceled: MTOKEN_OPERATION_CANCELED.rawValue
        case .expired: MTOKEN_OPERATION_EXPIRED.rawValue
        case .failed: MTOKEN_OPERATION_FAILED.rawValue
        case .unknown: MTOKEN_OPERATION_UNKNOWN.rawValue
        }
    }
}

extension AllowedSignature.Kind {
    fileprivate var hostValue: Int32 {
        switch self {
        case .oneFactor: MTOKEN_SIGNATURE_TYPE_1FA.rawValue
        case .twoFactor: MTOKEN_SIGNATURE_TYPE_2FA.rawValue
        case .ecdsa: MTOKEN_SIGNATURE_TYPE_ECDSA.rawValue
        case .unknown: MTOKEN_SIGNATURE_TYPE_UNKNOWN.rawValue
        }
    }
}

extension AllowedSignature.Variants {
    fileprivate var hostValue: Int32 {
        (contains(.possession) ? MTOKEN_VARIANT_POSSESSION.rawValue : 0)
            | (contains(.possessionKnowledge) ? MTOKEN_VARIANT_POSSESSION_KNOWLEDGE.rawValue : 0)
            | (contains(.possessionBiometry) ? MTOKEN_VARIANT_POSSESSION_BIOMETRY.rawValue : 0)
    }
}

extension OperationAttribute.Alert.Kind {
    fileprivate var hostValue: Int32 {
        switch self {
        case .info: MTOKEN_ALERT_INFO.rawValue
        case .success: MTOKEN_ALERT_SUCCESS.rawValue
        case .warning: MTOKEN_ALERT_WARNING.rawValue
        case .error: MTOKEN_ALERT_ERROR.rawValue
        }
    }
}

extension PreApprovalScreen.Kind {
    fileprivate var hostValue: Int32 {
        switch self {
        case .warning: MTOKEN_SCREEN_WARNING.rawValue
        case .info: MTOKEN_SCREEN_INFO.rawValue
        case .qrScan: MTOKEN_SCREEN_QR_SCAN.rawValue
        case .unknown: MTOKEN_SCREEN_UNKNOWN.rawValue
        }
    }
}

extension OperationTemplates.Cell.Collapsable {
    fileprivate var name: StaticString {
        switch self {
        case .no: "NO"
        case .collapsed: "COLLAPSED"
        case .yes: "YES"
        case .unknown: "UNKNOWN"
        }
    }
}
