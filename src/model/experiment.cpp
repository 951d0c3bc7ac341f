#include "rta/model/experiment.hpp"

#include <algorithm>
#include <unordered_set>

#include "rta/model/error.hpp"
#include "rta/model/overloaded.hpp"

namespace rta {
Experiment::Experiment(std::string name, std::vector<Pool> pools, std::vector<Operation> operations)
    : name_(std::move(name)), pools_(std::move(pools)), operations_(std::move(operations)) {
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const Operation& o = operations_[i];
    const std::string subject = "operation '" + o.name + "'";
    if (!names.insert(o.name).second) throw_defect(subject + " exists twice");
    if (o.pool >= pools_.size()) throw_defect(subject + ": unknown pool");
    const PoolKind wanted =
        std::visit(overloaded{[](const GpuDemand&) { return PoolKind::gpu; }, [](const CopyDemand&) { return PoolKind::engines; },
                              [](const CallDemand&) { return PoolKind::cpu; }},
                   o.demand);
    if (pools_[o.pool].kind() != wanted) throw_defect(subject + " does not fit pool '" + pools_[o.pool].name + "'");
    const auto* const made = std::get_if<CallDemand>(&o.demand);
    if (made != nullptr && (made->call == nullptr || made->call->copies)) throw_defect(subject + " is no call");
    if (o.stream.empty() == (made == nullptr || made->call->awaits == Awaited::stream)) throw_defect(subject + ": its stream does not fit");
    if (o.by_memcpy && (!std::holds_alternative<CopyDemand>(o.demand) || o.stream != null_stream))
      throw_defect(subject + " is no copy on the NULL stream");
    if (o.at < Time::zero() || o.delay < Time::zero()) throw_defect(subject + ": times must not be negative");
    for (const std::size_t before : o.after) {
      if (before >= i) throw_defect(subject + " waits for an operation that is not earlier");
    }
  }
  if (operations_.empty()) throw_defect("an experiment needs an operation");
  const auto is_gpu = [](const Pool& pool) { return pool.kind() == PoolKind::gpu; };
  const auto in_slices = [](const Pool& pool) {
    const auto* const gpu = std::get_if<GpuPool>(&pool.resource);
    return gpu != nullptr && gpu->sharing.has_value();
  };
  if (has_calls() && (std::ranges::count_if(pools_, is_gpu) != 1 || std::ranges::any_of(pools_, in_slices)))
    throw_defect("calls need one GPU, which processes do not share");
}

bool Experiment::has_calls() const {
  return std::ranges::any_of(operations_, [](const Operation& o) { return o.by_memcpy || std::holds_alternative<CallDemand>(o.demand); });
}

}  // namespace rta
