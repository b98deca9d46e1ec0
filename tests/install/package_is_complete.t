#!/bin/sh
# What cpack makes: a package for Debian whose dependencies are those of its files, and whose
# content works from where it is unpacked. With SCANBENCH_REQUIRE_PACKAGE nothing is skipped.
# slow
# about: core/include docs harness/cli harness/commands plugins/common reports/scanbench_results tools *CMakeLists.txt
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
. "$(dirname -- "$0")/../lib/plugin.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
unset SCANBENCH_PLUGIN_PATH
prefix=$work/unpacked/usr
cd "$root" || exit 1

# The build is not brought up to date: others use it now.
makes() {
    cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work/made" -D CPACK_CMAKE_GENERATOR=Ninja &&
        mv "$work"/made/*.deb "$work/scanbench.deb" && dpkg-deb -x "$work/scanbench.deb" "$work/unpacked"
}

# refused ENVIRONMENT OPTION: cpack fails and leaves no package.
refused() {
    env "$1" cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work/refused" -D CPACK_CMAKE_GENERATOR=Ninja \
        -D "$2" >"$work/refusal" 2>&1 && { echo "cpack succeeds" && return 1; }
    cat "$work/refusal"
    ! ls "$work"/refused/*.deb 2>/dev/null
}

# On a PATH without the two programs.
refuses() {
    mkdir "$work/few" || return
    for tool in cpack cmake dpkg dpkg-deb objdump strip gzip; do
        ln -s "$(command -v "$tool")" "$work/few/$tool" || return
    done
    refused PATH="$work/few" CPACK_DEBIAN_PACKAGE_SHLIBDEPS=ON && grep -q 'apt install file dpkg-dev$' "$work/refusal"
}

never_without_dependencies() {
    refused LC_ALL=C CPACK_DEBIAN_PACKAGE_SHLIBDEPS=OFF && grep -q 'would depend on "python3[^"]*", not on' "$work/refusal"
}

field() { dpkg-deb -f "$work/scanbench.deb" "$1"; }

# depends PACKAGE FILE: if the file has that library, the package depends on it.
depends() {
    field Depends | tr ',' '\n' | grep -q "^ *$1\>" || { field Depends && return 1; }
}

described() {
    field Package | grep -x scanbench && field Version | grep '^[0-9]' &&
        field Architecture | grep -x "$(dpkg --print-architecture)" &&
        depends python3 && depends libhwloc15 && depends libcsv3 && depends libmd0 && depends libc6
}

# Each library that a plugin or the program needs belongs to a package that is depended on.
dependencies() {
    for file in "$prefix/bin/scanbench" "$prefix"/lib/scanbench/plugins/*.so; do
        objdump -p "$file" | sed -n 's/^ *NEEDED *//p'
    done | sort -u >"$work/needed"
    [ "$(wc -l <"$work/needed")" -ge 4 ] || return 1
    while read -r library; do
        case $library in ld-linux*) continue ;; esac
        path=$(PATH=$PATH:/sbin ldconfig -p | sed -n "s/^[[:space:]]*$library .*=> //p" | head -n 1)
        owner=$({ dpkg -S "$path" || dpkg -S "/usr$path"; } 2>/dev/null | sed 's/:.*//' | head -n 1)
        depends "$owner" || { echo "$library of $owner is not depended on" && return 1; }
    done <"$work/needed"
}

