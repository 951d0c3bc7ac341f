// The functions that a file defines, as far as its tokens tell.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "code.hpp"

namespace rta::lint {

struct Parameter {
  std::string_view name;  // may be empty
  bool is_stream = false;
  bool has_default = false;
  bool is_pack = false;  // stands for any number of arguments: `...`, `T... x`
  Range default_value;
};

struct Function {
  std::string name;       // the last part; of a destructor with its `~`
  std::string qualified;  // e.g. `workload::GpuExecutor::run`
  std::string type;       // whose member it is; empty: of none
  std::uint32_t name_token = 0;
  Range head;  // what comes before the body
  Range body;  // with its braces
  std::vector<Parameter> parameters;
  bool is_kernel = false;
  bool is_device = false;  // runs on the GPU alone
  bool is_code = true;     // not: the initial value of a variable
  bool is_early = false;   // such a value, computed before `main`: no lambda that is kept
};

/// In the order of their bodies; a function within another (a lambda, a member of a local class) is part of that one.
[[nodiscard]] std::vector<Function> functions_of(const Code& code);

}  // namespace rta::lint
