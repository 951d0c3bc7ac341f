#include "entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rta::static_order {

Entries::Entries(const Graph& graph, HyperepochId id, const ScheduledHyperepoch& scheduled)
    : graph_(graph), hyperepoch_(graph.hyperepochs[id]), scheduled_(scheduled) {
  for (std::size_t e = 0; e < hyperepoch_.epochs.size(); ++e) {
    std::optional<SlotFault> fault;
    slots_.push_back(slots_of(graph, id, e, fault));
  }
}

bool Entries::identify(FaultList& faults) {
  if (scheduled_.period != hyperepoch_.period)
    faults.differs(Fault::Kind::graph, {}, "period", fmt::format("{} ns", scheduled_.period.count()),
                   fmt::format("{} ns", hyperepoch_.period.count()));
  if (scheduled_.epochs.size() != hyperepoch_.epochs.size()) {
    faults.differs(Fault::Kind::graph, {}, "epochs", fmt::format("{}", scheduled_.epochs.size()),
                   fmt::format("{}", hyperepoch_.epochs.size()));
    return false;
  }
  find_epochs(faults);
  find_resources(faults);
  if (faults.empty()) find_runnables(faults);
  return faults.empty();
}

void Entries::find_epochs(FaultList& faults) const {
  for (std::size_t e = 0; e < hyperepoch_.epochs.size(); ++e) {
    const ScheduledEpoch& found = scheduled_.epochs[e];
    const Epoch& epoch = hyperepoch_.epochs[e];
    const auto words = [](const std::string& name, Time period, std::uint64_t frames) {
      return fmt::format("{}, {} ns, {} frames", name, period.count(), frames);
    };
    if (found.name != epoch.name || found.period != epoch.period || found.frames != epoch.frames)
      faults.differs(Fault::Kind::graph, {}, "epoch", words(found.name, found.period, found.frames),
                     words(epoch.name, epoch.period, epoch.frames));
  }
}

void Entries::find_resources(FaultList& faults) {
  std::map<std::string, ResourceId> by_name;
  for (ResourceId r = 0; r < graph_.resources.size(); ++r) by_name.emplace(full_name(graph_, r), r);
  for (const ScheduledResource& resource : scheduled_.resources) {
    const auto at = by_name.find(resource.name);
    if (at == by_name.end() || graph_.resources[at->second].type != resource.type) {
      faults.add(Fault::Kind::graph).name = resource.name;
    } else {
      resource_.push_back(at->second);
    }
  }
}

void Entries::find_runnables(FaultList& faults) {
  std::map<std::pair<std::size_t, std::string>, std::size_t> by_name;  // (epoch, full name) -> slot
  for (std::size_t e = 0; e < slots_.size(); ++e) {
    for (std::size_t s = 0; s < slots_[e].slots.size(); ++s) by_name[{e, slot_name(e, s)}] = s;
  }
  for (std::size_t i = 0; i < scheduled_.runnables.size(); ++i) {
    const ScheduledRunnable& r = scheduled_.runnables[i];
    std::size_t slot = frame_sync;
    const auto at = by_name.find({r.epoch, r.full_name()});
    if (r.role != Role::frame_sync && at != by_name.end()) slot = at->second;
    const bool group = slot != frame_sync && slots_[r.epoch].slots[slot].group;
    const bool known =
        (r.role == Role::frame_sync || at != by_name.end()) && r.frame < hyperepoch_.epochs[r.epoch].frames && group == r.client.empty();
    slot_.push_back(slot);
    if (!known && r.role != Role::frame_sync) {
      faults.add(Fault::Kind::unknown, {i});
    } else if (!id_of_.emplace(std::tuple(r.epoch, r.frame, slot), i).second) {
      faults.add(Fault::Kind::twice, {i});
    }
  }
  for (std::size_t e = 0; e < slots_.size(); ++e) {
    for (std::uint64_t k = 0; k < hyperepoch_.epochs[e].frames; ++k) {
      for (std::size_t s = 0; s < slots_[e].slots.size(); ++s) require_entry(e, k, s, faults);
      if (needs_sync(e, k)) require_entry(e, k, frame_sync, faults);
    }
  }
}

void Entries::require_entry(std::size_t epoch, std::uint64_t frame, std::size_t slot, FaultList& faults) const {
  if (id_of_.contains({epoch, frame, slot})) return;
  const std::string name = slot == frame_sync ? "frame-sync" : slot_name(epoch, slot);
  faults.differs(Fault::Kind::missing, {}, name, fmt::format("{}", frame), hyperepoch_.epochs[epoch].name);
}

bool Entries::needs_sync(std::size_t epoch, std::uint64_t frame) const {
  const Epoch& e = hyperepoch_.epochs[epoch];
  return !slots_[epoch].slots.empty() && ((frame > 0 && !e.overlap) || !e.frame_sync.empty());
}

std::string Entries::slot_name(std::size_t epoch, std::size_t slot) const {
  const Slot& s = slots_[epoch].slots[slot];
  return s.group ? s.name : full_name(graph_, graph_.runnables[*s.steps.front()]);
}

std::size_t Entries::slot_of(std::size_t epoch, RunnableId id) const {
  const auto has = [&](const Slot& slot) { return std::ranges::find(slot.steps, std::optional(id)) != slot.steps.end(); };
  return static_cast<std::size_t>(std::ranges::find_if(slots_[epoch].slots, has) - slots_[epoch].slots.begin());
}

}  // namespace rta::static_order
