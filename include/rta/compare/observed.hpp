// A trace told once more, as a simulation tells what it does.
#pragma once

#include <string>

#include "rta/model/task_set.hpp"
#include "rta/simulate/observer.hpp"
#include "rta/trace/reader.hpp"

namespace rta::compare {

/// Tells `observer` every record of the trace of that task set. Throws `io::InputError` for names that the task set does not have.
void tell(const TaskSet& task_set, trace::Reader& reader, const std::string& name, simulate::Observer& observer);

}  // namespace rta::compare