has_files() {
    for file in bin/scanbench lib/scanbench/plugins/cpu_serial.so lib/scanbench/plugins/not_built.txt \
        include/scan_plugin.h share/cmake/scanbench/scanbench-config.cmake share/pkgconfig/scanbench.pc \
        share/scanbench/common/cpu/template/algorithm/template_cpu.c share/man/man1/scanbench.1.gz \
        share/bash-completion/completions/scanbench share/fish/vendor_completions.d/scanbench.fish \
        share/zsh/vendor-completions/_scanbench share/doc/scanbench/copyright share/doc/scanbench/changelog.gz \
        share/doc/scanbench/docs/csv.md lib/scanbench/python/scanbench_results/start.py \
        lib/scanbench/python/scanbench_results/template/echarts.min.js; do
        [ -s "$prefix/$file" ] || { echo "no $file" && return 1; }
    done
    if [ -e "$build/oclgrind/buffers.so" ] && ! { [ -x "$prefix/lib/scanbench/check-kernels" ] &&
        [ -s "$prefix/lib/scanbench/oclgrind/buffers.so" ]; }; then
        echo "no check-kernels"
        return 1
    fi
    dpkg-deb -c "$work/scanbench.deb" >"$work/content" && ! grep -v ' root/root ' "$work/content" &&
        ! grep -E ' \./usr/(local|lib/scanbench/plugins/(template_|broken))' "$work/content"
}

# Those of this build, less those that need a GPU, which say why they are missing.
has_plugins() {
    for plugin in "$build"/plugins/*.so; do
        id=$(basename "$plugin" .so)
        case $id in
        template_*) continue ;;
        cuda_* | modern_gpu_*)
            ! [ -e "$prefix/lib/scanbench/plugins/$id.so" ] &&
                grep -q "^$id	cuda	not built: the package" "$prefix/lib/scanbench/plugins/not_built.txt"
            ;;
        *) [ -e "$prefix/lib/scanbench/plugins/$id.so" ] ;;
        esac || { echo "$id" && return 1; }
    done
    grep '	cuda	' "$prefix/lib/scanbench/plugins/not_built.txt"
}

works() {
    cd "$work" && "$prefix/bin/scanbench" list >listed && grep -q '^  cpu_serial' listed &&
        "$prefix/bin/scanbench" -q --plugins cpu_serial,cpu_memcpy --sizes 1000 --max-samples 6 --csv out.csv &&
        grep -q ',run,ok,' out.csv && "$prefix/bin/scanbench" report out.csv -o page.html && grep -q '</html>' page.html &&
        "$prefix/bin/scanbench" validate cpu_serial --max-n 5000 --claims sizes
}

# With the CMake package, and as `scanbench new` says.
builds_plugins() {
    cd "$work" && "$prefix/bin/scanbench" new mine >new.txt && cc -O2 -shared -fPIC -I "$prefix/include" \
        -I "$prefix/share/scanbench/common/cpu" mine/mine.c -o mine.so &&
        "$prefix/bin/scanbench" validate ./mine.so --max-n 5000 --claims sizes &&
        cmake_builds mine && "$prefix/bin/scanbench" validate mine/build/mine.so --max-n 5000 --claims sizes
}

manual() { gzip -dc "$prefix/share/man/man1/scanbench.1.gz" | cmp - "$build/manual/scanbench.1"; }

# Lintian leaves files of its own where it works.
lints() { TMPDIR=$work lintian --allow-root --fail-on error,warning "$work/scanbench.deb"; }

missing=
for tool in cpack dpkg-deb dpkg-shlibdeps file objdump gzip; do
    command -v "$tool" >/dev/null 2>&1 || missing="$missing $tool"
done
[ -e "$build/manual/scanbench.1" ] || missing="$missing manual"
plan 11
if [ -n "$missing" ] && [ -z "${SCANBENCH_REQUIRE_PACKAGE-}" ]; then
    skip 11 "packages need what is not here:$missing"
    exit 0
fi
claim "without file and dpkg-dev cpack refuses, and names both" refuses
claim "a package without dependencies is not made" never_without_dependencies
claim "cpack makes a package" makes
claim "it says what it is and depends on" described
claim "it depends on the package of every library that its files link" dependencies
claim "its files are in Debian's places" has_files
claim "it has the plugins that need no GPU, and says what it lacks" has_plugins
claim "unpacked it lists, measures, reports and proves plugins" works
claim "plugins are built against it" builds_plugins
claim "its manual is that of the build" manual
if [ -n "${SCANBENCH_REQUIRE_PACKAGE-}" ] || command -v lintian >/dev/null 2>&1; then
    claim "lintian has no errors and no warnings" lints
else
    skip 1 "lintian is not installed"
fi
