// `interference` of a GPU, and what nodes say of it.
#pragma once

#include <optional>
#include <string>

#include "fields.hpp"
#include "rta/model/interference.hpp"
#include "rta/model/pool.hpp"
#include "rta/model/task_set.hpp"

namespace rta::io {

/// `value`: of the key `interference` in `pool`. Nothing where it is wrong, which is reported.
[[nodiscard]] std::optional<Interference> read_interference(const Fields& pool, const Value& value);
/// The mapping as a file has it.
[[nodiscard]] std::string interference_text(const Interference& of);
/// The same in JSON.
[[nodiscard]] std::string interference_json(const Interference& of);

/// `class` of a kernel, which a GPU with `interference` asks for. One without classes stands for a GPU whose description is wrong.
void read_class(const Fields& node, const GpuPool& gpu, std::string_view pool, GpuDemand& kernel);

}  // namespace rta::io
