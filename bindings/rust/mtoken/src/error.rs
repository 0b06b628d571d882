// SPDX-License-Identifier: Apache-2.0
use std::fmt;
use std::ops::Deref;

use mtoken_sys as sys;

use crate::life::text;
use crate::values::{ErrorCode, ErrorKind, Outcome};
use crate::views::ErrorDetails;

/// A failure: its kind, the object concerned, and what to do. Its details are those of mtoken.h's
/// `mtoken_error`.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    details: Box<ErrorDetails>,
    is_operation_over: bool,
}

/// The result of a call, or the reason for its failure.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) unsafe fn read(error: &sys::mtoken_error) -> Self {
        let is_operation_over = sys::mtoken_error_is_operation_over(error) != 0;
        Error { details: Box::new(ErrorDetails::read(error)), is_operation_over }
    }

    /// Takes an error that belongs to the caller.
    pub(crate) unsafe fn take(status: i32, error: *mut sys::mtoken_error) -> Self {
        match error.as_ref() {
            None => Self::new(ErrorCode(status), "noDetails", text(sys::mtoken_error_description(status))),
            Some(found) => {
                let read = Self::read(found);
                sys::mtoken_error_free(error);
                read
            }
        }
    }

    pub(crate) fn new(code: ErrorCode, reason: &str, message: &str) -> Self {
        let details = ErrorDetails {
            code,
            reason: reason.to_owned(),
            message: message.to_owned(),
            byte_offset: -1,
            remaining_attempts: -1,
            retry_after_ms: -1,
            ..Default::default()
        };
        Error { details: Box::new(details), is_operation_over: false }
    }

    /// The kind of failure.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.details.code.into()
    }

    /// Whether the server may have acted.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        self.details.outcome
    }

    /// Whether the operation can no longer be approved or rejected.
    #[must_use]
    pub fn is_operation_over(&self) -> bool {
        self.is_operation_over
    }

    /// Everything that is known; the error dereferences to it.
    #[must_use]
    pub fn details(&self) -> &ErrorDetails {
        &self.details
    }
}

impl Deref for Error {
    type Target = ErrorDetails;

    fn deref(&self) -> &ErrorDetails {
        &self.details
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.details.fmt(formatter)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ({})", self.code, self.reason)?;
        if self.byte_offset >= 0 {
            write!(formatter, ", line {}, byte {}", self.line, self.byte_offset)?;
        }
        write!(formatter, ": {}", self.message)
    }
}

impl std::error::Error for Error {}

impl fmt::Display for ErrorCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match unsafe { crate::life::optional(sys::mtoken_error_name(self.0)) } {
            Some(name) => formatter.write_str(name),
            None => write!(formatter, "MTOKEN_ERROR_{}", self.0),
        }
    }
}
