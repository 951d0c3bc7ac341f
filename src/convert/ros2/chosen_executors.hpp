// What `--executor` says of executors of which the trace does not say what they are.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "../notes.hpp"
#include "rta/convert/convert.hpp"

namespace rta::convert {

class ChosenExecutors {
 public:
  ChosenExecutors(const Options& options, Notes& notes) : options_(options), notes_(notes) {}

  /// The type of the executor of a pool, as CARET's events spell it; empty: neither the trace nor the option says it. Throws
  /// `io::InputError` where they contradict one another, or the executor has more threads than the option says.
  [[nodiscard]] std::string type_of(const std::string& pool, const std::string& of_trace, std::size_t threads_seen);
  /// How many threads it has, by this option or `--processors`.
  [[nodiscard]] std::optional<std::uint32_t> threads_of(const std::string& pool) const;
  /// Throws `io::InputError` for names that no pool has.
  void check_names() const;

 private:
  [[nodiscard]] const ChosenExecutor* find(const std::string& pool) const;

  const Options& options_;
  Notes& notes_;
  std::set<std::string> pools_;  // that were asked for
};

}  // namespace rta::convert
