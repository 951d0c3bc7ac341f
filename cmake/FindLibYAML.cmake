# Debian's libyaml-dev ships no CMake file.
find_path(LIBYAML_INCLUDE_DIR yaml.h)
find_library(LIBYAML_LIBRARY yaml)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibYAML REQUIRED_VARS LIBYAML_LIBRARY LIBYAML_INCLUDE_DIR)
if(LibYAML_FOUND AND NOT TARGET LibYAML::LibYAML)
  add_library(LibYAML::LibYAML UNKNOWN IMPORTED)
  set_target_properties(LibYAML::LibYAML PROPERTIES IMPORTED_LOCATION "${LIBYAML_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${LIBYAML_INCLUDE_DIR}")
endif()
