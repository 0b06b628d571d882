// SPDX-License-Identifier: Apache-2.0
// `import MobileToken` is enough: what its calls take and give comes with it.
@_exported import MobileTokenModel

@_exported import class MobileTokenCrypto.SecureBytes
@_exported import struct MobileTokenHTTP.HTTPHeader
@_exported import struct MobileTokenHTTP.PublicKeyPin
@_exported import struct MobileTokenHTTP.TLSPolicy
@_exported import struct PowerAuth.ActivationResult
@_exported import struct PowerAuth.ActivationStatus
@_exported import struct PowerAuth.Factors
@_exported import enum PowerAuth.ProtocolVersion
@_exported import struct PowerAuth.RecoveryData
