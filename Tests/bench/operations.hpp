// Replies to a call for the list of operations.
#pragma once

#include <mtoken.h>

#include <string>

// 100 operations with every member that an operation can have: all kinds of attributes, result texts, screens and
// templates.
std::string listWithAllMembers();

// 100 operations as banks send most of them: a payment with four attributes.
std::string typicalList();

// Reads each field of each operation of a list, every text to its end.
void readAll(const mtoken_operation_list *list);
