#include "unit.hpp"

#include <algorithm>
#include <utility>

#include "variables.hpp"

namespace rta::lint {

Unit::Unit(std::string name, std::string text, bool reported) : file_(std::move(name), std::move(text)), reported_(reported) {
  const Tokens& tokens = file_.tokens();
  code_ = Code(tokens.code, tokens.branches);
  functions_ = functions_of(code_);
  for (const Macro& macro : tokens.macros) {
    MacroBody body;
    body.macro = &macro;
    body.code = Code(macro.body, {});
    body.calls = calls_in(body.code, {0, body.code.size()});
    macros_.push_back(std::move(body));
  }
  // Also outside of functions: attributes and values of variables are mentions there.
  calls_ = calls_in(code_, {0, code_.size()});
  DeclaredVariables declared = variables_of(*this);
  variables_ = std::move(declared.variables);
  initial_values_ = std::move(declared.initial_values);
  types_ = std::move(declared.types);
  library_names_ = library_names_in(code_);
}

bool Unit::is_device_vector(std::string_view type) const {
  const auto known = types_.find(type);
  return known != types_.end() && known->second == Storage::device;
}

std::uint32_t Unit::function_at(std::uint32_t token) const {
  const auto after = std::ranges::upper_bound(functions_, token, {}, [](const Function& f) { return f.head.begin; });
  if (after == functions_.begin()) return no_index;
  const auto candidate = after - 1;
  return token < candidate->body.end ? static_cast<std::uint32_t>(candidate - functions_.begin()) : no_index;
}

}  // namespace rta::lint
