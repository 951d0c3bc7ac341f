// Where a file with choices leaves something open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "diagnostics.hpp"
#include "rta/io/choice_file.hpp"
#include "yaml_tree.hpp"

namespace rta::io {

/// A list of values or of variants.
struct ChoicePoint {
  const Value* list = nullptr;
  bool variants = false;
  std::vector<std::string> values;  // that a range or `any` stands for; then `list` is that
};

/// Into how many pools a pool may be split.
struct ClusteredPool {
  std::string_view name;
  const Value* value = nullptr;       // of `clusters`
  std::size_t choice = 0;             // of its number; no_choice where it is given
  std::vector<std::uint64_t> counts;  // by alternative
};
inline constexpr std::size_t no_choice = static_cast<std::size_t>(-1);

/// The nodes of a DAG (or task) on a clustered pool.
struct ClusterOfDag {
  const Value* dag = nullptr;
  std::size_t pool = 0;  // among the clustered ones
};

struct ChoicePoints {
  std::vector<Choice> choices;  // of `points`, then of `dags`
  std::vector<ChoicePoint> points;
  std::unordered_map<const Value*, std::size_t> at;       // list -> its point, the first copy's where each has one
  std::unordered_map<const Value*, std::uint64_t> apart;  // DAG -> copies, each of which has a phase of its own
  std::vector<ClusteredPool> clustered;
  std::vector<ClusterOfDag> dags;
};

/// Reports lists that are no choices.
[[nodiscard]] ChoicePoints choice_points(const Value& root, Diagnostics& out);

/// What an alternative of a list is without its cost: that of `value` in {value: gpu1, cost: 300}, else the alternative itself.
[[nodiscard]] const Value& without_cost(const Value& alternative);

/// The value of a key; null where there is none.
[[nodiscard]] const Value* member_of(const Value& mapping, std::string_view key);

}  // namespace rta::io
