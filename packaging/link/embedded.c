/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What Swift 6.3.1's Embedded runtime has wrong, in its place: these symbols are strong, those of the modules weak. The
 * compiler is promised that swift_bridgeObjectRetain returns what it was given; that of 6.3.1 returns it without its
 * tag bits (swiftlang/swift#91151 mends it). Tests/linkage.py checks that these are linked, and says when they may go.
 */
#include <stdint.h>

void *swift_retain(void *object);
void *swift_retain_n(void *object, uint32_t count);
void *swift_bridgeObjectRetain(void *object);
void *swift_bridgeObjectRetain_n(void *object, uint32_t count);

#define UNTAGGED(object) ((void *)((uintptr_t)(object)&0x8ffffffffffffff8))

void *swift_bridgeObjectRetain(void *object)
{
    swift_retain(UNTAGGED(object));
    return object;
}

void *swift_bridgeObjectRetain_n(void *object, uint32_t count)
{
    swift_retain_n(UNTAGGED(object), count);
    return object;
}
