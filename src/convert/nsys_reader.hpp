// Profiles of Nsight Systems, exported with `nsys export --type sqlite`.
#pragma once

#include "notes.hpp"
#include "profile/profile.hpp"
#include "sqlite.hpp"

namespace rta::convert {

/// Throws `io::InputError` with table and row of what is wrong, or with the table that is missing.
[[nodiscard]] Profile read_nsys(const Database& database, Notes& notes, const Progress& progress = {});

}  // namespace rta::convert
