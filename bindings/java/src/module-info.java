// SPDX-License-Identifier: Apache-2.0
/** A mobile token: activation, operations and their approval (PowerAuth), on libmtoken. */
module mtoken {
    requires static com.fasterxml.jackson.annotation;
    requires static org.jetbrains.annotations;

    exports mtoken;

    uses mtoken.Carrier;
}
