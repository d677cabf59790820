#!/bin/sh
# Sees to the system libraries that pip does not bring; `make setup` and `make play` call it.
#
#   tools/system_libraries.sh                 what the program needs
#   tools/system_libraries.sh --tests         also what its tests need
#   tools/system_libraries.sh PACKAGE...      these packages instead
#
# On Debian and its kin it installs what is missing, and only that, where it may; elsewhere it says what is
# needed. It never stops the set-up: a library may be there in a way that this script does not know.
set -eu

# A window draws through libgl1, a machine without a display through libegl1; libgl1-mesa-dri is the driver
# that needs no graphics card. fontconfig finds the fonts; libgomp1 gives numba its threads.
to_run="libgl1 libegl1 libgl1-mesa-dri fontconfig libgomp1"
# The tests open the window on a display of their own, and press its keys; a browser opens the report of a study.
to_test="xvfb xauth xdotool chromium"
packages=${*:-$to_run}
note=""
if [ "$packages" = --tests ]; then
    packages="$to_run $to_test"
    note=" ($to_test serve the tests only)"
fi

# The same for a system without dpkg.
shared_objects="libGL.so.1 libEGL.so.1 libfontconfig.so.1 libgomp.so.1"

is_installed() {
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

apt() {
    if [ "$(id -u)" -eq 0 ]; then
        env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 "$@"
    else
        sudo -n env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=120 "$@"
    fi
}

may_install() {
    [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null
}

# Prints the words of apt only when something went wrong.
install() {
    words=$(mktemp)
    trap 'rm -f "$words"' EXIT
    # Old lists may still do, so a failed update is no reason to give up.
    apt --quiet update >"$words" 2>&1 || true
    # shellcheck disable=SC2086  # a list of words
    apt --quiet --yes install --no-install-recommends $1 >>"$words" 2>&1 || { tail -n 5 "$words" >&2; return 1; }
}

on_debian() {
    missing=""
    for package in $packages; do
        is_installed "$package" || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0

    if may_install; then
        echo "Installing system packages:$missing"
        install "$missing" && return 0
    fi
    echo "Missing system packages; please install them with: sudo apt-get install --no-install-recommends$missing$note" >&2
}

on_another_linux() {
    missing=""
    known=$(ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null || true)
    for object in $shared_objects; do
        case $known in *"$object"*) ;; *) missing="$missing $object" ;; esac
    done
    [ -z "$missing" ] || echo "Not found:$missing; if the window does not open, install them with your package manager" \
        "(Mesa's OpenGL and EGL, fontconfig, the GNU OpenMP runtime), and for the tests Xvfb and xdotool." >&2
}

if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    on_debian
elif [ "$(uname -s)" = Linux ]; then
    on_another_linux
fi
