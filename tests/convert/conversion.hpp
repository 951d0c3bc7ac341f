// Conversions in tests.
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "rta/convert/convert.hpp"
#include "rta/io/task_set_file.hpp"

namespace rta::test {

/// A file of tasksets/imports.
inline std::string file_of(const std::string& name) {
  std::ifstream in(std::string(RTA_SOURCE_DIR) + "/tasksets/imports/" + name, std::ios::binary);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline TaskSet converted(const std::string& text, const convert::Options& options = {}, const std::string& name = "file") {
  return std::get<TaskSet>(convert::convert_text(text, name, options).content);
}

/// What the conversion refuses, line by line.
inline std::string fault_of(const std::string& text, const convert::Options& options = {}, const std::string& name = "file") {
  try {
    (void)convert::convert_text(text, name, options);
  } catch (const UserError& error) {
    return error.what();
  }
  return "converted";
}

inline bool mentions(const std::vector<std::string>& sentences, std::string_view part) {
  for (const std::string& sentence : sentences) {
    if (sentence.find(part) != std::string::npos) return true;
  }
  return false;
}

inline const Node& node_of(const Dag& dag, std::string_view name) {
  for (const Node& node : dag.nodes()) {
    if (node.name == name) return node;
  }
  FAIL("no node " << std::string(name));
  return dag.nodes().front();
}

/// `a -> b`, one per line, in the order of the DAG.
inline std::string edges_of(const Dag& dag) {
  std::string text;
  for (const Edge& edge : dag.edges()) text += dag.nodes()[edge.from].name + " -> " + dag.nodes()[edge.to].name + "\n";
  return text;
}

}  // namespace rta::test
