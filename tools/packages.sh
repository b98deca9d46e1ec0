# shellcheck shell=sh
# Installs Debian's packages, for scripts that have read messages.sh.

may_be_root() {
    [ "$(id -u)" -eq 0 ] || { has sudo && { sudo -n true 2>/dev/null || [ -t 0 ]; }; }
}

apt_get() {
    set -- env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 apt-get -q -y -o DPkg::Lock::Timeout=300 \
        -o Dpkg::Use-Pty=0 "$@"
    [ "$(id -u)" -eq 0 ] || set -- sudo "$@"
    in_log "$@"
}

# The package lists may be absent, or older than what the servers still have.
apt_install() {
    if apt-cache show "$@" >/dev/null 2>&1; then
        apt_get install --no-install-recommends "$@" && return
    fi
    apt_get update && apt_get install --no-install-recommends "$@"
}

# install_packages REQUIRED OPTIONAL: two lists of names; if it cannot install, it says what to do.
install_packages() {
    required_packages=$1
    # shellcheck disable=SC2086 # one word per package
    set -- $1 $2
    if ! has apt-get; then
        say "missing here, by their Debian names: $*"
    elif ! may_be_root; then
        say "missing; run as root: apt-get update && apt-get install -y --no-install-recommends $*"
    else
        say "installing $*${log:+; the log is $log}"
        before=$(log_lines)
        # shellcheck disable=SC2086 # one word per package
        apt_install "$@" ||
            { [ -n "$required_packages" ] && apt_get install --no-install-recommends $required_packages; } ||
            { show_errors "$before" && say "not everything could be installed${log:+; the log is $log}"; }
    fi
}
