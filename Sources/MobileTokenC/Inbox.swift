// SPDX-License-Identifier: Apache-2.0
// The header documents these functions.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CMToken
import MobileToken
import MobileTokenJSON
import MobileTokenModel

extension Arena {
    func put(_ page: InboxPage) -> UnsafePointer<mtoken_inbox_list> {
        put(
            mtoken_inbox_list(
                count: page.messages.count, messages: pointers(page.messages) { put($0) },
                skipped_count: page.skippedCount,
                may_have_more: page.isCut ? 1 : 0))
    }

    func put(_ message: InboxMessage) -> UnsafePointer<mtoken_inbox_message> {
        keep(message.id.document)
        let type =
            switch message.kind {
            case .text: MTOKEN_INBOX_TEXT.rawValue
            case .html: MTOKEN_INBOX_HTML.rawValue
            case .unknown: MTOKEN_INBOX_UNKNOWN.rawValue
            }
        return put(
            mtoken_inbox_message(
                id: view(message.id), subject: view(message.subject), summary: view(message.summary),
                body: view(message.body), format: type, format_text: view(message.rawKind),
                is_read: message.isRead ? 1 : 0,
                created: message.created))
    }
}

@_cdecl("mtoken_inbox_count") @implementation
public func mtoken_inbox_count(
    _ client: OpaquePointer!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in try client.inbox.count(task: task) }
    }
}

@_cdecl("mtoken_task_inbox_count") @implementation
public func mtoken_task_inbox_count(_ task: OpaquePointer!) -> Int64 {
    guard case .count(let count) = Handles.tasks[task]?.task.result else { return -1 }
    return count
}

@_cdecl("mtoken_inbox_list_page") @implementation
public func mtoken_inbox_list_page(
    _ client: OpaquePointer!, _ page: Int32, _ page_size: Int32, _ only_unread: Int32,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.inbox.list(
                page: page, size: page_size, onlyUnread: try Input.flag(only_unread, "only_unread"), task: task)
        }
    }
}

@_cdecl("mtoken_inbox_list_all") @implementation
public func mtoken_inbox_list_all(
    _ client: OpaquePointer!, _ page_size: Int32, _ limit: Int32, _ only_unread: Int32,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.inbox.listAll(
                pageSize: Input.given(page_size), limit: limit,
                onlyUnread: try Input.flag(only_unread, "only_unread"), task: task)
        }
    }
}

@_cdecl("mtoken_task_inbox_list") @implementation
public func mtoken_task_inbox_list(_ task: OpaquePointer!) -> UnsafePointer<mtoken_inbox_list>! {
    result(of: task, { $0.page }, { $0.put($1) })
}

@_cdecl("mtoken_inbox_detail") @implementation
public func mtoken_inbox_detail(
    _ client: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_length: Int,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.inbox.message(id: try Input.text(id, id_length, "id"), task: task)
        }
    }
}

@_cdecl("mtoken_task_inbox_message") @implementation
public func mtoken_task_inbox_message(_ task: OpaquePointer!) -> UnsafePointer<mtoken_inbox_message>! {
    result(of: task, { $0.message }, { $0.put($1) })
}

@_cdecl("mtoken_inbox_mark_read") @implementation
public func mtoken_inbox_mark_read(
    _ client: OpaquePointer!, _ id: UnsafePointer<CChar>!, _ id_length: Int,
    _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in
            try client.inbox.markRead(id: try Input.text(id, id_length, "id"), task: task)
        }
    }
}

@_cdecl("mtoken_inbox_mark_all_read") @implementation
public func mtoken_inbox_mark_all_read(
    _ client: OpaquePointer!, _ out_task: UnsafeMutablePointer<OpaquePointer?>!,
    _ out_error: ErrorOut!
) -> mtoken_status {
    report(out_error) { () throws(Failure) in
        try startTask(client, out_task) { (client, task) throws(Failure) in try client.inbox.markAllRead(task: task) }
    }
}
