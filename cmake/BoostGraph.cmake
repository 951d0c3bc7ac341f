# rta_boost_graph: what reads digraphs of Graphviz. Programs take the little that they need of it into themselves, where the distribution's
# archives suffice: behind its shared library stand those of Boost.Regex and ICU, 30 MB, which every start would load. The archives are no
# position-independent code, as modules of Python need it.
include(CheckCXXSourceCompiles)

set(rta_boost_graph Boost::graph)
find_library(RTA_BOOST_GRAPH_ARCHIVE libboost_graph.a)
find_library(RTA_BOOST_REGEX_ARCHIVE libboost_regex.a)
if(RTA_BOOST_GRAPH_ARCHIVE AND RTA_BOOST_REGEX_ARCHIVE)
  set(CMAKE_REQUIRED_LIBRARIES ${RTA_BOOST_GRAPH_ARCHIVE} ${RTA_BOOST_REGEX_ARCHIVE})
  check_cxx_source_compiles("
    #include <string>
    namespace boost::detail::graph { class mutate_graph; bool read_graphviz_new(const std::string&, mutate_graph*); }
    int main() { return boost::detail::graph::read_graphviz_new(std::string(), nullptr) ? 0 : 1; }"
    RTA_BOOST_GRAPH_LINKS)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()
if(RTA_BOOST_GRAPH_LINKS)
  set(program $<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>)
  set(rta_boost_graph $<BUILD_INTERFACE:$<IF:${program},${RTA_BOOST_GRAPH_ARCHIVE},Boost::graph>>
                      $<BUILD_INTERFACE:$<${program}:${RTA_BOOST_REGEX_ARCHIVE}>> $<INSTALL_INTERFACE:Boost::graph>)
endif()
