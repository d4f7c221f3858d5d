# Run by the build: turns the files of src/report/viewer into OUTPUT, a C++ file that holds them.
function(embed OUT NAME)
  set(text "")
  foreach(file ${ARGN})
    file(READ ${VIEWER}/${file} piece)
    string(APPEND text "${piece}")
  endforeach()
  # A string literal may have 64 KiB at most; pieces of one are joined by the compiler.
  string(LENGTH "${text}" length)
  set(at 0)
  set(code "const std::string_view ${NAME} =\n")
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND code "    R\"viewer(${piece})viewer\"\n")
    math(EXPR at "${at} + 8000")
  endwhile()
  set(${OUT} "${code}    \"\";\n" PARENT_SCOPE)
endfunction()

embed(page kViewerPage viewer.html)
embed(style kViewerStyle viewer.css)
embed(script kViewerScript model.js lanes.js panes.js app.js)
file(WRITE ${OUTPUT} "#include \"report/viewer_files.h\"\n\nnamespace heddle {\n\n"
  "${page}\n${style}\n${script}\n}  // namespace heddle\n")
