/*
 * cuda_library_version.h - the version of a CCCL library as its users write it: 300001 is 3.0.1
 *
 *     .version = cuda_library_version<CUB_VERSION>::text,
 */
#ifndef CUDA_LIBRARY_VERSION_H
#define CUDA_LIBRARY_VERSION_H

/* NUMBER is MAJOR * 100000 + MINOR * 100 + PATCH. */
template <unsigned NUMBER> struct cuda_library_version {
    struct characters {
        char of[16];
        unsigned count;

        constexpr void put(unsigned part)
        {
            if (part >= 10)
                put(part / 10);
            of[count++] = static_cast<char>('0' + part % 10);
        }
        constexpr characters() : of(), count(0)
        {
            put(NUMBER / 100000);
            of[count++] = '.';
            put(NUMBER / 100 % 1000);
            of[count++] = '.';
            put(NUMBER % 100);
        }
    };
    static constexpr characters made{};
    static constexpr const char *text = made.of;
};

#endif
