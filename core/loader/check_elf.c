/*
 * check_elf.c - is a file a complete shared object for this machine?
 *
 * dlopen maps a file as its headers say and then reads it: a file that is cut short ends
 * the process with SIGBUS. This code reads only headers and does not trust them: it
 * compares every offset with the size of the file before it uses the offset.
 */
#include "loader/loader.h"

#include "text/errmsg.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>

typedef ElfW(Ehdr) elf_header;
typedef ElfW(Phdr) elf_segment;

#if defined(__x86_64__)
enum { HOST_MACHINE = EM_X86_64 };
#elif defined(__aarch64__)
enum { HOST_MACHINE = EM_AARCH64 };
#elif defined(__powerpc64__)
enum { HOST_MACHINE = EM_PPC64 };
#elif defined(__riscv)
enum { HOST_MACHINE = EM_RISCV };
#else
enum { HOST_MACHINE = EM_NONE }; /* dlopen checks it */
#endif

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { HOST_DATA = ELFDATA2MSB };
#else
enum { HOST_DATA = ELFDATA2LSB };
#endif
enum { HOST_CLASS = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32 };

static bool ends_within(uint64_t offset, uint64_t length, size_t bytes)
{
    return offset <= bytes && length <= bytes - offset;
}

static scan_status cut_short(size_t bytes, const char *part, uint64_t end, errmsg *error)
{
    return errmsg_set(
        error, SCAN_INVALID,
        "the file is cut short: it has %zu bytes, but its %s ends at byte %llu; build or "
        "copy it again",
        bytes, part, (unsigned long long)end);
}

static scan_status check_header(const elf_header *header, errmsg *error)
{
    if (header->e_ident[EI_CLASS] != HOST_CLASS)
        return errmsg_set(error, SCAN_INVALID,
                          "not built for this machine: expected ELF class %d (%d-bit), found %d",
                          HOST_CLASS, (int)(8 * sizeof(void *)), header->e_ident[EI_CLASS]);
    if (header->e_ident[EI_DATA] != HOST_DATA)
        return errmsg_set(error, SCAN_INVALID,
                          "not built for this machine: expected ELF byte order %d, found %d",
                          HOST_DATA, header->e_ident[EI_DATA]);
    if (header->e_type != ET_DYN)
        return errmsg_set(error, SCAN_INVALID,
                          "not a shared object: expected ELF type %d, found %d; link it with "
                          "-shared",
                          ET_DYN, header->e_type);
    if (HOST_MACHINE != EM_NONE && header->e_machine != HOST_MACHINE)
        return errmsg_set(error, SCAN_INVALID,
                          "not built for this machine: expected ELF machine %d, found %d; build "
                          "it here",
                          HOST_MACHINE, header->e_machine);
    if (header->e_phentsize != sizeof(elf_segment) || header->e_phnum == 0)
        return errmsg_set(error, SCAN_INVALID,
                          "its ELF header is damaged: expected segment entries of %zu bytes, "
                          "found %d of %d bytes",
                          sizeof(elf_segment), header->e_phnum, header->e_phentsize);
    return SCAN_OK;
}

static scan_status check_segments(const unsigned char *image, size_t bytes,
                                  const elf_header *header, errmsg *error)
{
    bool code = false;
    bool dynamic = false;
    uint64_t table = (uint64_t)header->e_phnum * sizeof(elf_segment);
    if (!ends_within(header->e_phoff, table, bytes))
        return cut_short(bytes, "segment table", header->e_phoff + table, error);
    for (size_t i = 0; i < header->e_phnum; i++) {
        elf_segment segment;
        memcpy(&segment, image + header->e_phoff + i * sizeof segment, sizeof segment);
        if (segment.p_type == PT_NULL)
            continue;
        if (!ends_within(segment.p_offset, segment.p_filesz, bytes))
            return cut_short(bytes, "last segment", segment.p_offset + segment.p_filesz, error);
        if (segment.p_type == PT_LOAD && segment.p_filesz > segment.p_memsz)
            return errmsg_set(error, SCAN_INVALID,
                              "its segment %zu is damaged: %llu bytes in the file, %llu in memory",
                              i, (unsigned long long)segment.p_filesz,
                              (unsigned long long)segment.p_memsz);
        code = code || segment.p_type == PT_LOAD;
        dynamic = dynamic || segment.p_type == PT_DYNAMIC;
    }
    if (!code || !dynamic)
        return errmsg_set(error, SCAN_INVALID, "not a shared object: it has no %s",
                          code ? "dynamic section; link it with -shared" : "loadable segment");
    return SCAN_OK;
}

scan_status loader_check_elf(const unsigned char *image, size_t bytes, errmsg *error)
{
    elf_header header;
    if (bytes < SELFMAG || memcmp(image, ELFMAG, SELFMAG) != 0)
        return errmsg_set(error, SCAN_INVALID,
                          "not a shared object: expected an ELF file, found %s",
                          bytes == 0 ? "an empty file" : "something else");
    if (bytes < sizeof header)
        return cut_short(bytes, "ELF header", sizeof header, error);
    memcpy(&header, image, sizeof header);
    scan_status status = check_header(&header, error);
    if (status == SCAN_OK)
        status = check_segments(image, bytes, &header, error);
    if (status != SCAN_OK)
        return status;
    /* Loading does not use the section table, but linkers put it at the end of the file. */
    uint64_t sections = (uint64_t)header.e_shnum * header.e_shentsize;
    if (!ends_within(header.e_shoff, sections, bytes))
        return cut_short(bytes, "section table", header.e_shoff + sections, error);
    return SCAN_OK;
}
