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


# What threads do to each other, seen by ThreadSanitizer, which goes with no other sanitizer.
function(static_program_under_tsan name)
  add_executable(${name} ${ARGN})
  static_program(${name} Threads::Threads)
  target_compile_options(${name} PRIVATE -O2 -g1 -fsanitize=thread)
  target_link_options(${name} PRIVATE -fsanitize=thread)
endfunction()
static_program_under_tsan(static_fence_stress static_runtime/clients/fence_stress.c ${static_runtime}/static/fence.c)
list(FILTER static_master EXCLUDE REGEX "/master.c$")
static_program_under_tsan(static_one_process static_runtime/clients/one_process.c ${static_library} ${static_master})

# The exhaustive check of the fences: the run time's own source, with the accesses to shared words replaced. Contexts are switched by hand,
# which sanitizers do not follow.
add_executable(static_fences static_runtime/checked/fences.cpp static_runtime/checked/model.cpp ${static_runtime}/static/fence.c)
target_include_directories(static_fences PRIVATE static_runtime/checked ${static_runtime})
target_compile_options(static_fences PRIVATE -O2)
target_link_libraries(static_fences PRIVATE rta_warnings)

target_link_libraries(test_static_runtime PRIVATE static_library Threads::Threads)
foreach(program master player faulty fence_stress one_process fences)
  string(TOUPPER ${program} name)
  target_compile_definitions(test_static_runtime PRIVATE STATIC_${name}="$<TARGET_FILE:static_${program}>")
  add_dependencies(test_static_runtime static_${program})
endforeach()
