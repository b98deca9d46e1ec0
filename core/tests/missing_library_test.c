/* missing_library_test.c - what the dynamic linker's messages are about */
#include "loader/missing_library.h"
#include "tap.h"

#define PLUGIN "/home/me/my: scan.so"

int main(void)
{
    static const struct {
        const char *why;
        bool misses;
    } messages[] = {
        {"libtbb.so.12: cannot open shared object file: No such file or directory", true},
        {"libtbb.so.12: cannot open shared object file: Permission denied", true},
        {"/opt/lib/libtbb.so.12: file too short", true},
        {"/opt/lib/libtbb.so.12: invalid ELF header", true},
        {"/lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.38' not found (required by " PLUGIN ")",
         true},
        {"/usr/lib/libstdc++.so.6: version `GLIBCXX_3.4.32' not found (required by "
         "/opt/lib/libtbb.so.12)",
         true},
        {"Error loading shared library libtbb.so.12: No such file or directory (needed by " PLUGIN
         ")",
         true},
        {PLUGIN ": cannot open shared object file: No such file or directory", false},
        {PLUGIN ": file too short", false},
        {PLUGIN ": invalid ELF header", false},
        {PLUGIN ": undefined symbol: tbb_version", false},
        {PLUGIN ": undefined symbol: f, version FIXTURE_2", false},
        {"/opt/lib/libtbb.so.12: undefined symbol: tbb_version", false},
        {"libgomp.so.1: cannot allocate memory in static TLS block", false},
        {"", false},
    };
    enum { COUNT = sizeof messages / sizeof *messages };
    tap_plan(COUNT);
    for (size_t i = 0; i < COUNT; i++)
        ok(loader_misses_library(PLUGIN, messages[i].why) == messages[i].misses, "%s: %s",
           messages[i].misses ? "a library" : "no library", messages[i].why);
    return tap_done();
}
