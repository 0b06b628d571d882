// SPDX-License-Identifier: Apache-2.0
using System;

namespace Mtoken
{
    /// <summary>What happened, to which thing, and what to do.</summary>
    public sealed unsafe partial class MTokenException : Exception
    {
        private MTokenException(string message, Exception inner) : base(message, inner) { }

        /// <summary>Whether the operation can no longer be approved or rejected.</summary>
        public bool IsOperationOver { get; private set; }

        internal static MTokenException Read(Raw.mtoken_error* error)
        {
            if (error == null) return null;
            var name = Life.Copy(Raw.mtoken_error_name(error->code)) ?? "MTOKEN_ERROR_" + error->code;
            var place = error->byte_offset < 0 ? "" : ", line " + error->line + ", byte " + error->byte_offset;
            var said = name + " (" + Life.Copy(error->reason) + ")" + place + ": " + Life.Copy(error->message);
            var cause = Life.Copy(error->cause);
            var made = new MTokenException(said, cause == null ? null : new Exception(cause));
            made.Copy(error);
            made.IsOperationOver = Raw.mtoken_error_is_operation_over(error) != 0;
            return made;
        }

        internal static void Check(int status, Raw.mtoken_error* error)
        {
            if (status != 0) Throw(status, error);
        }

        // Apart, so that the check itself is compiled into its callers.
        private static void Throw(int status, Raw.mtoken_error* error) { throw Take(status, error); }

        internal static MTokenException Take(int status, Raw.mtoken_error* error)
        {
            if (error == null)
            {
                var said = Life.Copy(Raw.mtoken_error_name(status)) + ": " + Life.Copy(Raw.mtoken_error_description(status));
                return new MTokenException(said, null) { Code = (ErrorCode)status, Reason = "noDetails", ByteOffset = -1 };
            }
            var made = Read(error);
            Raw.mtoken_error_free(error);
            return made;
        }
    }
}
