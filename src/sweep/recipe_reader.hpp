// `platform:` and `random:` of a generation file.
#pragma once

#include <optional>

#include "io/fields.hpp"
#include "rta/generate/recipe.hpp"

namespace rta::sweep {

/// The recipe of a document whose top mapping is `top`, with everything that is wrong reported to `out`; checked with `generate::check`.
[[nodiscard]] std::optional<generate::Recipe> read_recipe(const io::Value& top, io::Diagnostics& out);

/// The value at a path of keys like `random.cpu.utilization`; null when there is none.
[[nodiscard]] const io::Value* value_at(const io::Value& top, std::string_view path);

}  // namespace rta::sweep
