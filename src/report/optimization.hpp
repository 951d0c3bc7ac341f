// What `rta optimize` chose, as text, JSON and a page. Nothing is computed here.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "optimize/outcome.hpp"

namespace rta::report {

struct Optimization {
  const optimize::Result& result;
  const optimize::Outcome& outcome;
  std::optional<std::uint64_t> combinations;  // none: more than 64 bits hold
  std::optional<std::string> written;         // the file with the chosen task set
  std::vector<std::string> warnings;
  analysis::Objective objective = analysis::Objective::sum;  // what the search minimised
};

void print_optimization_text(const Optimization& report, std::ostream& out);
void print_optimization_json(const Optimization& report, std::ostream& out);
void print_optimization_page(const Optimization& report, std::ostream& out);

}  // namespace rta::report
