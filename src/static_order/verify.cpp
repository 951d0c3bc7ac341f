#include "rta/static_order/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "antichains.hpp"
#include "gpu_sharing.hpp"
#include "slots.hpp"
#include "waiting.hpp"

namespace rta::static_order {
namespace {

constexpr std::size_t most_faults = 1000;

std::string text(Time time) { return fmt::format("{} ns", time.count()); }
std::string text(const std::optional<Time>& time) { return time ? text(*time) : "none"; }

class HyperepochVerifier {
 public:
  HyperepochVerifier(const Graph& graph, HyperepochId id, const Schedule& schedule, std::size_t at, Verification& out)
      : graph_(graph), hyperepoch_(graph.hyperepochs[id]), schedule_(schedule), scheduled_(schedule.hyperepochs[at]), at_(at), out_(out) {
    for (std::size_t e = 0; e < hyperepoch_.epochs.size(); ++e) {
      std::optional<SlotFault> fault;
      slots_.push_back(slots_of(graph, id, e, fault));
    }
  }

  void run() {
    if (!same_frame()) return;
    identify();
    if (failed_) return;
    waiting_ = waiting_of(scheduled_);
    for (std::size_t i = 0; i < scheduled_.runnables.size(); ++i) {
      check_resources(i);
      check_values(i);
      check_dependencies(i);
    }
    check_streams();
    check_sharing();
    check_times();
  }

 private:
  Fault& add(Fault::Kind kind, std::vector<std::size_t> runnables = {}) {
    failed_ = true;
    Fault fault;
    fault.kind = kind;
    fault.hyperepoch = at_;
    fault.runnables = std::move(runnables);
    if (out_.faults.size() >= most_faults) return spare_ = fault;
    return out_.faults.emplace_back(std::move(fault));
  }

  void differs(Fault::Kind kind, std::vector<std::size_t> runnables, std::string name, std::string found, std::string expected) {
    Fault& fault = add(kind, std::move(runnables));
    fault.name = std::move(name);
    fault.found = std::move(found);
    fault.expected = std::move(expected);
  }

  bool same_frame() {
    if (scheduled_.period != hyperepoch_.period)
      differs(Fault::Kind::graph, {}, "period", text(scheduled_.period), text(hyperepoch_.period));
    if (scheduled_.epochs.size() != hyperepoch_.epochs.size()) {
      differs(Fault::Kind::graph, {}, "epochs", fmt::format("{}", scheduled_.epochs.size()), fmt::format("{}", hyperepoch_.epochs.size()));
      return false;
    }
    for (std::size_t e = 0; e < hyperepoch_.epochs.size(); ++e) {
      const ScheduledEpoch& found = scheduled_.epochs[e];
      const Epoch& epoch = hyperepoch_.epochs[e];
      const auto words = [](const std::string& name, Time period, std::uint64_t frames) {
        return fmt::format("{}, {} ns, {} frames", name, period.count(), frames);
      };
      if (found.name != epoch.name || found.period != epoch.period || found.frames != epoch.frames)
        differs(Fault::Kind::graph, {}, "epoch", words(found.name, found.period, found.frames),
                words(epoch.name, epoch.period, epoch.frames));
    }
    std::map<std::string, ResourceId> by_name;
    for (ResourceId r = 0; r < graph_.resources.size(); ++r) by_name.emplace(full_name(graph_, r), r);
    for (const ScheduledResource& resource : scheduled_.resources) {
      const auto at = by_name.find(resource.name);
      if (at == by_name.end() || graph_.resources[at->second].type != resource.type) {
        add(Fault::Kind::graph).name = resource.name;
      } else {
        resource_.push_back(at->second);
      }
    }
    return !failed_;
  }

