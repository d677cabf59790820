#!/bin/sh
# Makes .venv: a Python, the pinned packages, this project; `make setup` and `make play` call it.
#
#   tools/set_up.sh                         what it takes to play
#   tools/set_up.sh requirements-dev.txt    also to check and build the program
#
# It is done in a moment when nothing has changed since the last time. PYTHON=... chooses the Python.
set -eu
cd "$(dirname "$0")/.."

here=$(pwd -P)
packages=${1:-requirements.txt}
stamp=.venv/.ready
wanted="$here ${PYTHON:-} $(cat requirements.txt requirements-dev.txt pyproject.toml tools/set_up.sh | cksum)"

fits() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null
}

find_python() {
    for candidate in ${PYTHON:-python3 python3.13 python3.12 python3.11}; do
        if fits "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    echo "boids-sandbox needs Python 3.11, 3.12 or 3.13 and found none (looked for: ${PYTHON:-python3, python3.13," \
         "python3.12, python3.11}); install one, or name yours: make setup PYTHON=/path/to/python3.11" >&2
    return 1
}

# A folder that was moved keeps commands which point to its old place: such a .venv is made anew.
is_usable() {
    [ -z "${PYTHON:-}" ] && fits .venv/bin/python && head -n 2 .venv/bin/pip 2>/dev/null | grep -qF "$here/.venv/"
}

make_environment() {
    python=$(find_python)
    echo "Making .venv with $("$python" --version)"
    if "$python" -c 'import ensurepip' 2>/dev/null; then
        "$python" -m venv --clear .venv
    elif "$python" -m pip --version >/dev/null 2>&1; then
        # Debian keeps ensurepip in a package of its own; the pip that is there can do its work.
        "$python" -m venv --clear --without-pip .venv
        "$python" -m pip --python .venv/bin/python install -qq --disable-pip-version-check pip
    else
        echo "This Python can make no virtual environment; on Debian, install the package python3-venv." >&2
        return 1
    fi
}

# Without pip's own compilation, which takes one core and much that is never imported; see below.
install() {
    .venv/bin/python -m pip install -qq --disable-pip-version-check --no-compile "$@"
}

# Who can check the program can also play.
case $(cat "$stamp" 2>/dev/null) in
    "$wanted $packages" | "$wanted requirements-dev.txt") if fits .venv/bin/python; then exit 0; fi ;;
esac
rm -f "$stamp"
is_usable || make_environment
echo "Installing packages into .venv (the first time this takes a few minutes)"
install --requirement "$packages"
install --no-deps --no-build-isolation --editable .
# Bytecode now, also where PYTHONDONTWRITEBYTECODE is set: else every start would compile everything anew.
.venv/bin/python -m compileall -q -j 0 -x '/(pip|setuptools|pkg_resources|mypy|mypyc|hatchling)/' \
    .venv/lib components systems sandbox || true
echo "$wanted $packages" >"$stamp"
