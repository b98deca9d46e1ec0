# scanbench and what builds plugins for it, on Debian 12; OpenCL runs on the CPU, through PoCL:
#
#     docker build -t scanbench .
#     docker run --rm scanbench --plugins 'cpu_*' --sizes 1e6 --csv - >out.csv
#
# With CUDA plugins, on an image that has the CUDA Toolkit:
#
#     docker build -t scanbench-cuda --build-arg BASE=nvidia/cuda:12.9.1-devel-ubuntu24.04 .
#     docker run --rm --gpus all scanbench-cuda --sizes 1e6 --csv - >out.csv
ARG BASE=debian:12
FROM ${BASE}
COPY . /usr/src/scanbench
RUN cd /usr/src/scanbench \
    && ./bootstrap build -DSCANBENCH_TESTS=OFF -DCMAKE_INSTALL_PREFIX=/usr/local \
    && cmake --install build \
    && rm -rf build /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["scanbench"]
