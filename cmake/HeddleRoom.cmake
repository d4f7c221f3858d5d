# heddle_room(NAME [DEPENDS rooms…] [TEST_DEPENDS rooms…] [TEST_SHARDS n] [LAYERS folders…])
#
# A room is src/NAME: one static library heddle_NAME from its *.cc, and one test program
# NAME_tests from its *_test.cc. Only the rooms it depends on may be included (checked by
# tests/architecture). Tests that take minutes are several of ctest's, which run side by side.
#
# LAYERS are the folders of a large room, lowest first: each is a library heddle_NAME_LAYER of its
# own, with tests of its own, which may include those before it (checked there, too); heddle_NAME
# stands for all of them.
function(heddle_room NAME)
  cmake_parse_arguments(ROOM "" "TEST_SHARDS" "DEPENDS;TEST_DEPENDS;LAYERS" ${ARGN})
  if(NOT ROOM_LAYERS)
    heddle_folder(${NAME} src/${NAME} ${ARGN})
    return()
  endif()
  add_library(heddle_${NAME} INTERFACE)
  set(below ${ROOM_DEPENDS})
  foreach(layer ${ROOM_LAYERS})
    heddle_folder(${NAME}_${layer} src/${NAME}/${layer} DEPENDS ${below}
      TEST_DEPENDS ${ROOM_TEST_DEPENDS})
    target_link_libraries(heddle_${NAME} INTERFACE heddle_${NAME}_${layer})
    list(PREPEND below ${NAME}_${layer})
  endforeach()
endfunction()

function(heddle_folder NAME FOLDER)
  cmake_parse_arguments(ROOM "" "TEST_SHARDS" "DEPENDS;TEST_DEPENDS" ${ARGN})
  set(dir ${CMAKE_CURRENT_SOURCE_DIR}/${FOLDER})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cc ${dir}/*.S)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  if(sources)
    add_library(heddle_${NAME} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(heddle_${NAME} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(heddle_${NAME} ${scope} ${CMAKE_CURRENT_SOURCE_DIR}/src)
  target_link_libraries(heddle_${NAME} ${scope} heddle_fmt)
  if(sources)
    target_compile_options(heddle_${NAME} PRIVATE -Wall -Wextra -Wshadow -fvisibility=hidden
      -fno-threadsafe-statics)  # their guards are functions we intercept
  endif()
  foreach(other ${ROOM_DEPENDS})
    target_link_libraries(heddle_${NAME} ${scope} heddle_${other})
  endforeach()
  if(tests AND BUILD_TESTING)
    add_executable(${NAME}_tests ${tests})
    target_compile_options(${NAME}_tests PRIVATE -Wall -Wextra)
    target_link_libraries(${NAME}_tests PRIVATE heddle_${NAME} GTest::gtest_main)
    foreach(other ${ROOM_TEST_DEPENDS})
      target_link_libraries(${NAME}_tests PRIVATE heddle_${other})
    endforeach()
    if(NOT ROOM_TEST_SHARDS)
      add_test(NAME ${NAME}_tests COMMAND ${NAME}_tests)
      return()
    endif()
    foreach(shard RANGE 1 ${ROOM_TEST_SHARDS})
      math(EXPR index "${shard} - 1")
      add_test(NAME ${NAME}_tests/${shard} COMMAND ${NAME}_tests)
      set_tests_properties(${NAME}_tests/${shard} PROPERTIES COST 100
        ENVIRONMENT "GTEST_TOTAL_SHARDS=${ROOM_TEST_SHARDS};GTEST_SHARD_INDEX=${index}")
    endforeach()
  endif()
endfunction()
