#!/bin/sh
# Makes a Debian for arm64 in a folder: its first stage here, the second by the emulator.
set -e
root=$1
packages=python3,python3-venv,ca-certificates,libcurl4,libjansson4,libssl3,libstdc++6
rm -rf "$root"
mkdir -p "$root"
{
    debootstrap --foreign --arch=arm64 --variant=minbase --include="$packages" bookworm "$root" "${MTOKEN_ARCHIVE:-http://deb.debian.org/debian}" &&
        python3 Tests/cross/emulated.py chroot "$root" /usr/bin/env container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            DEBIAN_FRONTEND=noninteractive /debootstrap/debootstrap --second-stage
} >"$root.log" 2>&1 || {
    tail -n 30 "$root.log"
    exit 1
}
