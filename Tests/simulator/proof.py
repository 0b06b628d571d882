#!/usr/bin/env python3
"""Shows that the simulator finds what it is for: plants one fault after another in a copy of the product. Faults of files,
certificates and codes, in which nothing depends on a schedule, are found by a test that is named beside them.

    proof.py [--seconds N] [--applies] [NAME...]

Each fault must be found within N seconds (600). One that no longer applies, does not compile or is not found fails the
proof: exit status 1. Prints what broke, and after how many lives.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "build" / "proof"
ENGINE = "Sources/MobileToken/Engine/"
FAILURE = "Sources/MobileToken/Failure/"
STORE = "Sources/MobileToken/Store/"
POWERAUTH = "Sources/PowerAuth/"


@dataclass(frozen=True)
class Fault:
    """One text of the product in the place of another, which stands there once."""

    name: str
    file: str
    old: str
    new: str
    suite: str = ""
    """Found in protocol 4.0 with this suite; empty: in 3.x."""
    by: str = ""
    """What finds it where the simulator does not play it: a program of Tests/c, a test of Tests/python, or a suite of Swift's tests."""


FAULTS = [
    Fault(
        "a signature is not stored before it is sent",
        ENGINE + "Activation.swift",
        "        do throws(Failure) {\n            try persist()\n        } catch {\n            session.undoSignature()",
        "        do throws(Failure) {\n            try requireOpen()\n        } catch {\n            session.undoSignature()",
    ),
    Fault(
        "the counter goes back after bytes have left",
        ENGINE + "Exchange.swift",
        "if error.sent == .notSent { giveCounterBack(call) }",
        "giveCounterBack(call)",
    ),
    Fault(
        "the counter goes back twice",
        ENGINE + "Exchange.swift",
        "let isBack = session.takeBack(mark)",
        "let isBack = session.takeBack(mark) || session.takeBack(mark)\n                session.undoSignature()",
    ),
    Fault(
        "an unknown outcome is told as an answer",
        ENGINE + "Verdict.swift",
        "if isSigned, !failure.isRefusal {\n            failure.outcome = .unknown",
        "if isSigned, !failure.isRefusal {\n            failure.outcome = .answered",
    ),
    Fault(
        "a cancelled call that is on its way is told as not sent",
        ENGINE + "Run.swift",
        "case .sending: .unknown",
        "case .sending: .notSent",
    ),
    Fault(
        "a call goes on that all have cancelled",
        ENGINE + "Callers.swift",
        "!isWanted && dependents.isEmpty && !tasks.isEmpty && tasks.allSatisfy { $0.isUnwanted }",
        "false",
    ),
    Fault(
        "a turn is not given back",
        ENGINE + "Turns.swift",
        "guard !waiting.isEmpty else { return nil }",
        "guard waiting.count > 1 else { return nil }",
    ),
    Fault(
        "two calls have their turn at once",
        ENGINE + "Turns.swift",
        "waiting.append(run)\n        return false",
        "waiting.append(run)\n        return waiting.count == 1",
    ),
    Fault(
        "a call that is cancelled in the row gets its turn",
        ENGINE + "Turns.swift",
        "        waiting.removeAll { $0 === run }\n        guard",
        "        guard",
    ),
    Fault(
        "no status before the window ends",
        ENGINE + "Need.swift",
        "return open > window / 2 || open >= window - 1",
        "return open > window * 2",
    ),
    Fault(
        "a host signs beyond the window",
        ENGINE + "Activation+ServerState.swift",
        "guard !session.hasRoomForSignature, !isSent || session.unacknowledged > 0 else { return }",
        "guard !session.hasRoomForSignature, session.unacknowledged > 250 else { return }",
    ),
    Fault(
        "a refused token is kept",
        ENGINE + "Exchange+Cause.swift",
        "try session.removeToken(named: name)",
        "_ = (session, name)",
    ),
    Fault(
        "a temporary key is kept that the server does not know",
        ENGINE + "Exchange.swift",
        "                activation.forgetTemporaryKey(scope)\n            }\n            throw error",
        "            }\n            throw error",
    ),
    Fault(
        "who waits for a shared call does not hear of its end",
        ENGINE + "Run.swift",
        "for dependent in dependents { dependent.prerequisiteEnded(failure) }",
        "for dependent in dependents.dropLast(dependents.count > 1 ? 1 : 0) { dependent.prerequisiteEnded(failure) }",
    ),
    Fault(
        "a failed activation leaves something",
        ENGINE + "Run.swift",
        "guard let abandon = call.abandon else { return }",
        "guard let abandon = call.abandon, epoch < 0 else { return }",
    ),
    Fault(
        "a failed call does not leave the shared ones",
        ENGINE + "Run.swift",
        "if let shared, activation.sharedRuns[shared.byBytes] === self { activation.sharedRuns[shared.byBytes] = nil }",
        "if let shared, activation.sharedRuns[shared.byBytes] === self, callers.tasks.count < 2 {\n"
        "            activation.sharedRuns[shared.byBytes] = nil\n        }",
    ),
    Fault(
        "the timer of polling is lost after a failure",
        "Sources/MobileToken/Operations/OperationPolling.swift",
        "        let part = options.isAdaptive",
        "        guard state.registry.failures < 2 else { return }\n        let part = options.isAdaptive",
    ),
    Fault(
        "polling does not go on after a block",
        "Sources/MobileToken/Operations/OperationPolling.swift",
        "            isWaiting = false\n            activation.emit(.pollingGoesOn)",
        "            isPaused = true\n            activation.emit(.pollingGoesOn)",
    ),
    Fault(
        "a changed clock is not noticed",
        ENGINE + "Run+Need.swift",
        "        checkClock()\n",
        "",
    ),
    Fault(
        "the counter of a server that is ahead is not followed",
        POWERAUTH + "Session/Session+Status.swift",
        "            if let found { record.store(found.counter, in: record.counter) }\n",
        "",
    ),
    Fault(
        "a server that is behind is not brought up",
        ENGINE + "NeededCalls.swift",
        "if catchesUp, status.counter == .calculateSignature, status.state == .active {",
        "if catchesUp, status.counter == .calculateSignature, status.state == .blocked {",
    ),
    Fault(
        "the PIN is changed before the server has found the old one right",
        "Sources/MobileToken/Client/FactorCalls.swift",
        "            try activation.durably(answered: true) { (session) throws(PowerAuthError) in\n"
        "                try session.changeKnowledge(from: old, to: new)\n            }\n            return .done(.none)",
        "            return .done(.none)",
    ),
    Fault(
        "a task is told twice",
        "Sources/MobileToken/Engine/CallTask.swift",
        "                queue(tags)\n",
        "                queue(tags)\n                queue(tags)\n",
    ),
    Fault(
        "a wrong tag of the state is not noticed: an older counter comes back after a failed save",
        ENGINE + "Activation.swift",
        "            session.rollBack(to: before)\n            var failure = error",
        "            _ = before\n            var failure = error",
    ),
    Fault(
        "an old look declares an activation dead",
        ENGINE + "Activation+ServerState.swift",
        "Moment(signatures: session.signatures, successes: successes, status: statusesAsked) }",
        "Moment(status: statusesAsked) }",
    ),
    Fault(
        "an old look declares an activation of 4.0 dead",
        ENGINE + "Activation+ServerState.swift",
        "Moment(signatures: session.signatures, successes: successes, status: statusesAsked) }",
        "Moment(status: statusesAsked) }",
        "EC_P384",
    ),
    Fault(
        "after one wrong PIN every refusal is another one",
        FAILURE + "RefusalCause.swift",
        "let isCounted = evidence.failedAfter > 0 && evidence.failedAfter != before && !wasBlocked",
        "let isCounted = evidence.failedAfter > 0 && !wasBlocked",
    ),
    Fault(
        "the attempts of others take a new PIN back",
        FAILURE + "RefusalCause.swift",
        "evidence.isBlocked && evidence.failedAfter > before + 1",
        "false",
        "EC_P384",
    ),
    Fault(
        "a refusal is a wrong PIN, whatever the status says",
        FAILURE + "RefusalCause.swift",
        "self = evidence.provesUser && isCounted ? .factor : .notFactor",
        "self = evidence.provesUser || isCounted ? .factor : .notFactor",
    ),
    Fault(
        "a refusal is taken for an answer",
        ENGINE + "Run+Answer.swift",
        "case .finish(let failure): finish(.failure(failure))",
        "case .finish(let failure): finish(failure.isRefusal ? .success(.none) : .failure(failure))",
    ),
    Fault(
        "a vault stays shut whose key the server has forgotten",
        ENGINE + "Verdict.swift",
        '("/vault/unlock", "ERR_SECURE_VAULT"),',
        "",
    ),
    Fault(
        "a status fails whose key the server has forgotten",
        ENGINE + "Verdict.swift",
        '("/activation/status", "ERR_ACTIVATION"), ',
        "",
        "EC_P384",
    ),
    Fault(
        "a forgotten key is not renewed",
        ENGINE + "Verdict.swift",
        "return keyIsOld && tried.insert(.key).inserted ? .nothing : nil",
        "return nil",
    ),
    Fault(
        "nobody is told that a new PIN may apply",
        ENGINE + "Verdict.swift",
        "            effects = .staysOpen\n",
        "            if refusal.outcome != .unknown { effects = .staysOpen }\n",
        "EC_P384",
    ),
    Fault(
        "a refusal that proves nothing takes the new PIN back",
        ENGINE + "Verdict.swift",
        "if isWrong { effects = .formerFactor }\n        }\n        if !isWrong {",
        "effects = .formerFactor\n        } else if !isWrong {",
        "EC_P384",
    ),
    Fault(
        "a wide window is reckoned with before a status has told one",
        POWERAUTH + "Session/Session+Counter.swift",
        "narrowWindow = 5",
        "narrowWindow = 64",
    ),
    Fault(
        "the window is taken for the widest one",
        POWERAUTH + "Session/Session+Status.swift",
        "record.window = lookAhead",
        "record.window = 64",
    ),
    Fault(
        "signatures are not counted",
        POWERAUTH + "Session/ActivationRecord.swift",
        "if unacknowledged < Self.outOfReach - 1 { unacknowledged += 1 }",
        "if unacknowledged < Self.outOfReach - 1 { unacknowledged += 0 }",
    ),
    Fault(
        "the counter's byte stands still",
        POWERAUTH + "Session/ActivationRecord.swift",
        "counterByte &+= 1",
        "counterByte &+= 0",
    ),
    Fault(
        "an upgrade is told as done before it is confirmed",
        ENGINE + "NeededCalls+V4.swift",
        "            if marks.upgrade { return .confirmUpgrade(confirmations + 1) }",
        "            if marks.upgrade { return nil }",
    ),
    Fault(
        "a signed request is sent again after a lost answer",
        ENGINE + "Verdict.swift",
        "        return call.isUnsettled(failure) || call.isDoubtful(failure) ?",
        "        if call.isSigned, failure.outcome == .unknown, tried.insert(.time).inserted { return .startOver(.nothing, failure) }\n"
        "        return call.isUnsettled(failure) || call.isDoubtful(failure) ?",
    ),
    Fault(
        "a task that ends is not told",
        ENGINE + "CallTask.swift",
        "                queue(tags)\n",
        "",
    ),
    Fault(
        "a lost signature of the last step is forgotten",
        POWERAUTH + "Session/Session+Counter.swift",
        "record.openStep = isLost ? .lost : .none",
        "record.openStep = .none",
        by="SessionStateTests",
    ),
    Fault(
        "the last step is made again after a status has shown it",
        POWERAUTH + "Session/Session+Counter.swift",
        "guard let record, record.openStep == .onItsWay else { return }\n        try attempt",
        "guard let record else { return }\n        try attempt",
    ),
    Fault(
        "the next process does not know of failed attempts",
        POWERAUTH + "Session/ActivationRecord.swift",
        "return max(unacknowledged, window / 2 + 1)",
        "return unacknowledged",
    ),
    Fault(
        "another copy of the state has signed, and the PIN is called wrong",
        FAILURE + "RefusalCause.swift",
        "self = .counterBehind(steps: evidence.ahead)",
        "self = .factor",
    ),
    Fault(
        "each outage puts the counter at risk",
        ENGINE + "Verdict.swift",
        "if counter.window != nil, counter.isAtRisk {",
        "if counter.window != nil {",
    ),
    Fault(
        "a lock of the former PIN stays on the disk",
        STORE + "StateKeeper.swift",
        "try save(stateItem, sealed, renewing: renews)",
        "try save(stateItem, sealed, renewing: renews && sealed.count == 0)",
    ),
    Fault(
        "what lies in the place of the secret is taken for one",
        STORE + "StateKeeper.swift",
        "if given == nil, state != nil {",
        "if given == nil {",
    ),
    Fault(
        "an activation has two clients",
        STORE + "StateKeeper.swift",
        "            try store.acquire(id)\n",
        "            if false { try store.acquire(id) }\n",
    ),
    Fault(
        "the end of the runtime leaves calls under way",
        ENGINE + "Runtime.swift",
        "for run in activation.runs { run.cancel() }",
        "_ = activation.runs",
    ),
    Fault(
        "secrets are not wiped",
        "Sources/MobileTokenCrypto/Memory/Wipe.swift",
        "    if let base = buffer.baseAddress { OPENSSL_cleanse",
        "    if let base = buffer.baseAddress, buffer.count > 4_096 { OPENSSL_cleanse",
    ),
    Fault(
        "a nonce is used twice",
        POWERAUTH + "Session/Session+Tokens.swift",
        "try random.fillPublic(nonce) }",
        "try random.fillPublic(UnsafeMutableRawBufferPointer(rebasing: nonce.prefix(0))) }",
    ),
    Fault(
        "a packed answer is not unpacked",
        "Sources/MobileTokenHTTP/HTTPResponse.swift",
        "if isPacked, Gunzip",
        "if isPacked, limit == 0, Gunzip",
    ),
    Fault(
        "a call that ends while its cause is looked for tells the refusal",
        ENGINE + "Run.swift",
        "finish(.failure(.cancelled(outcome: refusal?.outcome ?? .notSent)))",
        "finish(.failure(refusal ?? .cancelled()))",
    ),
    Fault(
        "a signature of the device alone ends the row of failed attempts",
        ENGINE + "Activation+ServerState.swift",
        "        if factors.provesUser {\n            failures = nil",
        "        if !factors.isEmpty {\n            failures = nil",
    ),
    Fault(
        "a save is not flushed",
        STORE + "ItemFile.swift",
        "guard fdatasync(file) == 0 else",
        "guard file >= 0 else",
    ),
    Fault(
        "a new file takes its name before it is flushed",
        STORE + "ItemFile.swift",
        "guard fsync(descriptor) == 0,",
        "guard descriptor >= 0,",
    ),
    Fault(
        "a save overwrites the newest slot",
        STORE + "Slots.swift",
        "at: SlotForm.offset(of: sequence, slotSize: size))",
        "at: SlotForm.offset(of: sequence &+ 1, slotSize: size))",
    ),
    Fault(
        "what a new sealer has sealed is not stored",
        STORE + "StateKeeper.swift",
        "        if secretIsStored {\n            do throws(Failure) {\n                try saveSecret()",
        "        if secretIsStored, form == nil {\n            do throws(Failure) {\n                try saveSecret()",
    ),
    Fault(
        "a child of the process uses its parent's client",
        "Sources/MobileTokenSystem/Fork.swift",
        "        forks &+= 1\n",
        "        forks &+= 0\n",
    ),
    Fault(
        "a status that another one has overtaken counts",
        ENGINE + "Activation+ServerState.swift",
        "guard moment.status < newestStatus else { return false }",
        "guard moment.status > statusesAsked else { return false }",
    ),
    Fault(
        "a lost step is used again before a status has come",
        ENGINE + "Run.swift",
        "if call.repeatsLastStep, activation.session.stepIsLost {",
        "if call.repeatsLastStep, activation.isClosed {",
    ),
    Fault(
        "an activation that another call has confirmed is confirmed again",
        ENGINE + "NeededCalls+V4.swift",
        "call.skips = { $0.session.marks.confirm ? nil : looksAgain(confirmations) }",
        "call.skips = { _ in nil }",
        "EC_P384",
    ),
    Fault(
        "biometry is removed with the last step",
        ENGINE + "NeededCalls+V4.swift",
        "$0.session.hasAnyBiometry || $0.session.unacknowledged > 0 ?",
        "$0.session.hasAnyBiometry ?",
        "EC_P384",
    ),
    Fault(
        "a token that is accepted hides what became of a lost step",
        POWERAUTH + "Session/Session+Status.swift",
        "if record.openStep == .lost, !meanwhile.contains(.signature) {",
        "if record.openStep == .lost, meanwhile.isEmpty {",
        "EC_P384",
    ),
    Fault(
        "an old look declares an activation blocked",
        ENGINE + "ServerState.swift",
        "status.counter == .outdated || (status.state != .active && now.successes != successes)",
        "status.counter == .outdated",
        by="VerdictTests",
    ),
    Fault(
        "the search for a cause has all of the call's time once more",
        ENGINE + "Exchange.swift",
        "min(max(Int64(timeout) - max(spent, 0), Int64(timeout) / 4, 1), Int64(timeout))",
        "min(max(Int64(timeout) - min(spent, 0), Int64(timeout) / 4, 1), Int64(timeout))",
        by="clock",
    ),
    Fault(
        "a cleared newest slot opens the older state",
        STORE + "SlotForm.swift",
        "return other.isFormer(of: number) ? content?.opened(with: key) : nil",
        "return other.isFormer(of: number) || content != nil ? content?.opened(with: key) : nil",
        by="StoreTests",
    ),
    Fault(
        "another directory in the place of the store's is not noticed",
        STORE + "DirectoryStore.swift",
        "guard isMine, isInPlace else",
        "guard isMine else",
        by="durable",
    ),
    Fault(
        "a stopped process holds up all clients",
        STORE + "ClientLocks.swift",
        "private static let fileCount = 256",
        "private static let fileCount = 1",
        by="durable",
    ),
    Fault(
        "what lies in the place of the temporary file is written to",
        STORE + "ItemFile.swift",
        "        removeTemporary()\n"
        "        let descriptor = mtoken_openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)",
        "        let descriptor = mtoken_openat(directory, temporary, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)",
        by="durable",
    ),
    Fault(
        "a proxy gets the certificate for the bank",
        "Sources/MobileTokenHTTP/CurlTransfer.swift",
        "SSL_CTX_ctrl(tls, SSL_CTRL_GET_MAX_PROTO_VERSION, 0, nil) == 0,",
        "SSL_CTX_ctrl(tls, SSL_CTRL_GET_MAX_PROTO_VERSION, 0, nil) >= 0,",
        by="Tests/python/network/test_proxy.py",
    ),
    Fault(
        "a PKCS#12 file may take for ever",
        "Sources/MobileTokenCrypto/Keys/ClientIdentity.swift",
        "mtoken_pkcs12_is_bounded(store, password) == 1",
        "mtoken_pkcs12_is_bounded(store, password) >= 0",
        by="Tests/python/network/test_client_certificates.py::test_files_that_take_for_ever",
    ),
    Fault(
        "a weak PIN in other digits is a strong one",
        "Sources/MobileToken/Codes/PINWeaknesses.swift",
        "if let ascii = ascii(value) {",
        "if let ascii = ascii(value), value < 128 {",
        by="Tests/python/activation/test_factors.py",
    ),
    Fault(
        "a token that names what it must be understood by is understood",
        POWERAUTH + "Values/JSONWebToken.swift",
        'header["crit"] == nil else',
        'header["crit"] == nil || header.count > 0 else',
        by="TemporaryKeyTests",
    ),
]


