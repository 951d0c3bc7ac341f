#include "entry_order.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace rta::static_order {

// Whether `after` waits for the end of `before`, by way of others or not.
bool EntryOrder::waits_for(std::size_t after, std::size_t before) const {
  if (std::ranges::find(entries_[after].after, before) != entries_[after].after.end()) return true;
  std::vector<std::size_t> open{after};
  std::set<std::size_t> seen{after};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    for (const Decision& decision : waiting_.before[at]) {
      if (decision.predecessor == before && decision.by != Decision::By::submitter_start) return true;
      if (seen.insert(decision.predecessor).second) open.push_back(decision.predecessor);
    }
  }
  return false;
}

void EntryOrder::must_wait(std::size_t after, std::size_t before) {
  if (!waits_for(after, before)) faults_.add(Fault::Kind::dependency, {after, before});
}

void EntryOrder::check_dependencies(std::size_t i) {
  const ScheduledRunnable& r = entries_[i];
  const Slot* slot = entries_.slot_at(i);
  const Epoch& epoch = entries_.epoch(r.epoch);
  if (slot == nullptr) {  // the start of a frame: all of the one before has ended
    for (std::size_t s = 0; r.frame > 0 && !epoch.overlap && s < entries_.slots(r.epoch).size(); ++s) {
      const auto waited_for = [&](const Slot& other) { return std::ranges::find(other.before, s) != other.before.end(); };
      if (std::ranges::none_of(entries_.slots(r.epoch), waited_for)) must_wait(i, entries_.entry(r.epoch, r.frame - 1, s));
    }
    return;
  }
  for (const std::size_t before : slot->before) {
    const std::size_t other = entries_.entry_beside(i, before);
    const bool starts = std::ranges::find(r.after_start, other) != r.after_start.end();
    if (!starts_together(*slot, before, submittee_) || !starts) must_wait(i, other);
  }
  for (const std::size_t other : r.after_start) {
    const bool allowed =
        slot->submitter && starts_together(*slot, *slot->submitter, submittee_) && entries_.entry_beside(i, *slot->submitter) == other;
    if (!allowed) faults_.add(Fault::Kind::value, {i}).name = "after_start";
  }
  if (slot->before.empty() && entries_.needs_sync(r.epoch, r.frame)) must_wait(i, entries_.entry(r.epoch, r.frame, Entries::frame_sync));
  for (const RunnableId id : entries_.runnables_at(i)) {
    for (const RunnableId before : graph_.runnables[id].previous) {
      if (r.frame > 0) must_wait(i, entries_.entry(r.epoch, r.frame - 1, entries_.slot_of(r.epoch, before)));
    }
  }
}

void EntryOrder::check_streams() {
  std::map<std::size_t, std::vector<std::size_t>> submitted, run;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const ScheduledRunnable& r = entries_[i];
    if (r.stream) run[*r.stream].push_back(i);
    const Slot* slot = entries_.slot_at(i);
    for (const std::size_t resource : r.resources) {
      if (slot != nullptr && slot->submits && entries_.resource(resource).kind == ResourceKind::stream)
        submitted[resource].push_back(entries_.entry_beside(i, *slot->submits));
    }
  }
  for (const auto& [stream, ids] : submitted) {
    const auto& order = run[stream];
    for (std::size_t k = 0; k < std::min(ids.size(), order.size()); ++k) {
      if (ids[k] == order[k]) continue;
      faults_.add(Fault::Kind::stream, {order[k], ids[k]}).name = entries_.scheduled().resources[stream].name;
      break;
    }
  }
}

}  // namespace rta::static_order
