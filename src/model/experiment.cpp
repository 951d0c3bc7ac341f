#include "rta/model/experiment.hpp"

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
    const PoolKind wanted = std::visit(
        overloaded{[](const GpuDemand&) { return PoolKind::gpu; }, [](const CopyDemand&) { return PoolKind::engines; }}, o.demand);
    if (pools_[o.pool].kind() != wanted) throw_defect(subject + " does not fit pool '" + pools_[o.pool].name + "'");
    if (o.stream.empty()) throw_defect(subject + " has no stream");
    if (o.at < Time::zero() || o.delay < Time::zero()) throw_defect(subject + ": times must not be negative");
    for (const std::size_t before : o.after) {
      if (before >= i) throw_defect(subject + " waits for an operation that is not earlier");
    }
  }
  if (operations_.empty()) throw_defect("an experiment needs an operation");
}

}  // namespace rta
