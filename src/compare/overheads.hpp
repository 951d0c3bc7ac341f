// What C and L of a measured run include beside execution: nodes were played that much shorter (`rta run --overhead`).
#pragma once

#include <map>
#include <string>

#include "rta/model/task_set.hpp"
#include "rta/trace/record.hpp"

namespace rta::compare {

class Overheads {
 public:
  /// Those that the header names, and others instead of theirs. Throws `io::InputError` at the first line of `trace` for anything but times
  /// of pools.
  Overheads(const trace::Header& header, const std::string& trace, const std::map<std::string, Time>& instead = {});

  /// Of a node on `pool`; zero where there is none.
  [[nodiscard]] Time of(const Pool& pool) const;

 private:
  std::map<std::string, Time, std::less<>> by_hardware_;
};

}  // namespace rta::compare
