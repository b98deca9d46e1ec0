# The backend python: files of Python, which the user's interpreter runs (docs/plugin-guide.md, "In
# Python"). They need no build, and share no library.
set(scanbench_python_about "Python, on the host's CPU")
set(scanbench_python_about_gpu "Python, on NVIDIA GPUs")
set(scanbench_python_compile "")

function(scanbench_common_python target)
endfunction()
