// SPDX-License-Identifier: Apache-2.0
package mtoken;

import org.jetbrains.annotations.NotNull;

/** Why a call failed: what happened, to which thing, and what to do. Its nested classes are the families. */
@SuppressWarnings("exports")
public class MTokenException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Everything that is known. */
    private final ErrorDetails details;

    private MTokenException(ErrorDetails details) {
        super(told(details));
        this.details = details;
    }

    private static String told(ErrorDetails details) {
        String place = details.byteOffset() < 0 ? "" : ", line " + details.line() + ", byte " + details.byteOffset();
        return details.code() + " (" + details.reason() + ")" + place + ": " + details.message();
    }

    /** {@return everything that is known} */
    public @NotNull ErrorDetails details() {
        return details;
    }

    /** {@return what kind of failure} */
    public @NotNull ErrorCode code() {
        return details.code();
    }

    /** {@return the reason, stable and for programs, for example "operations_alreadyFinished"} */
    public @NotNull String reason() {
        return details.reason();
    }

    /** {@return whether the server may have acted} */
    public @NotNull Outcome outcome() {
        return details.outcome();
    }

    /** {@return whether the same call may succeed later, and repeating it is safe} */
    public boolean isRetriable() {
        return details.isRetriable();
    }

    /** {@return whether nothing more can be done with the operation} */
    public boolean isOperationOver() {
        return details.isOperationOver();
    }

    /** The program called wrongly: ARGUMENT, HANDLE, CONFIGURATION. */
    public static final class Usage extends MTokenException {
        private static final long serialVersionUID = 1;

        Usage(ErrorDetails details) {
            super(details);
        }
    }

    /** The activation, or the object, is not in a state for it: STATE, NOT_ACTIVATED, PENDING, BLOCKED, REMOVED and the like. */
    public static final class State extends MTokenException {
        private static final long serialVersionUID = 1;

        State(ErrorDetails details) {
            super(details);
        }
    }

    /** The call was cancelled, or its runtime or client closed. */
    public static final class Cancelled extends MTokenException {
        private static final long serialVersionUID = 1;

        Cancelled(ErrorDetails details) {
            super(details);
        }
    }

    /** The way to the server: NETWORK, TIMEOUT, TLS, PIN_MISMATCH, HTTP. */
    public static final class Network extends MTokenException {
        private static final long serialVersionUID = 1;

        Network(ErrorDetails details) {
            super(details);
        }
    }

    /** The server refused: SERVER, AUTHENTICATION. */
    public static final class Server extends MTokenException {
        private static final long serialVersionUID = 1;

        Server(ErrorDetails details) {
            super(details);
        }
    }

    /** What came is not what the protocol says, or not from whom it should be: PROTOCOL, DECRYPTION, SIGNATURE. */
    public static final class Protocol extends MTokenException {
        private static final long serialVersionUID = 1;

        Protocol(ErrorDetails details) {
            super(details);
        }
    }

    /** The state could not be loaded, saved or unsealed: STORAGE, TAMPERED, SEALED. */
    public static final class Storage extends MTokenException {
        private static final long serialVersionUID = 1;

        Storage(ErrorDetails details) {
            super(details);
        }
    }

    /** A text is malformed: see {@link ErrorDetails#byteOffset}. */
    public static final class Parse extends MTokenException {
        private static final long serialVersionUID = 1;

        Parse(ErrorDetails details) {
            super(details);
        }
    }

    /** What is asked for is not there, not supported, or failed within: NOT_FOUND, UNSUPPORTED, INTERNAL, and codes of later versions. */
    public static final class Other extends MTokenException {
        private static final long serialVersionUID = 1;

        Other(ErrorDetails details) {
            super(details);
        }
    }

    static MTokenException of(ErrorDetails details) {
        return switch (details.code()) {
            case ARGUMENT, HANDLE, CONFIGURATION -> new Usage(details);
            case STATE, NOT_ACTIVATED, PENDING, PENDING_COMMIT, BLOCKED, REMOVED, BUSY, FACTOR -> new State(details);
            case CANCELLED -> new Cancelled(details);
            case NETWORK, TIMEOUT, TLS, PIN_MISMATCH, HTTP -> new Network(details);
            case SERVER, AUTHENTICATION -> new Server(details);
            case PROTOCOL, DECRYPTION, SIGNATURE -> new Protocol(details);
            case STORAGE, TAMPERED, SEALED -> new Storage(details);
            case PARSE -> new Parse(details);
            default -> new Other(details);
        };
    }

    /** What the glue wrote of a failure. */
    static MTokenException read(Reader in) {
        return of(ErrorDetails.read(in, null));
    }
}
