#include "rta/model/stream_priority.hpp"

namespace rta {

std::string stream_priority_text(StreamPriority priority) {
  if (priority == low_priority) return "low";
  return priority == high_priority ? "high" : std::to_string(priority);
}

}  // namespace rta
