// Which code is a job, which is start-up, and what is allowed where: comments that begin with `rta:`, and NVTX ranges of such names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rta/lint/finding.hpp"
#include "unit.hpp"

namespace rta::lint {

struct Region {
  enum class Kind : std::uint8_t { job, start_up };
  Kind kind = Kind::job;
  std::string name;  // of the job; may be empty
  Range tokens;
};

/// `rta: allow RULE reason`, for the line that it ends, or for the statement that follows it.
struct Allowance {
  std::vector<RuleId> rules;
  std::string reason;
  std::uint32_t offset = 0, length = 0;  // of the comment
  Range tokens;                          // that it covers
  std::optional<std::uint32_t> line;     // that it ends, from 0: of a macro, too
};

struct BadMark {
  std::uint32_t offset = 0, length = 0;
  std::string message;
};

struct Marks {
  std::vector<Region> regions;  // by their beginnings
  std::vector<Allowance> allowances;
  std::vector<BadMark> bad;
};

/// What a name of an NVTX range says: `rta: job NAME`, `rta: start-up`, or one that begins as a text of `job_ranges` does.
struct RangeMeaning {
  bool is_mark = false;
  Region::Kind kind = Region::Kind::job;
  std::string name;
};
[[nodiscard]] RangeMeaning meaning_of_range(std::string_view name, const std::vector<std::string>& job_ranges);

[[nodiscard]] Marks marks_of(const Unit& unit, const std::vector<std::string>& job_ranges);

}  // namespace rta::lint
