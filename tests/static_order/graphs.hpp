// Graphs written for tests: the head that all of them share, and what is read from a text.
#pragma once

#include <string>

#include "rta/static_order/compile.hpp"
#include "rta/static_order/graph_file.hpp"

namespace rta::static_order {

/// One client `c` with these runnables, one hyperepoch `h` of one epoch `e`, both of that period.
inline std::string graph_text(const std::string& resources, const std::string& runnables, const std::string& period = "100ms",
                              const std::string& of_client = "") {
  return "Version: 3.0.0\ng:\n  Identifier: 1\n  Resources: {" + resources + "}\n  Hyperepochs: [{h: {Period: " + period +
         ", Epochs: [{e: }]}}]\n  Clients:\n    - c:\n" + (of_client.empty() ? "" : "        Resources: {" + of_client + "}\n") +
         "        Epochs:\n          - h.e:\n              Runnables:\n" + runnables;
}
inline std::string line(const std::string& runnable) { return "                - " + runnable + "\n"; }

inline Graph graph_of_text(const std::string& text) { return parse_graph(text, "g.yaml").graph; }

inline CompileOptions effort(std::uint64_t rounds) {
  CompileOptions options;
  options.effort = rounds;
  return options;
}

}  // namespace rta::static_order
