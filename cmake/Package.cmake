# Debian packages by CPack: rta (programs, manual pages, completion, documents, examples, schemas), librta-dev (library and headers) and,
# where the Python module is built, python3-rta.
#   cpack --config build/release/CPackConfig.cmake -B build/packages
set(RTA_MAINTAINER "rta maintainers <maintainers@rta.invalid>" CACHE STRING "Who answers for the packages")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME rta)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "response-time analysis for CPUs and GPUs")  # first line of both descriptions
set(CPACK_PACKAGE_CONTACT "${RTA_MAINTAINER}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL rta dev)
set(CPACK_RTA_PACKAGES rta librta-dev)  # the same by their names
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/DebianFiles.cmake")
set(CPACK_RTA_SOURCE_DIR "${PROJECT_SOURCE_DIR}")

# One number for each release of the system, so that a newer system's package replaces an older one's.
cmake_host_system_information(RESULT system QUERY DISTRIB_INFO)
set(CPACK_DEBIAN_PACKAGE_RELEASE "1~${system_ID}${system_VERSION_ID}")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_RTA_PACKAGE_NAME rta)
set(CPACK_DEBIAN_RTA_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RTA_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RTA_PACKAGE_SUGGESTS "babeltrace2, clang, gnuplot-nox, librsvg2-bin, make, python3-jsonschema")
# Which Vega is in it, so that who mends that one knows what to build anew. CPack has no name for the field: it follows that one's line.
execute_process(COMMAND dpkg-query --show "--showformat=\${source:Package} (= \${source:Version})" libjs-vega
                OUTPUT_VARIABLE vega ERROR_QUIET RESULT_VARIABLE vega_unknown)
if(NOT vega_unknown)
  string(APPEND CPACK_DEBIAN_RTA_PACKAGE_SUGGESTS "\nStatic-Built-Using: ${vega}")
endif()
set(CPACK_COMPONENT_RTA_DESCRIPTION "Reads task sets (DAGs of CPU and GPU nodes, on CPUs, GPUs, copy engines and
persistent threads) and proves a response-time bound for every node and DAG.
It simulates, generates and measures task sets, too, and comes with a second
program, rta-check, that verifies proofs and shares no code with the first, and
a third, rta-proved, that is extracted from a machine-checked one.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME librta-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS  # what cmake/rtaConfig.cmake.in looks for
    "libboost-dev, libboost-graph-dev, libfmt-dev, libglpk-dev, libpugixml-dev, libsqlite3-dev, libssl-dev, libtbb-dev, libyaml-dev, nlohmann-json3-dev, zlib1g-dev")
set(CPACK_COMPONENT_DEV_DESCRIPTION "The library behind the program rta, with its headers, for C++20: CMake projects
find rta::rta with find_package(rta).")

if(RTA_BUILD_PYTHON AND pybind11_FOUND)
  list(APPEND CPACK_COMPONENTS_ALL python)
  list(APPEND CPACK_RTA_PACKAGES python3-rta)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-rta)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  math(EXPR next "${Python3_VERSION_MINOR} + 1")  # a module is for one version of Python
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next})")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION "The library behind the program rta as a Python module: import rta, then
analyze, simulate or generate task sets, with results as dicts.")
endif()
include(CPack)