def prepare() -> None:
    """The tree beside itself, without what a former fault left: what did not change keeps its time, and is not built again."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    names = set(filter(None, listed.split("\0")))
    for path in [path for path in (COPY / "Sources").rglob("*") if path.is_file()]:
        if str(path.relative_to(COPY)) not in names:
            path.unlink()  # it was moved
    for name in names:
        source, copy = ROOT / name, COPY / name
        if source.is_file() and not (copy.exists() and filecmp.cmp(source, copy, shallow=False)):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)


def build() -> bool:
    """The debug testing library, as the Makefile of the tree links it. False: it does not build, and why is printed."""
    command = ["make", "--no-print-directory", "-s", "testing", "MODE=dev"]
    made = subprocess.run(command, cwd=COPY, capture_output=True, text=True)
    if made.returncode:
        print(f"{made.stdout[-3000:]}{made.stderr[-3000:]}")
    return made.returncode == 0


def surroundings() -> dict[str, str]:
    """The environment in which programs take the copy's library."""
    libraries = COPY / "build" / "lib"
    return os.environ | {"LD_LIBRARY_PATH": str(libraries), "MTOKEN_LIBRARY": str(libraries / "libmtoken-testing.so")}


def test(by: str, seconds: int) -> tuple[bool, str]:
    """Whether a test fails or does not end, and not for want of that test."""
    if by.endswith("Tests"):
        command, folder = ["swift", "test", "--quiet", "--filter", by], COPY
    elif "/" in by:
        command, folder = ["build/venv/bin/python", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", by], ROOT
    else:
        command, folder = [f"build/c/testing/{by}"], ROOT
    try:
        ran = subprocess.run(command, cwd=folder, env=surroundings(), capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return True, f"by {by}, which does not end"
    return ran.returncode not in (0, 4, 5), f"by {by}: exit status {ran.returncode}"


def simulate(seconds: int, suite: str, name: str) -> tuple[bool, str]:
    """Whether something was found, by a life that is kept or by new ones; the summary. A new life that shows it is saved under
    the fault's name."""
    saved = COPY / "build" / "found" / (re.sub(r"\W+", "-", name) + ".life")
    saved.parent.mkdir(parents=True, exist_ok=True)
    environment = surroundings() | ({"MTOKEN_SUITE": suite} if suite else {})
    simulator = str(ROOT / "build/simulator/simulator")
    findings = [str(path) for path in sorted((ROOT / "Tests/simulator/findings").glob("*.life"))]
    ran = subprocess.run([simulator, "--replay", *findings], env=environment, capture_output=True, text=True)
    if broken := re.search(r"findings/(.*?) breaks an invariant: (.*)", ran.stdout):
        return True, f"by {broken[1]}: {broken[2][:90]}"
    command = [simulator, "--seconds", str(seconds), "--seed", "1", "--save", str(saved)]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True)
    broken = re.search(r"Does not hold: (.*)", ran.stdout)
    lives = re.search(r"simulator: (\d+) lives", ran.stdout)
    return ran.returncode == 1, f"{lives[1] if lives else '?'} lives: {broken[1][:90] if broken else 'nothing'}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--applies", action="store_true", help="only look whether each text stands where it is to be")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    missed = 0
    for fault in FAULTS:
        if arguments.names and not any(name in fault.name for name in arguments.names):
            continue
        text = (ROOT / fault.file).read_text()
        if text.count(fault.old) != 1:
            print(f"MISSED  {fault.name}: its text stands {text.count(fault.old)} times in {fault.file}", flush=True)
            missed += 1
            continue
        if arguments.applies:
            continue
        prepare()
        (COPY / fault.file).write_text(text.replace(fault.old, fault.new))
        if not build():
            print(f"MISSED  {fault.name}: the library does not build", flush=True)
            missed += 1
            continue
        begun = time.monotonic()
        found, summary = (
            test(fault.by, arguments.seconds) if fault.by else simulate(arguments.seconds, fault.suite, fault.name)
        )
        missed += not found
        print(
            f"{'found ' if found else 'MISSED'}  {fault.name}, {time.monotonic() - begun:.0f} s, {summary}", flush=True
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
