// SPDX-License-Identifier: Apache-2.0
/** The library and the glue for 64-bit Linux. */
@SuppressWarnings("module")
module mtoken.linux.x86_64 {
    requires mtoken;

    provides mtoken.Carrier with mtoken.linux.x86_64.Carried;
}
