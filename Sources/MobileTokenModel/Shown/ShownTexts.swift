// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// The texts that an app displays before the decision on an operation, beside the signed data.
struct ShownComparison {
    private var amounts: AmountComparison
    private var accounts: [(account: SignedAccount, bic: UnsafeRawBufferPointer, isShown: Bool)] = []
    /// An unsigned account is displayed; and the rows in which only a person's account may be displayed.
    private var (showsOther, showsOtherRow) = (false, false)
    private var faults: Contradictions = []
    /// How much may still be shown.
    private var budget = ShownComparison.longest

    /// The longest that all texts of an operation are together, in bytes, and a few for each of them.
    private static let longest = 16_384
    /// Text beyond this counts as not displayed. A line counts as 64 bytes.
    private static let farthest = 4_096

    init(_ text: UnsafeRawBufferPointer, _ signed: OperationData) {
        amounts = AmountComparison(text, signed)
        for index in 0..<signed.fieldCount {
            let field = signed[index]
            guard field.kind == .account || field.kind == .anyAccount else { continue }
            let account = SignedAccount(text.part(field.value), field.holdsBackslash ? .escaped : .plain)
            guard !account.isEmpty else { continue }
            accounts.append((account, text.part(field.kind == .account ? field.addition : 0..<0), isShown: false))
        }
    }

    /// - Parameter mustShow: whether what is signed must also be shown
    func result(mustShow: Bool = true) -> Contradictions {
        var result = faults.union(amounts.result)
        if accounts.contains(where: { !$0.isShown }) {
            result.insert(showsOther || showsOtherRow ? .account : .accountHidden)
        }
        if showsOther { result.insert(.account) }
        return mustShow ? result : result.subtracting([.amountHidden, .accountHidden])
    }

    mutating func add(_ operation: UserOperation) {
        let (form, templates) = (operation.formData, operation.ui?.templates)
        let detail = templates?.detail
        let hidesHead = detail?.sections != nil && detail?.showTitleAndMessage == false
        add(form.title, isVisible: !hidesHead)
        add(form.message, isVisible: !hidesHead)
        let layout = RowLayout(form.attributes, detail)
        for (place, attribute) in form.attributes.enumerated() {
            guard budget >= 0 else { break }
            add(attribute, isVisible: !layout.isFolded(place), showsLabel: !layout.hidesLabel(place))
        }
        // In a list of operations, before the form is seen.
        guard budget >= 0, templates?.list != nil else { return }
        let list = OperationVisual.List(operation)
        for text in [list.header, list.title, list.message] {
            guard var text else { continue }
            text.withUTF8 { add(UnsafeRawBufferPointer($0), isVisible: false) }
        }
    }

    private mutating func add(_ row: OperationAttribute, isVisible: Bool, showsLabel: Bool) {
        switch row.content {
        case .amount(let amount):
            add(row.label, isVisible: isVisible && showsLabel)
            amounts.add(amount, isVisible: isVisible)
        case .conversion(let conversion):
            add(row.label, isVisible: isVisible && showsLabel)
            amounts.add(conversion, isVisible: isVisible)
        case .keyValue(let text), .note(let text):
            let isAccount = text.withBytes { isVisible ? add(value: $0) : false }
            add(row.label, text, isVisible: isVisible && showsLabel, shows: false, isAccount: isAccount)
        case .heading: add(row.label, isVisible: isVisible)
        case .partyInfo(let party): add(row.label, party.name, party.info, isVisible: isVisible)
        case .alert(let alert): add(row.label, alert.title, alert.message, isVisible: isVisible)
        case .image, .unknown: add(row.label, isVisible: false)
        }
    }

    /// A row's value: one that is a signed amount or account and nothing else shows it.
    ///
    /// - Returns: whether it is an account and nothing else
    private mutating func add(value: UnsafeRawBufferPointer) -> Bool {
        guard value.count <= 128 else { return false }
        amounts.add(value: value)
        var isAccount = false
        for index in accounts.indices {
            let account = SignedAccount(row: value, bic: accounts[index].bic)
            if account.isSame(accounts[index].account) {
                accounts[index].isShown = true
                return true
            }
            isAccount = isAccount || account.isRecognised
        }
        if isAccount { showsOtherRow = true }
        return isAccount
    }

    /// A text alone.
    mutating func add(_ text: UnsafeRawBufferPointer, isVisible: Bool) {
        var lines = FoldedText.Lines()
        lines.add(text)
        add(lines, isVisible: isVisible)
    }

    private mutating func add(
        _ first: JSONText?, _ second: JSONText? = nil, _ third: JSONText? = nil, isVisible: Bool, shows: Bool = true,
        isAccount: Bool = false
    ) {
        var lines = FoldedText.Lines()
        lines.add(first)
        lines.add(second)
        lines.add(third)
        add(lines, isVisible: isVisible, shows: shows, isAccount: isAccount)
    }

    /// Texts that are read together.
    ///
    /// - Parameters:
    ///   - shows: whether an amount or an account among words counts as shown
    ///   - isAccount: whether the last one is an account and nothing else
    private mutating func add(
        _ texts: FoldedText.Lines, isVisible: Bool, shows: Bool = true, isAccount: Bool = false
    ) {
        budget &-= texts.length &+ 16 &* texts.count
        guard budget >= 0 else {
            faults.insert(.tooLong)
            return
        }
        FoldedText.with(texts) { folded in
            let mayHoldNumber = folded.mayHoldNumber
            let shows = shows && texts.cost <= Self.farthest
            amounts.add(folded, mayHoldNumber: mayHoldNumber, shows: shows, isVisible: isVisible)
            guard !accounts.isEmpty, !isAccount, mayHoldNumber else { return }
            SignedAccount.forEach(in: folded.bytes) { account, hidesSomething in
                if let index = accounts.firstIndex(where: { $0.account.isSame(account) }) {
                    if shows, isVisible, !folded.isTurned, !hidesSomething { accounts[index].isShown = true }
                } else if !showsOther, !amounts.hasSigned(account) {
                    showsOther = true
                }
            }
        }
    }
}

/// Which rows of a form the layout of the bank does not show as a whole (operations.md §6.5).
private struct RowLayout {
    private var foldedRows: [Bool] = []
    private var labels: [Bool] = []

    init(_ attributes: [OperationAttribute], _ detail: OperationTemplates.Detail?) {
        guard let sections = detail?.sections, !attributes.isEmpty else { return }
        foldedRows = [Bool](repeating: false, count: attributes.count)
        labels = foldedRows
        var pool = AttributePool(attributes, isIndexed: true)
        for section in sections {
            if let title = section.title { _ = pool.takeTitle(title) }
            for cell in section.cells ?? [] {
                guard let place = pool.takePlace(cell.name) else { continue }
                foldedRows[place] = cell.collapsable == .collapsed || cell.collapsable == .unknown
                labels[place] = cell.visibleTitle == false
            }
        }
    }

    /// Whether a row's value is not seen at first.
    func isFolded(_ place: Int) -> Bool { place < foldedRows.count && foldedRows[place] }

    /// Whether a row's label is not shown.
    func hidesLabel(_ place: Int) -> Bool { place < labels.count && labels[place] }
}
