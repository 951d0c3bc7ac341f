// What company was measured to do to blocks, case by case: the evidence for an `Interference`, and company that it does not count.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rta/model/interference.hpp"

namespace rta {

struct MeasuredCompany {
  /// One company, and each class beside it.
  struct Row {
    std::string where;                             // e.g. `other SMs`, `same SM`, `copies`, `CPUs`
    std::string beside;                            // e.g. `DRAM on a half`; for people
    std::vector<std::optional<Lengthening>> more;  // by class: how much longer than alone at most; below 0: never as long
    bool operator==(const Row&) const = default;
  };
  /// Company of several classes at once, beside what it does by the classes alone.
  struct Mixtures {
    std::size_t measured = 0;
    std::string confirm;                         // max, sum or neither
    Lengthening beyond_max = 0, beyond_sum = 0;  // of the worst: by how much it is worse than that; below 0: none is as bad
    bool operator==(const Mixtures&) const = default;
  };
  std::vector<std::string> classes;
  std::optional<Mixtures> mixtures;
  std::vector<Row> rows;
  bool operator==(const MeasuredCompany&) const = default;
};

/// What company was seen to do that no `Interference` counts: copies, and processors at work on memory. A line each, of the worst case.
struct NotCounted {
  std::string text;
  Lengthening more = 0;
};
[[nodiscard]] std::vector<NotCounted> not_counted(const MeasuredCompany& measured);

}  // namespace rta
