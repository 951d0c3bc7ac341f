#include "rta/static_order/verify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "antichains.hpp"
#include "entries.hpp"
#include "entry_order.hpp"
#include "entry_values.hpp"
#include "gpu_sharing.hpp"
#include "slot_kernels.hpp"
#include "waiting.hpp"

namespace rta::static_order {
namespace {

std::string text(Time time) { return fmt::format("{} ns", time.count()); }

void check_sharing(const Entries& entries, const Waiting& waiting, FaultList& faults) {
  if (waiting.order.size() < entries.size()) return;
  const ScheduledHyperepoch& scheduled = entries.scheduled();
  for (const Sharing& sharing : scheduled.sharing) {
    const auto& gpu = entries.resource(sharing.resource).gpu;
    if (!gpu) {
      faults.add(Fault::Kind::sharing).name = scheduled.resources[sharing.resource].name;
      continue;
    }
    std::vector<std::size_t> ids;
    std::vector<Kernel> kernels;
    std::vector<std::int64_t> weight;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const ScheduledRunnable& r = entries[i];
      if (std::ranges::find(r.resources, sharing.resource) == r.resources.end()) continue;
      ids.push_back(i);
      const Slot* slot = entries.slot_at(i);
      const auto kernel = slot == nullptr ? std::nullopt : kernel_of_slot(entries.graph(), *slot, *gpu);
      if (r.weight <= 0 || !kernel) continue;
      kernels.push_back(*kernel);
      weight.push_back(r.weight);
    }
    if (!valid_weights(kernels, weight, sharing.capacity, *gpu)) {
      faults.add(Fault::Kind::sharing).name = scheduled.resources[sharing.resource].name;
    } else if (sharing.by == Sharing::By::weights) {
      if (const auto crowd = overcrowded(scheduled, waiting, ids, sharing.capacity)) {
        faults.differs(Fault::Kind::sharing, {crowd->kernel}, scheduled.resources[sharing.resource].name, rta::to_string(crowd->others),
                       fmt::format("{}", sharing.capacity));
      }
    }
  }
}

// Sets the proof of hyperepoch `at`, if there is one.
void check_times(const ScheduledHyperepoch& scheduled, Submittee submittee, std::size_t at, Verification& out, FaultList& faults) {
  Cycle cycle;
  // T15g needs weights that hold; without them nothing is proven.
  const auto of_sharing = [&](const Fault& fault) { return fault.hyperepoch == at && fault.kind == Fault::Kind::sharing; };
  const bool by_streams = std::ranges::any_of(scheduled.sharing, [](const Sharing& s) { return s.by == Sharing::By::streams; });
  if (by_streams && (submittee == Submittee::overlap || std::ranges::any_of(out.faults, of_sharing))) return;
  auto proof = prove(scheduled, cycle);
  if (!proof) {
    faults.add(Fault::Kind::deadlock, cycle);
    return;
  }
  for (std::size_t i = 0; i < scheduled.runnables.size(); ++i) {
    const ScheduledRunnable& r = scheduled.runnables[i];
    const RunnableProof& p = proof->runnables[i];
    if (r.end < p.end) {
      Fault& fault = faults.add(Fault::Kind::claim, {i});
      fault.name = "end";
      fault.found = text(r.end);
      fault.expected = text(p.end);
      fault.by = p.end - r.end;
    }
    if (p.end > due_of(scheduled, r)) faults.add(Fault::Kind::late, {i}).by = p.end - due_of(scheduled, r);
  }
  if (scheduled.length < proof->length) {
    Fault& fault = faults.add(Fault::Kind::claim);
    fault.name = "length";
    fault.found = text(scheduled.length);
    fault.expected = text(proof->length);
    fault.by = proof->length - scheduled.length;
  }
  out.proofs[at] = std::move(proof);
}

void verify_hyperepoch(const Graph& graph, HyperepochId id, const Schedule& schedule, std::size_t at, Verification& out) {
  const ScheduledHyperepoch& scheduled = schedule.hyperepochs[at];
  FaultList faults(out, at);
  Entries entries(graph, id, scheduled);
  if (!entries.identify(faults)) return;
  const Waiting waiting = waiting_of(scheduled);
  EntryValues values(entries, schedule.submittee, faults);
  EntryOrder order(entries, waiting, schedule.submittee, faults);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    values.check(i);
    order.check_dependencies(i);
  }
  order.check_streams();
  check_sharing(entries, waiting, faults);
  check_times(scheduled, schedule.submittee, at, out, faults);
}

}  // namespace

Verification verify(const Schedule& schedule, const Graph& graph) {
  Verification out;
  out.proofs.resize(schedule.hyperepochs.size());
  std::vector<bool> seen(graph.hyperepochs.size(), false);
  for (std::size_t at = 0; at < schedule.hyperepochs.size(); ++at) {
    const auto same = [&](const Hyperepoch& h) { return h.name == schedule.hyperepochs[at].name; };
    const auto id = static_cast<HyperepochId>(std::ranges::find_if(graph.hyperepochs, same) - graph.hyperepochs.begin());
    if (id == graph.hyperepochs.size() || seen[id]) {
      Fault fault;
      fault.hyperepoch = at;
      fault.name = schedule.hyperepochs[at].name;
      out.faults.push_back(std::move(fault));
      continue;
    }
    seen[id] = true;
    verify_hyperepoch(graph, id, schedule, at, out);
  }
  for (HyperepochId id = 0; id < seen.size(); ++id) {
    if (seen[id]) continue;
    Fault fault;
    fault.kind = Fault::Kind::missing;
    fault.hyperepoch = schedule.hyperepochs.size();
    fault.name = graph.hyperepochs[id].name;
    out.faults.push_back(std::move(fault));
  }
  return out;
}

}  // namespace rta::static_order
