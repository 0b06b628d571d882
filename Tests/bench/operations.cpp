#include "operations.hpp"

#include <cstdio>

namespace {

const char *const attributes = R"([
{"type":"AMOUNT","id":"operation.amount","label":"Částka","amount":965165234082.23,"currency":"CZK","amountFormatted":"965 165 234 082,23","currencyFormatted":"Kč","valueFormatted":"965 165 234 082,23 Kč"},
{"type":"KEY_VALUE","id":"operation.account","label":"Na účet","value":"238400856/0300"},
{"type":"KEY_VALUE","id":"operation.dueDate","label":"Datum splatnosti","value":"29.6.2017"},
{"type":"NOTE","id":"operation.note","label":"Poznámka","note":"Utility Bill Payment - 05/2017"},
{"type":"HEADING","id":"operation.heading","label":"Podrobnosti","level":2},
{"type":"PARTY_INFO","id":"operation.partyInfo","label":"Obchodník","partyInfo":{"logoUrl":"https://example.com/logo/100x100.jpg","name":"Example Store","description":"Objevte více příběhů psaných s chutí","websiteUrl":"https://example.com/hello/vse-o-jidle"}},
{"type":"AMOUNT_CONVERSION","id":"operation.conversion","label":"Směna","dynamic":true,"sourceAmount":1.26,"sourceCurrency":"ETC","sourceAmountFormatted":"1.26","sourceCurrencyFormatted":"ETC","sourceValueFormatted":"1.26 ETC","targetAmount":1710.98,"targetCurrency":"USD","targetAmountFormatted":"1,710.98","targetCurrencyFormatted":"USD","targetValueFormatted":"1,710.98 USD"},
{"type":"IMAGE","id":"operation.image","label":"Obrázek","thumbnailUrl":"https://example.com/123_thumb.jpeg","originalUrl":"https://example.com/123.jpeg"},
{"type":"ALERT","id":"operation.warning","label":"Upozornění","alertType":"WARNING","title":"Important Warning","message":"This is a warning message with all attributes filled in."},
{"type":"STOCKS","id":"operation.stocks","label":"Cenné papíry","symbol":"XYZ","count":12}
])";

const char *const screens = R"("flipButtons":true,"blockApprovalOnCall":false,
"preApprovalScreen":{"type":"WARNING","heading":"Watch out!","message":"You may become a victim of an attack.","items":["You activate a new app and allow access to your accounts","Make sure the activation takes place on your device"],"approvalType":"SLIDER"},
"preApprovalScreens":[{"id":"id1","type":"WARNING","backButton":true,"image":"image-label","heading":"Watch out!","message":"You may become a victim of an attack.","elements":[{"id":"e1","type":"ALERT","style":"INFO","text":"Make sure the activation takes place on your device"},{"id":"e2","type":"BUTTON","action":"PHONE","actionSettings":"REJECT","text":"Call center","href":"+42012345678"},{"id":"e3","type":"LIST_ITEM","icon":"icon-label","style":"WARNING","text":"You activate a new app and allow access to your accounts"}],"controls":{"flip":true,"axis":"HORIZONTAL","decline":{"type":"REJECT","text":"Reject Payment"},"approve":{"type":"BUTTON","text":"Approve Payment","counter":10}}},{"id":"id2","type":"QR_SCAN","heading":"Screen 2","message":"Scan QR code"}],
"templates":{"list":{"style":"POSITIVE","header":"${operation.heading}","title":"${operation.partyInfo}","message":"${operation.account}","image":"operation.image"},"detail":{"style":"LARGE","showTitleAndMessage":true,"sections":[{"style":"MONEY","title":"operation.heading","cells":[{"name":"operation.amount","style":"CONVERSION","visibleTitle":true,"canCopy":false,"collapsable":"NO","centered":true},{"name":"operation.account","visibleTitle":true,"canCopy":true,"collapsable":"COLLAPSED","centered":false}]}]}})";

const char *const afterwards[] = {
    R"({"type":"REVIEW","heading":"Successful","message":"The operation was approved.","payload":{"attributes":[{"type":"NOTE","id":"1","label":"test label","note":"myNote"}]}})",
    R"({"type":"MERCHANT_REDIRECT","heading":"Redirect","message":"Redirecting...","payload":{"redirectText":"Click here","redirectUrl":"https://example.com","countdown":5}})",
    R"({"type":"GENERIC","heading":"Thank you for your order","message":"You may close the application now.","payload":{"nestedMessage":"See you next time.","integer":1,"array":["first","second"]}})",
};

std::string list(std::string (*operation)(int))
{
    std::string result = R"({"status":"OK","currentTimestamp":"2023-02-10T12:30:42+0000","responseObject":[)";
    for (int index = 0; index < 100; index++) {
        if (index) result += ",";
        result += operation(index);
    }
    return result + "]}";
}

std::string head(int index)
{
    char id[64];
    snprintf(id, sizeof id, "930febe7-f350-419a-8bc0-%012x", index);
    return std::string(R"({"id":")") + id +
           R"(","name":"authorize_payment","data":"A1*A100CZK*Q238400856/0300**D20170629*NUtility Bill Payment - 05/2017",)"
           R"("status":"PENDING","operationCreated":"2018-08-08T12:30:42+0000","operationExpires":"2018-08-08T12:35:43+0000",)"
           R"("allowedSignatureType":{"type":"2FA","variants":["possession_knowledge","possession_biometry"]},)"
           R"("formData":{"title":"Potvrzení platby","message":"Dobrý den, prosíme o potvrzení následující platby:",)";
}

// Servers write JSON without white space.
std::string compact(const char *text)
{
    std::string result;
    for (; *text; text++)
        if (*text != '\n') result += *text;
    return result;
}

} // namespace

std::string listWithAllMembers()
{
    return list([](int index) {
        return head(index) + R"("attributes":)" + compact(attributes) +
               R"(,"resultTexts":{"success":"Platba byla potvrzena","failure":"Platbu se nepodařilo potvrdit","reject":"Platba byla zamítnuta"}},)"
               R"("statusReason":"PAYMENT_WAITS","ui":{)" +
               compact(screens) + R"(,"postApprovalScreen":)" + afterwards[index % 3] + "}}";
    });
}

std::string typicalList()
{
    return list([](int index) {
        return head(index) +
               R"("attributes":[{"type":"AMOUNT","id":"operation.amount","label":"Částka","amount":100,"currency":"CZK","amountFormatted":"100,00","currencyFormatted":"Kč","valueFormatted":"100,00 Kč"},)"
               R"({"type":"KEY_VALUE","id":"operation.account","label":"Na účet","value":"238400856/0300"},)"
               R"({"type":"KEY_VALUE","id":"operation.dueDate","label":"Datum splatnosti","value":"29.6.2017"},)"
               R"({"type":"NOTE","id":"operation.note","label":"Poznámka","note":"Utility Bill Payment - 05/2017"}]}})";
    });
}
