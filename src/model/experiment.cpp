#include "rta/model/experiment.hpp"

#include <stdexcept>
#include <unordered_set>

namespace rta {
namespace {

[[noreturn]] void invalid(const std::string& what) { throw std::invalid_argument(what); }

}  // namespace

Experiment::Experiment(std::string name, std::vector<Pool> pools, std::vector<Operation> operations)
    : name_(std::move(name)), pools_(std::move(pools)), operations_(std::move(operations)) {
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < operations_.size(); ++i) {
    const Operation& o = operations_[i];
    const std::string subject = "operation '" + o.name + "'";
    if (!names.insert(o.name).second) invalid(subject + " exists twice");
    if (o.pool >= pools_.size()) invalid(subject + ": unknown pool");
    const PoolKind wanted = std::holds_alternative<GpuDemand>(o.demand) ? PoolKind::gpu : PoolKind::engines;
    if (pools_[o.pool].kind() != wanted) invalid(subject + " does not fit pool '" + pools_[o.pool].name + "'");
    if (o.stream.empty()) invalid(subject + " has no stream");
    if (o.at < Time::zero() || o.delay < Time::zero()) invalid(subject + ": times must not be negative");
    for (const std::size_t before : o.after) {
      if (before >= i) invalid(subject + " waits for an operation that is not earlier");
    }
  }
  if (operations_.empty()) invalid("an experiment needs an operation");
}

}  // namespace rta