  // Which slot, in which frame, every entry is.
  void identify() {
    std::map<std::pair<std::size_t, std::string>, std::size_t> by_name;  // (epoch, full name) -> slot
    for (std::size_t e = 0; e < slots_.size(); ++e) {
      for (std::size_t s = 0; s < slots_[e].slots.size(); ++s) {
        const Slot& slot = slots_[e].slots[s];
        by_name[{e, slot.group ? slot.name : full_name(graph_, graph_.runnables[*slot.steps.front()])}] = s;
      }
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
        add(Fault::Kind::unknown, {i});
      } else if (!id_of_.emplace(std::tuple(r.epoch, r.frame, slot), i).second) {
        add(Fault::Kind::twice, {i});
      }
    }
    for (std::size_t e = 0; e < slots_.size(); ++e) {
      for (std::uint64_t k = 0; k < hyperepoch_.epochs[e].frames; ++k) {
        for (std::size_t s = 0; s < slots_[e].slots.size(); ++s) require_entry(e, k, s);
        if (needs_sync(e, k)) require_entry(e, k, frame_sync);
      }
    }
  }

  [[nodiscard]] bool needs_sync(std::size_t epoch, std::uint64_t frame) const {
    const Epoch& e = hyperepoch_.epochs[epoch];
    return !slots_[epoch].slots.empty() && ((frame > 0 && !e.overlap) || !e.frame_sync.empty());
  }

  void require_entry(std::size_t epoch, std::uint64_t frame, std::size_t slot) {
    if (id_of_.contains({epoch, frame, slot})) return;
    const std::string name = slot == frame_sync ? "frame-sync" : slot_name(epoch, slot);
    differs(Fault::Kind::missing, {}, name, fmt::format("{}", frame), hyperepoch_.epochs[epoch].name);
  }

  [[nodiscard]] std::string slot_name(std::size_t epoch, std::size_t slot) const {
    const Slot& s = slots_[epoch].slots[slot];
    return s.group ? s.name : full_name(graph_, graph_.runnables[*s.steps.front()]);
  }

  [[nodiscard]] const Slot* slot_at(std::size_t i) const {
    return slot_[i] == frame_sync ? nullptr : &slots_[scheduled_.runnables[i].epoch].slots[slot_[i]];
  }
  [[nodiscard]] std::size_t entry(std::size_t i, std::size_t slot) const {
    return id_of_.at({scheduled_.runnables[i].epoch, scheduled_.runnables[i].frame, slot});
  }

  // Every need has a resource of its own, and there are no others.
  void check_resources(std::size_t i) {
    const ScheduledRunnable& r = scheduled_.runnables[i];
    const Slot* slot = slot_at(i);
    const auto& needs = slot != nullptr ? slot->needs : hyperepoch_.epochs[r.epoch].frame_sync;
    std::vector<ResourceId> left;
    left.reserve(r.resources.size());
    for (const std::size_t resource : r.resources) left.push_back(resource_[resource]);
    std::vector<const ResourceNeed*> sorted;  // those with the least choice first
    sorted.reserve(needs.size());
    for (const ResourceNeed& need : needs) sorted.push_back(&need);
    std::ranges::stable_sort(sorted, {}, [](const ResourceNeed* need) { return need->any_of.size(); });
    for (const ResourceNeed* need : sorted) {
      const auto at = std::ranges::find_if(left, [&](ResourceId id) { return std::ranges::find(need->any_of, id) != need->any_of.end(); });
      if (at == left.end()) {
        add(Fault::Kind::resources, {i}).expected = need->type.empty() ? full_name(graph_, need->any_of.front()) : need->type;
        return;
      }
      left.erase(at);
    }
    if (!left.empty()) {
      add(Fault::Kind::resources, {i}).found = full_name(graph_, left.front());
      return;
    }
    check_stream_of(i, slot);
  }

  void check_stream_of(std::size_t i, const Slot* slot) {
    const ScheduledRunnable& r = scheduled_.runnables[i];
    std::optional<std::size_t> stream;
    if (slot != nullptr && slot->submitter) {
      for (const std::size_t resource : scheduled_.runnables[entry(i, *slot->submitter)].resources) {
        if (graph_.resources[resource_[resource]].kind == ResourceKind::stream) stream = resource;
      }
    }
    if (r.stream != stream) {
      differs(Fault::Kind::value, {i}, "stream", r.stream ? scheduled_.resources[*r.stream].name : "none",
              stream ? scheduled_.resources[*stream].name : "none");
    } else if (stream) {
      const ResourceId engine = *graph_.resources[resource_[*stream]].serves;
      const bool there = std::ranges::any_of(r.resources, [&](std::size_t resource) { return resource_[resource] == engine; });
      if (!there) add(Fault::Kind::resources, {i}).expected = full_name(graph_, engine);
    }
  }

