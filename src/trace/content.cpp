#include "rta/trace/content.hpp"

#include "rta/io/canonical_json.hpp"
#include "rta/io/digest.hpp"
#include "rta/model/error.hpp"

namespace rta::trace {

std::string content_sha256(const TaskSet& task_set) {
  try {
    if (task_set.requirements().empty()) return io::sha256(io::canonical_json(task_set));
    // What is required of it is nothing that a run shows.
    const TaskSet as_played(task_set.name(), {task_set.pools().begin(), task_set.pools().end()},
                            {task_set.dags().begin(), task_set.dags().end()}, task_set.chains());
    return io::sha256(io::canonical_json(as_played));
  } catch (const UserError&) {
    return {};
  }
}

}  // namespace rta::trace
