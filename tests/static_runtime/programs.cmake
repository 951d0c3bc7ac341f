# The run time of static schedules as a target builds it, in C alone: under this build's sanitizers, and once under ThreadSanitizer.
enable_language(C)
set(static_runtime ${PROJECT_SOURCE_DIR}/validation/runtime)
file(GLOB static_library CONFIGURE_DEPENDS ${static_runtime}/static/*.c)
list(FILTER static_library EXCLUDE REGEX "stream_cuda")
file(GLOB static_master CONFIGURE_DEPENDS ${static_runtime}/static_master/*.c)

function(static_program name)
  target_include_directories(${name} PRIVATE ${static_runtime})
  target_compile_definitions(${name} PRIVATE _GNU_SOURCE)
  set_target_properties(${name} PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF)
  target_compile_options(${name} PRIVATE -Wcast-qual)
  target_link_libraries(${name} PRIVATE rta_warnings ${ARGN})
endfunction()

find_package(Threads REQUIRED)
add_library(static_library OBJECT ${static_library})
static_program(static_library rta_options)
add_executable(static_master ${static_master})
static_program(static_master rta_options static_library Threads::Threads)
add_executable(static_player ${static_runtime}/static_player/player.c)
static_program(static_player rta_options static_library Threads::Threads)

add_executable(static_faulty static_runtime/clients/faulty.c)
static_program(static_faulty rta_options static_library Threads::Threads)

target_compile_definitions(test_static_runtime PRIVATE STATIC_MASTER="$<TARGET_FILE:static_master>" STATIC_PLAYER="$<TARGET_FILE:static_player>"
                                                       STATIC_FAULTY="$<TARGET_FILE:static_faulty>")
add_dependencies(test_static_runtime static_master static_player static_faulty)
target_link_libraries(test_static_runtime PRIVATE static_library Threads::Threads)
