#include "entry_values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gpu_sharing.hpp"
#include "slot_kernels.hpp"

namespace rta::static_order {
namespace {

std::string text(const std::optional<Time>& time) { return time ? fmt::format("{} ns", time->count()) : "none"; }

}  // namespace

void EntryValues::check(std::size_t i) {
  check_resources(i);
  check_values(i);
}

// Every need has a resource of its own, and there are no others.
void EntryValues::check_resources(std::size_t i) {
  const ScheduledRunnable& r = entries_[i];
  const Slot* slot = entries_.slot_at(i);
  const auto& needs = slot != nullptr ? slot->needs : entries_.epoch(r.epoch).frame_sync;
  std::vector<ResourceId> left;
  left.reserve(r.resources.size());
  for (const std::size_t resource : r.resources) left.push_back(entries_.resource_id(resource));
  std::vector<const ResourceNeed*> sorted;  // those with the least choice first
  sorted.reserve(needs.size());
  for (const ResourceNeed& need : needs) sorted.push_back(&need);
  std::ranges::stable_sort(sorted, {}, [](const ResourceNeed* need) { return need->any_of.size(); });
  for (const ResourceNeed* need : sorted) {
    const auto at = std::ranges::find_if(left, [&](ResourceId id) { return std::ranges::find(need->any_of, id) != need->any_of.end(); });
    if (at == left.end()) {
      faults_.add(Fault::Kind::resources, {i}).expected = need->type.empty() ? full_name(graph_, need->any_of.front()) : need->type;
      return;
    }
    left.erase(at);
  }
  if (!left.empty()) {
    faults_.add(Fault::Kind::resources, {i}).found = full_name(graph_, left.front());
    return;
  }
  check_stream_of(i, slot);
}

void EntryValues::check_stream_of(std::size_t i, const Slot* slot) {
  const ScheduledRunnable& r = entries_[i];
  std::optional<std::size_t> stream;
  if (slot != nullptr && slot->submitter) {
    for (const std::size_t resource : entries_[entries_.entry_beside(i, *slot->submitter)].resources) {
      if (entries_.resource(resource).kind == ResourceKind::stream) stream = resource;
    }
  }
  if (r.stream != stream) {
    faults_.differs(Fault::Kind::value, {i}, "stream", r.stream ? entries_.scheduled().resources[*r.stream].name : "none",
                    stream ? entries_.scheduled().resources[*stream].name : "none");
  } else if (stream) {
    const ResourceId engine = *entries_.resource(*stream).serves;
    const bool there = std::ranges::any_of(r.resources, [&](std::size_t resource) { return entries_.resource_id(resource) == engine; });
    if (!there) faults_.add(Fault::Kind::resources, {i}).expected = full_name(graph_, engine);
  }
}

const Sharing* EntryValues::sharing_of(const ScheduledRunnable& r) const {
  for (const Sharing& sharing : entries_.scheduled().sharing) {
    if (std::ranges::find(r.resources, sharing.resource) != r.resources.end()) return &sharing;
  }
  return nullptr;
}

void EntryValues::check_values(std::size_t i) {
  const ScheduledRunnable& r = entries_[i];
  const Slot* slot = entries_.slot_at(i);
  const Epoch& epoch = entries_.epoch(r.epoch);
  const Time start = epoch.period * static_cast<std::int64_t>(r.frame);
  Time release = start;
  std::optional<Time> deadline = epoch.deadline;
  for (const RunnableId id : entries_.runnables_at(i)) {
    const Runnable& runnable = graph_.runnables[id];
    release = std::max(release, start + runnable.start_time);
    if (runnable.deadline) deadline = deadline ? std::min(*deadline, *runnable.deadline) : runnable.deadline;
  }
  if (deadline) deadline = start + *deadline;
  if (slot == nullptr) deadline.reset();
  if (r.release != release) faults_.differs(Fault::Kind::value, {i}, "release", text(r.release), text(release));
  if (r.deadline != deadline) faults_.differs(Fault::Kind::value, {i}, "deadline", text(r.deadline), text(deadline));
  const Time wcet = wcet_of(i);
  if (r.wcet != wcet) faults_.differs(Fault::Kind::value, {i}, "wcet", text(r.wcet), text(wcet));
  Role role = slot == nullptr ? Role::frame_sync : slot->submits ? Role::submitter : slot->submitter ? Role::submittee : Role::runnable;
  if (r.role != role) faults_.differs(Fault::Kind::value, {i}, "kind", std::string(to_string(r.role)), std::string(to_string(role)));
  std::vector<std::size_t> submits;
  if (slot != nullptr && slot->submits) submits.push_back(entries_.entry_beside(i, *slot->submits));
  if (r.submits != submits) faults_.add(Fault::Kind::value, {i}).name = "submits";
  std::vector<std::string> names;
  if (slot != nullptr && slot->group) {
    for (const auto& step : slot->steps) names.push_back(step ? full_name(graph_, graph_.runnables[*step]) : std::string());
  }
  if (r.steps != names) faults_.add(Fault::Kind::value, {i}).name = "steps";
}

// Alone on its resource, or the length of a block where kernels share it.
Time EntryValues::wcet_of(std::size_t i) {
  const ScheduledRunnable& r = entries_[i];
  const Slot* slot = entries_.slot_at(i);
  Time longest;
  for (const RunnableId id : entries_.runnables_at(i)) {
    const Runnable& runnable = graph_.runnables[id];
    Time length = runnable.wcet;
    for (const std::size_t resource : r.resources) {
      const auto& gpu = entries_.resource(resource).gpu;
      if (!gpu || !runnable.blocks) continue;
      const Time alone = time_alone(kernel_of(*runnable.blocks, *gpu), *gpu);
      length = length > Time::zero() ? std::min(length, alone) : alone;
    }
    longest = std::max(longest, length);
  }
  const Sharing* sharing = sharing_of(r);
  if (sharing != nullptr && slot != nullptr) {
    const auto& gpu = entries_.resource(sharing->resource).gpu;
    const auto kernel = gpu ? kernel_of_slot(graph_, *slot, *gpu) : std::nullopt;
    const bool shares = r.weight > 0 || sharing->by == Sharing::By::streams;
    if (shares && !kernel) faults_.add(Fault::Kind::sharing, {i});
    if (shares && kernel) {
      longest = kernel->L;
      if (r.blocks != kernel->B)
        faults_.differs(Fault::Kind::value, {i}, "blocks", fmt::format("{}", r.blocks), fmt::format("{}", kernel->B));
      if (r.weight <= 0) faults_.differs(Fault::Kind::value, {i}, "weight", fmt::format("{}", r.weight), "1 or more");
    }
  } else if (r.weight != 0) {
    faults_.differs(Fault::Kind::value, {i}, "weight", fmt::format("{}", r.weight), "0");
  }
  if (submittee_ == Submittee::after || slot == nullptr || !slot->submitter) return longest;
  const std::size_t submitter = entries_.entry_beside(i, *slot->submitter);
  return std::max(longest, wcet_of(submitter));
}

}  // namespace rta::static_order
