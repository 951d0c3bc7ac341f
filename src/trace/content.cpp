#include "rta/trace/content.hpp"

#include "rta/io/canonical_json.hpp"
#include "rta/io/digest.hpp"
#include "rta/model/error.hpp"

namespace rta::trace {

std::string content_sha256(const TaskSet& task_set) {
  try {
    return io::sha256(io::canonical_json(task_set));
  } catch (const UserError&) {
    return {};
  }
}

}  // namespace rta::trace
