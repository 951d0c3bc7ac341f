// Where code runs: in a job, at start-up, or somewhere else; and what is allowed there.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "intervals.hpp"
#include "marks.hpp"
#include "rta/lint/lint.hpp"

namespace rta::lint {

struct Where {
  enum class Kind : std::uint8_t { other, job, start_up };
  Kind kind = Kind::other;
  bool marked = false;               // a mark says so
  const std::string* job = nullptr;  // its name
};

/// The places of one file. Within a region, the innermost one counts.
class Places {
 public:
  Places(Marks marks, Unmarked unmarked);

  [[nodiscard]] Where at(std::uint32_t token) const;
  [[nodiscard]] const Marks& marks() const { return marks_; }
  /// The innermost allowance of the rule for a token, or for a line of a macro (from 0), or no_index.
  [[nodiscard]] std::uint32_t allowance(RuleId rule, std::uint32_t token) const;
  [[nodiscard]] std::uint32_t allowance_on_line(RuleId rule, std::uint32_t line) const;

 private:
  struct Allowed {
    std::vector<std::uint32_t> numbers;
    Intervals intervals;
  };
  Marks marks_;
  Intervals regions_;
  std::map<RuleId, Allowed> allowed_;
  std::map<std::pair<RuleId, std::uint32_t>, std::uint32_t> on_lines_;
  Where::Kind unmarked_;
};

}  // namespace rta::lint
