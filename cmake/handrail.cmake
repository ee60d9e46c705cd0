# Compiler settings and the functions that declare a layer and a test program.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

find_program(CCACHE ccache)
if(CCACHE)
  # Precompiled headers need the sloppiness flags, or ccache refuses every file.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
endif()

add_library(handrail_warnings INTERFACE)
target_compile_options(handrail_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual -Woverloaded-virtual
  # TRY is a statement expression, which both compilers have had for decades.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-gnu-statement-expression>
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
  # GCC 12 at -O2 sees uninitialised members in variants that are never read.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-maybe-uninitialized>
  $<$<BOOL:${HANDRAIL_WERROR}>:-Werror>)
target_include_directories(handrail_warnings INTERFACE ${CMAKE_SOURCE_DIR}/src)

add_library(handrail_options INTERFACE)
target_link_libraries(handrail_options INTERFACE handrail_warnings)
if(HANDRAIL_SANITIZE)
  target_compile_options(handrail_options INTERFACE -fsanitize=${HANDRAIL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  if(HANDRAIL_SANITIZE MATCHES "undefined")
    # The checks of every single pointer double the time to compile, and find what the address sanitizer finds as well.
    target_compile_options(handrail_options INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
  endif()
  target_link_options(handrail_options INTERFACE -fsanitize=${HANDRAIL_SANITIZE})
endif()

# handrail_group(TARGET NUMBER files…): those files of the target are compiled as one.
function(handrail_group target number)
  if(NOT TARGET ${target})
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(folder ${target} SOURCE_DIR)
  list(TRANSFORM ARGN PREPEND ${CMAKE_SOURCE_DIR}/)
  set_source_files_properties(${ARGN} DIRECTORY ${folder} PROPERTIES UNITY_GROUP ${target}_${number})
endfunction()

# handrail_layer(NAME [USES layers…] [LIBS packages…]): one folder of src/, every .cpp in it, one library.
function(handrail_layer name)
  cmake_parse_arguments(ARG "" "" "USES;LIBS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${name}/*.cpp)
  string(REPLACE "/" "_" target handrail_${name})
  if(NOT sources)
    # A layer of headers only.
    list(TRANSFORM ARG_USES PREPEND handrail_)
    list(TRANSFORM ARG_USES REPLACE "/" "_")
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE handrail_options ${ARG_USES} ${ARG_LIBS})
    return()
  endif()
  add_library(${target} STATIC ${sources})
  target_link_libraries(${target} PUBLIC handrail_options)
  foreach(layer ${ARG_USES})
    string(REPLACE "/" "_" used handrail_${layer})
    target_link_libraries(${target} PUBLIC ${used})
  endforeach()
  target_link_libraries(${target} PUBLIC ${ARG_LIBS})
  if(name STREQUAL "base")
    target_precompile_headers(${target} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/pch.h)
  else()
    target_precompile_headers(${target} REUSE_FROM handrail_base)
  endif()
endfunction()
