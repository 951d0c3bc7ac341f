// `platform:` of a task-set file.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fields.hpp"
#include "launch_costs.hpp"
#include "rta/model/pool.hpp"
#include "rta/model/task_set.hpp"

namespace rta::io {

/// `reservation: {runtime: Q, period: P}`; none where something is wrong with it, which is reported.
[[nodiscard]] std::optional<Reservation> read_reservation(const Fields& fields, const Value& value, const Unit* time_unit);

class PlatformReader {
 public:
  explicit PlatformReader(Diagnostics& out) : out_(out) {}

  void read(const Value& platform, const Unit* time_unit);
  /// `executors:`, after the platform: each gives its pool the rule by which it picks callbacks.
  void read_executors(const Value& executors, const Unit* time_unit);

  /// The pool that `on: word` of `node` means, by its name or as the only one of its kind (`cpu`, `gpu`). Reports there what is wrong; says
  /// nothing of a pool whose description was reported already.
  [[nodiscard]] std::optional<PoolId> resolve(const Value& on, const Fields& node) const;
  /// The pool of that kind, if there is one and no other; else how many there are is reported, at `at`. `what`: the kind in words.
  [[nodiscard]] std::optional<PoolId> only(PoolKind kind, std::string_view what, Mark at, Subject subject) const;
  [[nodiscard]] const Pool& pool(PoolId id) const { return pools_[id]; }
  /// An executor of the file.
  struct Executor {
    std::string name;
    std::optional<PoolId> pool;
    bool by_entity = false;  // it picks by what a callback belongs to
  };
  /// The executor that `executor: word` of `node` means. Reports there what is wrong.
  [[nodiscard]] const Executor* executor(const Value& word, const Fields& node) const;
  /// That of a pool; null where it has none.
  [[nodiscard]] const Executor* executor_on(PoolId pool) const;
  [[nodiscard]] bool has(std::string_view name) const { return by_name_.contains(name) || cut_.contains(name); }
  /// Reports every `sharing`; `what` knows nothing of it, in words.
  void refuse_sharing(std::string_view what) const;
  /// Reports every `partitions` likewise.
  void refuse_partitions(std::string_view what) const;
  /// Reports every `launch_overhead` and `dispatch_latency` likewise.
  void refuse_launch_costs(std::string_view what) const;
  /// What launches cost on the GPUs that say so.
  [[nodiscard]] const LaunchCosts& launch_costs() const { return launches_; }
  [[nodiscard]] std::vector<Pool> take() { return std::move(pools_); }

 private:
  /// One pool per processor: cpu0, cpu1 ...
  void add_partitions(const Pool& pool, std::uint32_t count, Mark at);
  /// One pool per partition of a GPU: orin/perception ...; false where it has none.
  bool add_parts(const Pool& gpu, const Fields& fields, Mark at, std::size_t errors_before);
  void add(Pool pool, std::optional<PoolKind> kind, Mark at);
  [[nodiscard]] std::optional<PoolId> only_of_kind(PoolKind kind, const Value& on, const Fields& node) const;

  Diagnostics& out_;
  std::vector<Pool> pools_;
  std::vector<bool> known_;  // whether its kind is known
  bool all_known_ = true;
  std::map<std::string, Mark, std::less<>> shared_;  // GPU -> where its `sharing` is
  std::array<std::vector<PoolId>, 4> by_kind_;
  std::map<std::string, PoolId, std::less<>> by_name_;
  std::map<std::string, std::uint32_t, std::less<>> partitioned_;  // processors of pools that were written as one
  std::uint64_t partitions_ = 0;                                   // in all
  struct Cut {
    Mark at;  // of its `partitions`
    std::string parts;
  };
  std::map<std::string, Cut, std::less<>> cut_;  // GPU -> the pools of its partitions
  std::vector<Executor> executors_;
  LaunchCosts launches_;
};

}  // namespace rta::io
