#include "rta/analysis/task_names.hpp"

#include <fmt/format.h>

namespace rta::analysis {

std::string TaskNames::label(std::size_t task) const {
  if (tasks.empty()) return fmt::format("task #{}", task);
  const Name& name = tasks[task];
  return name.ambiguous ? fmt::format("node '{}/{}'", kinds[name.kind], name.node) : fmt::format("node '{}'", name.node);
}

}  // namespace rta::analysis
