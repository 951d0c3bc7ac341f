// Which functions lead to a call that breaks a rule.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "program.hpp"

namespace rta::lint {

/// How a node leads to a call that breaks the rule.
struct Way {
  std::uint32_t site = no_index;  // that is taken; no_index: none leads there
  std::uint32_t next = no_index;  // the node that is called there; no_index: it is the end
  std::uint32_t end = no_index;   // the call that breaks the rule
};

/// The callee by which a site leads there, or no_index.
[[nodiscard]] std::uint32_t leading(const Site& site, const std::vector<Way>& ways);

/// For one rule, each node's shortest way. A call that goes to one of several functions that cannot be told apart leads there when all of
/// them do, a call of a virtual function when any does. `counts`: whether the hit of a site is to be passed on.
[[nodiscard]] std::vector<Way> reach(const Program& program, RuleId rule,
                                     const std::function<bool(std::uint32_t site, const Hit& hit)>& counts);

}  // namespace rta::lint
