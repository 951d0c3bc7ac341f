// `requirement` of a DAG, a node or a chain: the names of what it has to satisfy.
#pragma once

#include <string_view>
#include <vector>

#include "fields.hpp"

namespace rta::io {

/// `requirement: REQ-12`, or a list of names. Empty where the key is absent, or wrong, which is reported.
[[nodiscard]] std::vector<std::string_view> read_requirements(const Fields& fields);

}  // namespace rta::io
