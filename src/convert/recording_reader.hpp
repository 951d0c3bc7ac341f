// Traces of `rta record`.
#pragma once

#include "notes.hpp"
#include "profile/profile.hpp"
#include "rta/trace/reader.hpp"

namespace rta::convert {

/// All that is left in `reader`, whose header says that it is a recording. Throws as the reader does, and `UserError` when there is too
/// much.
[[nodiscard]] Profile read_recording(trace::Reader& reader, Notes& notes);

/// What a run says of itself that is not as it should be.
void warn_of_check(const trace::CheckRecord& check, Notes& notes);

}  // namespace rta::convert
