# Writes OUTPUT, which says which commit the sources in SOURCE_DIR are of: nothing where they are no Git checkout of their own (an unpacked
# archive, perhaps within another checkout). The file is only touched when that changed.
set(commit "")
find_program(git git)
if(git)
  execute_process(COMMAND ${git} -C ${SOURCE_DIR} rev-parse --show-toplevel OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE
                  RESULT_VARIABLE failed ERROR_QUIET)
  file(REAL_PATH ${SOURCE_DIR} source)
  if(NOT failed AND top STREQUAL source)
    execute_process(COMMAND ${git} -C ${SOURCE_DIR} describe --always --abbrev=40 --exclude=* --dirty OUTPUT_VARIABLE commit
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "// Of the sources; empty where they are no Git checkout.\n#define RTA_COMMIT \"${commit}\"\n")
