// What runs on one GPU at an instant, and how much longer each block takes for it (docs/theory/contention.md).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan.hpp"
#include "rta/model/other_work.hpp"

namespace rta::simulate {

/// The kernels of a GPU, of all its partitions, that have blocks on SMs.
class Company {
 public:
  /// So many blocks of the job start, or end, on an SM of the plan's GPU `gpu`.
  void start(std::uint32_t job, const PlanNode& node, std::uint32_t gpu, std::uint32_t sm, std::uint32_t blocks);
  void end(std::uint32_t job, std::uint32_t sm, std::uint32_t blocks);

  /// Whether copy engines and processors are at work now.
  void set_other_work(const OtherWork& work) {
    changed_ = changed_ || work != other_work_;
    other_work_ = work;
  }

  /// By how much of its time alone a block of the job takes longer on that SM, as long as nothing starts or ends.
  [[nodiscard]] Lengthening more(std::uint32_t job, const PlanNode& node, const Interference& of, std::uint32_t gpu, std::uint32_t sm);

  /// Whether something has started or ended since the last `settle`.
  [[nodiscard]] bool changed() const { return changed_; }
  void settle() {
    changed_ = false;
    known_.reset();
  }

 private:
  struct Resident {
    std::uint32_t job = 0;
    std::uint32_t node = 0;  // of the plan
    std::uint32_t gpu = 0;
    std::optional<std::uint32_t> of_class;
    std::uint32_t blocks = 0;
    std::vector<std::uint32_t> on;  // blocks by SM
  };
  /// Kernels by class; those without one by their nodes, as jobs of a node are of one class.
  struct Classes {
    std::uint64_t known = 0;
    std::vector<std::uint32_t> without;
    void add(const Resident& resident);
    bool operator==(const Classes&) const = default;
  };
  struct Known {
    std::uint32_t job = 0;
    Classes others, same;
    Lengthening more = 0;
  };

  std::vector<Resident> residents_;
  OtherWork other_work_;
  std::optional<Known> known_;  // the last answer: neighbouring SMs mostly have the same company
  Classes others_, same_;       // scratch
  bool changed_ = false;
};

/// What is left of a block, and when it ends at its pace. Its end never comes later than that of a block that had its worst company all the
/// time.
class Pace {
 public:
  Pace() = default;
  /// `rounds_up`: it ends at the first whole instant after its work, else at the last before.
  Pace(std::int64_t alone, bool rounds_up) : left_(Wide{alone} * whole_time), rounds_up_(rounds_up) {}
  void change(Lengthening more, std::int64_t now);
  [[nodiscard]] std::int64_t end() const { return end_; }

 private:
  Wide left_ = 0;  // billionths of a ns of its time alone, at `since_`
  std::int64_t since_ = 0;
  std::int64_t end_ = never;
  Lengthening more_ = -1;  // not yet known
  bool rounds_up_ = true;
};

}  // namespace rta::simulate
