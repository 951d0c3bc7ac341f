// What variables are declared, as far as tokens tell.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "unit.hpp"

namespace rta::lint {

struct DeclaredVariables {
  std::vector<Variable> variables;  // in the order of their names
  std::vector<InitialValue> initial_values;
  std::map<std::string_view, Storage> types;  // other names of containers: `using Frames = std::vector<Frame>;`
};
[[nodiscard]] DeclaredVariables variables_of(const Unit& unit);

}  // namespace rta::lint
