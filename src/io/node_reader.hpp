// A node of a DAG, or the node of a short-form task.
#pragma once

#include <optional>

#include "fields.hpp"
#include "platform_reader.hpp"
#include "rta/model/task_set.hpp"

namespace rta::io {

/// Where a node is written: in a DAG's `nodes`, or in `tasks` together with its DAG's keys (name, copies, T).
enum class NodeForm : std::uint8_t { node, task };

class NodeReader {
 public:
  NodeReader(const PlatformReader& platform, const Unit* time_unit) : platform_(platform), time_unit_(time_unit) {}

  /// The node without its name. When something is wrong with it, that is reported and the result means nothing.
  [[nodiscard]] Node read(const Fields& fields, NodeForm form) const;
  /// What a kernel or a copy needs; other keys are not looked at.
  [[nodiscard]] GpuDemand read_gpu(const Fields& fields, const GpuPool& gpu, std::string_view pool) const;
  [[nodiscard]] CopyDemand read_copy(const Fields& fields, const EnginePool& engines, std::string_view pool) const;

 private:
  [[nodiscard]] CpuDemand read_cpu(const Fields& fields) const;
  [[nodiscard]] WorkerDemand read_worker(const Fields& fields) const;
  [[nodiscard]] std::optional<Time> required_time(const Fields& fields, std::string_view key, std::string_view hint, Wide least) const;

  const PlatformReader& platform_;
  const Unit* time_unit_;
};

}  // namespace rta::io
