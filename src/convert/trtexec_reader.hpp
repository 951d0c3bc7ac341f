// What trtexec of TensorRT exports as JSON: layers (--exportProfile), or the times of every inference (--exportTimes).
#pragma once

#include "bytes.hpp"
#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// One DAG: an inference. The GPU is an engine that serves one request at a time, because neither file knows grids and blocks. Throws
/// `io::InputError` with the place of what is wrong.
[[nodiscard]] Draft read_trtexec(Bytes& bytes, const Options& options, Notes& notes);

}  // namespace rta::convert
