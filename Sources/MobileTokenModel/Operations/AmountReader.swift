// SPDX-License-Identifier: Apache-2.0
import MobileTokenJSON

/// Reads the amounts of one attribute.
struct AmountReader {
    /// The names of the members of an amount.
    struct Names {
        let amount: StaticString
        let currency: StaticString
        let amountFormatted: StaticString
        let currencyFormatted: StaticString
        let valueFormatted: StaticString

        static var plain: Names {
            Names(
                amount: "amount", currency: "currency", amountFormatted: "amountFormatted",
                currencyFormatted: "currencyFormatted", valueFormatted: "valueFormatted")
        }

        static var source: Names {
            Names(
                amount: "sourceAmount", currency: "sourceCurrency", amountFormatted: "sourceAmountFormatted",
                currencyFormatted: "sourceCurrencyFormatted", valueFormatted: "sourceValueFormatted")
        }

        package static var target: Names {
            Names(
                amount: "targetAmount", currency: "targetCurrency", amountFormatted: "targetAmountFormatted",
                currencyFormatted: "targetCurrencyFormatted", valueFormatted: "targetValueFormatted")
        }
    }

    let node: JSONNode
    /// The attribute's position.
    let index: Int

    /// - Throws: a fault if there is nothing to show as the amount or as the currency.
    func amount(_ names: Names, _ decoder: inout ModelDecoder) throws(ModelFault) -> OperationAttribute.Amount {
        let amount = decimal(names.amount)
        let currency = decoder.text(node, names.currency)
        let amountFormatted: DisplayText
        if let sent = decoder.text(node, names.amountFormatted), !sent.isEmpty {
            amountFormatted = .sent(sent)
        } else if let amount {
            amountFormatted = .made(amount.text)
        } else {
            throw ModelFault(names.amountFormatted, .missing)
        }
        guard let currencyFormatted = nonEmpty(decoder.text(node, names.currencyFormatted)) ?? nonEmpty(currency) else {
            throw ModelFault(names.currencyFormatted, .missing)
        }
        if let member = node[names.amount],
            let fault = ModelDecoder.fault(ofNumber: member, amount, names.amount)
        {
            decoder.report(.attribute, at: index, fault)
        }
        return OperationAttribute.Amount(
            amount: amount, currency: currency, amountFormatted: amountFormatted, currencyFormatted: currencyFormatted,
            valueFormatted: decoder.text(node, names.valueFormatted))
    }

    private func nonEmpty(_ text: JSONText?) -> JSONText? {
        guard let text, !text.isEmpty else { return nil }
        return text
    }

    private func decimal(_ name: StaticString) -> DecimalAmount? {
        guard let member = node[name] else { return nil }
        switch member.kind {
        case .integer:
            return member.int64.map { DecimalAmount($0) }
        case .real:
            guard let lexeme = member.number, let double = member.double else { return nil }
            return DecimalAmount(lexeme, double: double)
        default:
            return nil
        }
    }
}
