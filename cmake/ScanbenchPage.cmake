# scanbench_add_page(TARGET): adds to TARGET the template of `scanbench report -o`, as a header
# report_page_html.h that is generated from reports/scanbench_results/template/ and third_party/echarts/.
function(scanbench_add_page target)
  set(from "${PROJECT_SOURCE_DIR}/reports/scanbench_results/template")
  set(echarts "${PROJECT_SOURCE_DIR}/third_party/echarts/echarts.min.js")
  set(html "${CMAKE_CURRENT_BINARY_DIR}/report_page.html")
  set(header "${CMAKE_CURRENT_BINARY_DIR}/report_page_html.h")
  set(join "${PROJECT_SOURCE_DIR}/cmake/join_page.cmake")
  file(GLOB parts CONFIGURE_DEPENDS "${from}/page.*" "${from}/*.js")
  add_custom_command(
    OUTPUT "${html}"
    COMMAND ${CMAKE_COMMAND} -DFROM=${from} -DECHARTS=${echarts} -DTO=${html} -P ${join}
    DEPENDS ${parts} "${echarts}" "${join}"
    VERBATIM)
  scanbench_embed("${html}" "${header}" report_page_html)
  target_sources(${target} PRIVATE "${header}")
endfunction()
