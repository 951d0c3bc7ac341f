// A node of a DAG, or the node of a short-form task.
#pragma once

#include <optional>

#include "fields.hpp"
#include "platform_reader.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/model/task_set.hpp"

namespace rta::io {

/// Where a node is written: in a DAG's `nodes`, or in `tasks` together with its DAG's keys (name, copies, T).
enum class NodeForm : std::uint8_t { node, task };

/// `priority` of a DAG or a CPU node.
[[nodiscard]] std::optional<FixedPriority> read_fixed_priority(const Fields& fields);

/// How the C of kernels without `per: block` is read, and whether there was any.
struct KernelTimes {
  BareC reading = BareC::block;
  bool any_bare = false;
};

class NodeReader {
 public:
  /// `kernels`: null where C always stands for a block's work.
  NodeReader(const PlatformReader& platform, const Unit* time_unit, KernelTimes* kernels = nullptr)
      : platform_(platform), time_unit_(time_unit), kernels_(kernels) {}

  /// Fills in a new node, but for its name. When something is wrong with it, that is reported and the result means nothing.
  void read(const Fields& fields, NodeForm form, Node& node) const;
  /// What a kernel or a copy needs; other keys are not looked at. Without `variation` execution times may not vary.
  [[nodiscard]] GpuDemand read_gpu(const Fields& fields, const GpuPool& gpu, std::string_view pool,
                                   std::optional<Variation>* variation = nullptr) const;
  [[nodiscard]] CopyDemand read_copy(const Fields& fields, const EnginePool& engines, std::string_view pool,
                                     std::optional<Variation>* variation = nullptr) const;

 private:
  // A kernel of which only `time` is given; none where there is more.
  [[nodiscard]] std::optional<GpuDemand> read_kernel_without_blocks(const Fields& fields, const GpuPool& gpu,
                                                                    std::optional<Variation>* variation) const;
  // L, C or time of a kernel whose B, H and resources are known.
  void read_kernel_time(const Fields& fields, std::optional<std::uint64_t> H, std::optional<Variation>* variation, GpuDemand& demand) const;
  // `time` where L is known.
  void read_time_beside_blocks(const Fields& fields, GpuDemand& demand) const;
  // Says of a bare C how it is read, and how it could be.
  void warn_of_bare_C(const Fields& fields, const GpuDemand& demand) const;
  static void read_call(const Fields& fields);
  [[nodiscard]] CpuDemand read_cpu(const Fields& fields, const Pool& pool, std::optional<Variation>* variation) const;
  // `entity` of a callback, which gives it its priority where the executor picks by it; `executor` is null where there is none.
  static void read_entity(const Fields& fields, const PlatformReader::Executor* executor, CpuDemand& demand);
  [[nodiscard]] WorkerDemand read_worker(const Fields& fields, std::optional<Variation>* variation) const;
  // The longest time of one piece: `2 ms`, or, where it may vary, `{max: 2 ms, min: 1 ms, mode: 1.2 ms}`.
  [[nodiscard]] std::optional<Time> piece_time(const Fields& fields, Key key, std::string_view hint, Wide least,
                                               std::optional<Variation>* variation) const;
  // The same as a workload: each piece runs on `H` threads.
  [[nodiscard]] std::optional<Wide> piece_work(const Fields& fields, Key key, Wide least, std::uint64_t H,
                                               std::optional<Variation>* variation) const;

  const PlatformReader& platform_;
  const Unit* time_unit_;
  KernelTimes* kernels_;
};

}  // namespace rta::io
