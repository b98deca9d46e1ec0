# cmake -DFROM=reports/scanbench_results/template -DECHARTS=echarts.min.js -DTO=page.html -P join_page.cmake
#
# Puts the styles and the scripts into the page's template, so that the page is one file. What remains
# for the program is the data, in place of @data@. The order of the scripts is that in which they use each
# other.
cmake_minimum_required(VERSION 3.25)

set(names data words series scales figures tables lines answer sizes scaling settings phases rounds noise missing claims machine page account)

file(READ "${FROM}/page.html" page)
file(READ "${FROM}/page.css" css)
file(READ "${ECHARTS}" echarts)
set(scripts "")
foreach(name IN LISTS names)
  file(READ "${FROM}/${name}.js" script)
  string(APPEND scripts "${script}")
endforeach()
string(REPLACE "@page.css@" "${css}" page "${page}")
string(REPLACE "@scripts@" "${scripts}" page "${page}")
string(REPLACE "@echarts@" "${echarts}" page "${page}")
file(WRITE "${TO}" "${page}")
