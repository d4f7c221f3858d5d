# `cmake --install` puts find_package(heddle) beside the program and its library.
include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
configure_package_config_file(
  ${CMAKE_CURRENT_LIST_DIR}/heddleConfig.cmake.in ${CMAKE_BINARY_DIR}/heddleConfig.cmake
  INSTALL_DESTINATION ${config_dir} PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/heddleConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/CHANGELOG.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
configure_file(${CMAKE_CURRENT_LIST_DIR}/HeddleDiscoverTests.cmake
  ${CMAKE_BINARY_DIR}/HeddleDiscoverTests.cmake COPYONLY)
install(FILES ${CMAKE_BINARY_DIR}/heddleConfig.cmake ${CMAKE_BINARY_DIR}/heddleConfigVersion.cmake
  ${CMAKE_BINARY_DIR}/HeddleDiscoverTests.cmake
  DESTINATION ${config_dir})

install(FILES ${CMAKE_SOURCE_DIR}/share/github-action.yml DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle)

# What is installed is stripped; debuggers find what was taken out in .debug beside it.
install(CODE "set(programs ${CMAKE_INSTALL_BINDIR}/heddle ${CMAKE_INSTALL_LIBDIR}/libheddle.so)
set(objcopy \"${CMAKE_OBJCOPY}\")" COMPONENT separate_debug)
install(CODE [[
  foreach(program ${programs})
    set(program "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${program}")
    cmake_path(GET program PARENT_PATH folder)
    cmake_path(GET program FILENAME name)
    set(debug "${folder}/.debug/${name}.debug")
    file(MAKE_DIRECTORY "${folder}/.debug")
    message(STATUS "Separating ${debug}")
    execute_process(COMMAND ${objcopy} --only-keep-debug ${program} ${debug} COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${objcopy} --strip-debug --add-gnu-debuglink=${debug} ${program}
      COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
]] COMPONENT separate_debug)

# `cpack` in the build directory makes a Debian package, and one with the debug information.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_VENDOR "The Heddle developers")
set(CPACK_PACKAGE_CONTACT "The Heddle developers <heddle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "systematic concurrency testing of C and C++ programs")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};heddle;Unspecified;/")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++ | clang")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS gdb)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEBUGINFO_PACKAGE ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
include(CPack)
