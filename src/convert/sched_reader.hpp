// What Linux's scheduler did, as text: of trace-cmd report, perf script, perf sched script, or ftrace's trace file.
#pragma once

#include "bytes.hpp"
#include "draft.hpp"
#include "notes.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

/// A DAG of one CPU node per thread. A job lasts from a wakeup until the thread sleeps; C is its time on processors, without that in which
/// others preempted it, with its waits in state D. Throws `io::InputError` with the place of what is wrong.
[[nodiscard]] Draft read_sched(Bytes& bytes, const Options& options, Notes& notes);

}  // namespace rta::convert
