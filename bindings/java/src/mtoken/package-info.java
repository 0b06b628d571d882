// SPDX-License-Identifier: Apache-2.0
/**
 * A mobile token: it activates a device against a PowerAuth server, lists, approves and rejects operations, and authorises offline.
 *
 * <p>Begin with {@link mtoken.MTokenRuntime}, {@link mtoken.Store} and {@link mtoken.Client}. Functions
 * without an object are in {@link mtoken.MToken}. Each method names the function of C that it calls, whose
 * comment in the header describes it.
 */
package mtoken;