  [[nodiscard]] const Sharing* sharing_of(const ScheduledRunnable& r) const {
    for (const Sharing& sharing : scheduled_.sharing) {
      if (std::ranges::find(r.resources, sharing.resource) != r.resources.end()) return &sharing;
    }
    return nullptr;
  }

  void check_values(std::size_t i) {
    const ScheduledRunnable& r = scheduled_.runnables[i];
    const Slot* slot = slot_at(i);
    const Epoch& epoch = hyperepoch_.epochs[r.epoch];
    const Time start = epoch.period * static_cast<std::int64_t>(r.frame);
    Time release = start;
    std::optional<Time> deadline = epoch.deadline;
    for (const RunnableId id : steps(slot)) {
      const Runnable& runnable = graph_.runnables[id];
      release = std::max(release, start + runnable.start_time);
      if (runnable.deadline) deadline = deadline ? std::min(*deadline, *runnable.deadline) : runnable.deadline;
    }
    if (deadline) deadline = start + *deadline;
    if (slot == nullptr) deadline.reset();
    if (r.release != release) differs(Fault::Kind::value, {i}, "release", text(r.release), text(release));
    if (r.deadline != deadline) differs(Fault::Kind::value, {i}, "deadline", text(r.deadline), text(deadline));
    const Time wcet = wcet_of(i, slot);
    if (r.wcet != wcet) differs(Fault::Kind::value, {i}, "wcet", text(r.wcet), text(wcet));
    Role role = slot == nullptr ? Role::frame_sync : slot->submits ? Role::submitter : slot->submitter ? Role::submittee : Role::runnable;
    if (r.role != role) differs(Fault::Kind::value, {i}, "kind", std::string(to_string(r.role)), std::string(to_string(role)));
    std::vector<std::size_t> submits;
    if (slot != nullptr && slot->submits) submits.push_back(entry(i, *slot->submits));
    if (r.submits != submits) add(Fault::Kind::value, {i}).name = "submits";
    std::vector<std::string> names;
    if (slot != nullptr && slot->group) {
      for (const auto& step : slot->steps) names.push_back(step ? full_name(graph_, graph_.runnables[*step]) : std::string());
    }
    if (r.steps != names) add(Fault::Kind::value, {i}).name = "steps";
  }

  [[nodiscard]] static std::vector<RunnableId> steps(const Slot* slot) {
    std::vector<RunnableId> ids;
    for (std::size_t s = 0; slot != nullptr && s < slot->steps.size(); ++s) {
      if (slot->steps[s]) ids.push_back(*slot->steps[s]);
    }
    return ids;
  }

  [[nodiscard]] std::optional<Kernel> kernel_at(const Slot* slot, const GpuPool& gpu) const {
    std::optional<Kernel> kernel;
    for (const RunnableId id : steps(slot)) {
      if (!graph_.runnables[id].blocks) return std::nullopt;
      const Kernel one = kernel_of(*graph_.runnables[id].blocks, gpu);
      kernel = kernel ? larger_of(*kernel, one) : one;
    }
    return kernel;
  }

  // Alone on its resource, or the length of a block where kernels share it.
  Time wcet_of(std::size_t i, const Slot* slot) {
    const ScheduledRunnable& r = scheduled_.runnables[i];
    Time longest;
    for (const RunnableId id : steps(slot)) {
      const Runnable& runnable = graph_.runnables[id];
      Time length = runnable.wcet;
      for (const std::size_t resource : r.resources) {
        const auto& gpu = graph_.resources[resource_[resource]].gpu;
        if (!gpu || !runnable.blocks) continue;
        const Time alone = time_alone(kernel_of(*runnable.blocks, *gpu), *gpu);
        length = length > Time::zero() ? std::min(length, alone) : alone;
      }
      longest = std::max(longest, length);
    }
    const Sharing* sharing = sharing_of(r);
    if (sharing != nullptr && slot != nullptr) {
      const auto& gpu = graph_.resources[resource_[sharing->resource]].gpu;
      const auto kernel = gpu ? kernel_at(slot, *gpu) : std::nullopt;
      const bool shares = r.weight > 0 || sharing->by == Sharing::By::streams;
      if (shares && !kernel) add(Fault::Kind::sharing, {i});
      if (shares && kernel) {
        longest = kernel->L;
        if (r.blocks != kernel->B) differs(Fault::Kind::value, {i}, "blocks", fmt::format("{}", r.blocks), fmt::format("{}", kernel->B));
        if (r.weight <= 0) differs(Fault::Kind::value, {i}, "weight", fmt::format("{}", r.weight), "1 or more");
      }
    } else if (r.weight != 0) {
      differs(Fault::Kind::value, {i}, "weight", fmt::format("{}", r.weight), "0");
    }
    if (schedule_.submittee == Submittee::after || slot == nullptr || !slot->submitter) return longest;
    const std::size_t submitter = entry(i, *slot->submitter);
    return std::max(longest, wcet_of(submitter, slot_at(submitter)));
  }

