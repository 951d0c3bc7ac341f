# Writes a C++ source that embeds the headers of the generated programs' runtime: runtime_files_source(OUTPUT FOLDER FILES...)
function(runtime_files_source output folder)
  set(code "// Made by cmake/RuntimeFiles.cmake.\n#include \"rta/validation/generated_program.hpp\"\n\n")
  set(rows "")
  set(number 0)
  foreach(file ${ARGN})
    file(RELATIVE_PATH name "${folder}" "${file}")
    string(APPEND code "asm(\".section .rodata\\n.global rta_runtime_${number}_begin\\n.global rta_runtime_${number}_end\\n"
                       "rta_runtime_${number}_begin:\\n.incbin \\\"${file}\\\"\\nrta_runtime_${number}_end:\\n.byte 0\\n.text\\n\");\n"
                       "extern \"C\" const char rta_runtime_${number}_begin[];\nextern \"C\" const char rta_runtime_${number}_end[];\n")
    string(APPEND rows "    {\"${name}\", {rta_runtime_${number}_begin, static_cast<std::size_t>(rta_runtime_${number}_end - rta_runtime_${number}_begin)}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  string(APPEND code "\nnamespace rta::validation {\n\nstd::span<const RuntimeFile> runtime_files() {\n"
                     "  static const RuntimeFile files[] = {\n${rows}  };\n  return files;\n}\n\n}  // namespace rta::validation\n")
  file(GENERATE OUTPUT "${output}" CONTENT "${code}")
endfunction()
