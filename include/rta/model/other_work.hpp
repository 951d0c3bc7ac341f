// What runs beside kernels without being one, copies and CPU nodes, and what it was measured to do to their blocks.
#pragma once

#include <optional>
#include <vector>

#include "rta/model/interference.hpp"
#include "rta/model/measured_company.hpp"

namespace rta {

struct Node;

/// What is at work, or may be, on whatever copy engine and CPU pool.
struct OtherWork {
  bool copies = false;
  bool cpus = false;
  bool operator==(const OtherWork&) const = default;
};

/// By the victim's class: how much longer a block takes while copy engines copy, and while processors run nodes. Each row of `other_sm` has
/// both numbers behind those of the classes, or none has.
struct OtherWorkColumns {
  std::vector<Lengthening> copies, cpus;
};
[[nodiscard]] std::optional<OtherWorkColumns> other_work_columns(const Interference& of);
/// Requires a number for each class in both, and that there are none yet.
void add_other_work_columns(Interference& of, const OtherWorkColumns& columns);
[[nodiscard]] bool counts_other_work(const Interference& of);

/// By how much that lengthens a block of that class, at most: the sum of both, whatever `combine` says of classes.
[[nodiscard]] Lengthening lengthening(const Interference& of, std::optional<std::uint32_t> victim, const OtherWork& present);

/// Whether the node is a copy or runs on processors, and kernels of that GPU take longer beside such nodes; of some GPU of the task set.
[[nodiscard]] bool is_other_work(const Interference& of, const Node& node);
[[nodiscard]] bool is_other_work(const TaskSet& task_set, const Node& node);

/// `not_counted` of what was measured, where `counted` has no columns for it.
[[nodiscard]] std::vector<NotCounted> not_counted(const MeasuredCompany& measured, const std::optional<Interference>& counted);

}  // namespace rta