  // Whether `after` waits for the end of `before`, by way of others or not.
  [[nodiscard]] bool waits_for(std::size_t after, std::size_t before) {
    if (std::ranges::find(scheduled_.runnables[after].after, before) != scheduled_.runnables[after].after.end()) return true;
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

  void must_wait(std::size_t after, std::size_t before) {
    if (!waits_for(after, before)) add(Fault::Kind::dependency, {after, before});
  }

  void check_dependencies(std::size_t i) {
    const ScheduledRunnable& r = scheduled_.runnables[i];
    const Slot* slot = slot_at(i);
    const Epoch& epoch = hyperepoch_.epochs[r.epoch];
    if (slot == nullptr) {  // the start of a frame: all of the one before has ended
      for (std::size_t s = 0; r.frame > 0 && !epoch.overlap && s < slots_[r.epoch].slots.size(); ++s) {
        const auto waited_for = [&](const Slot& other) { return std::ranges::find(other.before, s) != other.before.end(); };
        if (std::ranges::none_of(slots_[r.epoch].slots, waited_for)) must_wait(i, id_of_.at({r.epoch, r.frame - 1, s}));
      }
      return;
    }
    for (const std::size_t before : slot->before) {
      const std::size_t other = entry(i, before);
      const bool together = schedule_.submittee == Submittee::overlap && slot->submitter == before;
      const bool starts = std::ranges::find(r.after_start, other) != r.after_start.end();
      if (!together || !starts) must_wait(i, other);
    }
    for (const std::size_t other : r.after_start) {
      const bool allowed = schedule_.submittee == Submittee::overlap && slot->submitter && entry(i, *slot->submitter) == other;
      if (!allowed) add(Fault::Kind::value, {i}).name = "after_start";
    }
    if (slot->before.empty() && needs_sync(r.epoch, r.frame)) must_wait(i, id_of_.at({r.epoch, r.frame, frame_sync}));
    for (const RunnableId id : steps(slot)) {
      for (const RunnableId before : graph_.runnables[id].previous) {
        if (r.frame > 0) must_wait(i, id_of_.at({r.epoch, r.frame - 1, slot_of(r.epoch, before)}));
      }
    }
  }

  [[nodiscard]] std::size_t slot_of(std::size_t epoch, RunnableId id) const {
    const auto has = [&](const Slot& slot) { return std::ranges::find(slot.steps, std::optional(id)) != slot.steps.end(); };
    return static_cast<std::size_t>(std::ranges::find_if(slots_[epoch].slots, has) - slots_[epoch].slots.begin());
  }

  // The order of submitters on a stream is that of their submittees.
  void check_streams() {
    std::map<std::size_t, std::vector<std::size_t>> submitted, run;
    for (std::size_t i = 0; i < scheduled_.runnables.size(); ++i) {
      const ScheduledRunnable& r = scheduled_.runnables[i];
      if (r.stream) run[*r.stream].push_back(i);
      const Slot* slot = slot_at(i);
      for (const std::size_t resource : r.resources) {
        if (slot != nullptr && slot->submits && graph_.resources[resource_[resource]].kind == ResourceKind::stream)
          submitted[resource].push_back(entry(i, *slot->submits));
      }
    }
    for (const auto& [stream, ids] : submitted) {
      const auto& order = run[stream];
      for (std::size_t k = 0; k < std::min(ids.size(), order.size()); ++k) {
        if (ids[k] == order[k]) continue;
        add(Fault::Kind::stream, {order[k], ids[k]}).name = scheduled_.resources[stream].name;
        break;
      }
    }
  }

  void check_sharing() {
    if (waiting_.order.size() < scheduled_.runnables.size()) return;
    for (const Sharing& sharing : scheduled_.sharing) {
      const auto& gpu = graph_.resources[resource_[sharing.resource]].gpu;
      if (!gpu) {
        add(Fault::Kind::sharing).name = scheduled_.resources[sharing.resource].name;
        continue;
      }
      std::vector<std::size_t> ids;
      std::vector<Kernel> kernels;
      std::vector<std::int64_t> weight;
      for (std::size_t i = 0; i < scheduled_.runnables.size(); ++i) {
        const ScheduledRunnable& r = scheduled_.runnables[i];
        if (std::ranges::find(r.resources, sharing.resource) == r.resources.end()) continue;
        ids.push_back(i);
        const auto kernel = kernel_at(slot_at(i), *gpu);
        if (r.weight <= 0 || !kernel) continue;
        kernels.push_back(*kernel);
        weight.push_back(r.weight);
      }
      if (!valid_weights(kernels, weight, sharing.capacity, *gpu)) {
        add(Fault::Kind::sharing).name = scheduled_.resources[sharing.resource].name;
      } else if (sharing.by == Sharing::By::weights) {
        if (const auto crowd = overcrowded(scheduled_, waiting_, ids, sharing.capacity)) {
          differs(Fault::Kind::sharing, {crowd->kernel}, scheduled_.resources[sharing.resource].name, rta::to_string(crowd->others),
                  fmt::format("{}", sharing.capacity));
        }
      }
    }
  }

  void check_times() {
    Cycle cycle;
    // T15g needs weights that hold; without them nothing is proven.
    const auto of_sharing = [&](const Fault& fault) { return fault.hyperepoch == at_ && fault.kind == Fault::Kind::sharing; };
    const bool by_streams = std::ranges::any_of(scheduled_.sharing, [](const Sharing& s) { return s.by == Sharing::By::streams; });
    if (by_streams && (schedule_.submittee == Submittee::overlap || std::ranges::any_of(out_.faults, of_sharing))) return;
    auto proof = prove(scheduled_, cycle);
    if (!proof) {
      add(Fault::Kind::deadlock, cycle);
      return;
    }
    for (std::size_t i = 0; i < scheduled_.runnables.size(); ++i) {
      const ScheduledRunnable& r = scheduled_.runnables[i];
      const RunnableProof& p = proof->runnables[i];
      if (r.end < p.end) {
        Fault& fault = add(Fault::Kind::claim, {i});
        fault.name = "end";
        fault.found = text(r.end);
        fault.expected = text(p.end);
        fault.by = p.end - r.end;
      }
      if (p.end > due_of(scheduled_, r)) add(Fault::Kind::late, {i}).by = p.end - due_of(scheduled_, r);
    }
    if (scheduled_.length < proof->length) {
      Fault& fault = add(Fault::Kind::claim);
      fault.name = "length";
      fault.found = text(scheduled_.length);
      fault.expected = text(proof->length);
      fault.by = proof->length - scheduled_.length;
    }
    out_.proofs[at_] = std::move(proof);
  }

  static constexpr std::size_t frame_sync = static_cast<std::size_t>(-1);
  const Graph& graph_;
  const Hyperepoch& hyperepoch_;
  const Schedule& schedule_;
  const ScheduledHyperepoch& scheduled_;
  std::size_t at_;
  Verification& out_;
  std::vector<Slots> slots_;
  std::vector<ResourceId> resource_;  // of the graph, by resource of the schedule
  std::vector<std::size_t> slot_;     // by runnable
  std::map<std::tuple<std::size_t, std::uint64_t, std::size_t>, std::size_t> id_of_;
  Waiting waiting_;
  Fault spare_;
  bool failed_ = false;
};

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
    HyperepochVerifier(graph, id, schedule, at, out).run();
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
