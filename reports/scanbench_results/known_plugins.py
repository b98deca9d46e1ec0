"""The plugins of this version, by id, and by the names of their files where those are others: what is not
here is somebody's own. tests/tree/plugins_are_known.t holds the list to the sources."""

PLUGINS = frozenset(
    """
    cpu_chained cpu_in_place cpu_memcpy cpu_openmp cpu_serial cpu_simd cpu_stdpar cpu_stdpar_seq
    cpu_tbb cuda_blelloch cuda_blelloch_bca cuda_cub cuda_cub_by_key cuda_cub_rows
    cuda_cub_segmented cuda_cyclic cuda_doublebuffer cuda_in_place cuda_lookahead cuda_lookback
    cuda_memcpy cuda_multi cuda_rows cuda_scan cuda_single cuda_stream cuda_stream_copy
    cuda_thrust cuda_thrust_cached cuda_wave cupy_cumsum jax_cumsum modern_gpu_vt mpi_copy
    mpi_scan numba_scan numpy_cumsum opencl_blelloch opencl_blelloch_1 opencl_boost
    opencl_chunked opencl_copy opencl_hillis_steele opencl_in_place opencl_lookback opencl_rows
    opencl_scan torch_cumsum triton_scan
    """.split()
)

CALIBRATORS = frozenset(("frozen_scan", "frozen_copy"))
"""The harness's own, which have rows."""
