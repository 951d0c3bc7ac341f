// What variables are declared, as far as tokens tell.
#pragma once

#include <vector>

#include "unit.hpp"

namespace rta::lint {

struct DeclaredVariables {
  std::vector<Variable> variables;  // in the order of their names
  std::vector<InitialValue> initial_values;
};
[[nodiscard]] DeclaredVariables variables_of(const Unit& unit);

}  // namespace rta::lint
