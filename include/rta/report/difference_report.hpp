// What changed between two results. Nothing is computed here.
#pragma once

#include "rta/diff/difference.hpp"

namespace rta::report {

struct DifferenceReport {
  const diff::Result& before;
  const diff::Result& after;
  const diff::Difference& difference;
  bool verbose = false;  // for people: what is neither a bound nor a verdict of nodes, too
  bool colour = false;   // text: the verdict in colour
};

}  // namespace rta::report
