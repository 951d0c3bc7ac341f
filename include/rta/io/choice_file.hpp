// Task-set files that leave something open: a list where a single value may stand is a choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rta/io/task_set_file.hpp"

namespace rta::io {

/// What a file leaves open: `node 'cam/conv1': on`, with `gpu0` and `gpu1`.
struct Choice {
  std::string what;
  std::vector<std::string> alternatives;
  std::vector<std::uint64_t> costs = {};  // of each alternative; empty where the file gives none
  bool operator==(const Choice&) const = default;
};

/// For each choice the number of an alternative, from 0.
using Selection = std::vector<std::size_t>;

/// A task-set file in which, beside what `parse_task_set` reads,
/// - every key of a pool and of a node, and `T`, `T_max`, `jitter`, `phase`, `D`, `priority` and `copies` of a DAG or task may have a list
/// of values;
/// - `variants` of a node, DAG or task lists mappings, each with what it then has beside its other keys (such as B, H and L, or copies and
/// nodes);
/// - an alternative of a list may be {value: gpu1, cost: 300}, and a variant may have a `cost`: whole numbers, of one unit in the file;
/// - every key of a partition of a GPU may have a list, and its `sms` a range, {from: 4, to: 12, step: 2},
/// with the `cost` of each SM;
/// - `phase: any` of a DAG or task stands for the multiples of T/24, and gives each of its copies one of its own;
/// - `clusters` of a CPU pool is into how many equal pools it is split, NAME0, NAME1 ...: each DAG then has one of them for its nodes on
/// NAME. Choices do not nest.
class ChoiceFile {
 public:
  /// `name` stands for the file in messages. Throws `InputError` for what is no YAML and for lists that are no choices.
  ChoiceFile(std::string_view text, const std::string& name);
  ~ChoiceFile();
  ChoiceFile(const ChoiceFile&) = delete;
  ChoiceFile& operator=(const ChoiceFile&) = delete;

  /// In file order; the clusters of DAGs last. Never empty alternatives.
  [[nodiscard]] std::span<const Choice> choices() const;
  /// The selection that says the same with the least numbers: a DAG's cluster among those that there are.
  [[nodiscard]] Selection plain(Selection selection) const;
  /// Whether some alternative has a cost.
  [[nodiscard]] bool has_costs() const;
  /// What the alternatives of a selection cost in all.
  [[nodiscard]] std::uint64_t cost(const Selection& selection) const;
  /// The task set of a selection, of one number per choice. Throws `InputError` as parse_task_set does, with the file's positions.
  [[nodiscard]] ReadResult task_set(const Selection& selection) const;

 private:
  class Content;
  std::unique_ptr<Content> content_;
};

}  // namespace rta::io
