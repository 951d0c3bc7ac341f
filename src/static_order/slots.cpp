#include "slots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace rta::static_order {
namespace {

using Steps = std::vector<std::optional<RunnableId>>;

class SlotBuilder {
 public:
  SlotBuilder(const Graph& graph, HyperepochId hyperepoch, std::size_t epoch, std::optional<SlotFault>& fault)
      : graph_(graph), epoch_(graph.hyperepochs[hyperepoch].epochs[epoch]), fault_(fault) {
    for (RunnableId id = 0; id < graph.runnables.size(); ++id) {
      if (graph.runnables[id].hyperepoch == hyperepoch && graph.runnables[id].epoch == epoch) runnables_.push_back(id);
    }
  }

  Slots run() {
    groups_ = epoch_.aliases;
    for (std::size_t i = 0; i < groups_.size(); ++i) follow_submitters(AliasGroup(groups_[i]));
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      for (const auto& step : groups_[i].steps) {
        if (step) group_of_[*step] = i;
      }
    }
    for (const RunnableId id : runnables_) add_slot_of(id);
    for (Slot& slot : result_.slots) merge(slot);
    for (Slot& slot : result_.slots) narrow_stream(slot);
    for (Slot& slot : result_.slots) slot.waits_for_submitter = depends_on_others_of_submitter(slot);
    if (!fault_) check_circles();
    return std::move(result_);
  }

 private:
  // Submittees of steps take the same slot in the same order.
  void follow_submitters(const AliasGroup& group) {
    Steps submittees;
    bool any = false;
    bool all = true;
    for (const auto& step : group.steps) {
      submittees.push_back(step ? graph_.runnables[*step].submits : std::nullopt);
      any = any || submittees.back();
      all = all && (!step || submittees.back());
    }
    if (!any) return;
    if (!all) {
      fail(group.name, "some of its steps submit something and others do not");
      return;
    }
    for (const AliasGroup& other : groups_) {
      const auto among = [&](const auto& step) { return step && std::ranges::find(other.steps, step) != other.steps.end(); };
      if (std::ranges::none_of(submittees, among)) continue;
      if (other.steps != submittees)
        fail(group.name, fmt::format("what its steps submit takes turns in another order (alias group '{}')", other.name));
      return;
    }
    groups_.push_back({group.name + ".submitted", std::move(submittees)});
  }

  void fail(const std::string& group, std::string message) {
    if (!fault_) fault_ = SlotFault{group, std::move(message)};
  }

  void add_slot_of(RunnableId id) {
    if (slot_of_.contains(id)) return;
    Slot slot;
    const auto group = group_of_.find(id);
    if (group == group_of_.end()) {
      slot.name = graph_.runnables[id].name;
      slot.steps.emplace_back(id);
    } else {
      slot.name = groups_[group->second].name;
      slot.steps = groups_[group->second].steps;
      slot.group = true;
    }
    for (const auto& step : slot.steps) {
      if (step) slot_of_[*step] = result_.slots.size();
    }
    result_.slots.push_back(std::move(slot));
  }

  void merge(Slot& slot) {
    const auto at = static_cast<std::size_t>(&slot - result_.slots.data());
    for (const auto& step : slot.steps) {
      if (!step) continue;
      const Runnable& runnable = graph_.runnables[*step];
      for (const ResourceNeed& need : runnable.needs) add_need(slot, need);
      for (const RunnableId before : runnable.dependencies) add_before(slot, slot_of_.at(before));
      if (!runnable.submits) continue;
      slot.submits = slot_of_.at(*runnable.submits);
      result_.slots[*slot.submits].submitter = at;
      add_before(result_.slots[*slot.submits], at);
    }
  }

  [[nodiscard]] bool depends_on_others_of_submitter(const Slot& slot) const {
    const std::vector<RunnableId> ids = runnables_of(slot);
    return std::ranges::any_of(ids, [&](RunnableId id) {
      return std::ranges::any_of(graph_.runnables[id].dependencies, [&](RunnableId before) {
        return slot_of_.at(before) == slot.submitter && graph_.runnables[before].submits != id;
      });
    });
  }

  // Of streams those that lead to where the submittees of all steps can run.
  void narrow_stream(Slot& slot) {
    if (!slot.submits || !slot.group) return;
    const auto of_kind = [&](std::vector<ResourceNeed>& needs, ResourceKind kind) {
      return std::ranges::find_if(needs, [&](const ResourceNeed& need) { return graph_.resources[need.any_of.front()].kind == kind; });
    };
    auto& engines = result_.slots[*slot.submits].needs;
    const auto stream = of_kind(slot.needs, ResourceKind::stream);
    const auto engine = of_kind(engines, ResourceKind::engine);
    if (stream == slot.needs.end() || engine == engines.end()) return;
    ResourceNeed left = *stream;
    std::erase_if(left.any_of,
                  [&](ResourceId id) { return std::ranges::find(engine->any_of, *graph_.resources[id].serves) == engine->any_of.end(); });
    if (left.any_of.empty()) {
      fail(slot.name, "its steps have no stream in common that leads to where all that they submit can run");
      return;
    }
    *stream = std::move(left);
  }

  static void add_before(Slot& slot, std::size_t before) {
    if (std::ranges::find(slot.before, before) == slot.before.end()) slot.before.push_back(before);
  }

  [[nodiscard]] bool is_hardware(const ResourceNeed& need) const {
    const ResourceKind kind = graph_.resources[need.any_of.front()].kind;
    return kind == ResourceKind::cpu || kind == ResourceKind::engine;
  }

  // Hardware and streams are those that all steps could take; mutexes those that any step takes.
  void add_need(Slot& slot, const ResourceNeed& need) {
    const ResourceKind kind = graph_.resources[need.any_of.front()].kind;
    for (ResourceNeed& have : slot.needs) {
      if (have.any_of == need.any_of) return;
      const bool same_role = (is_hardware(have) && is_hardware(need)) ||
                             (kind == ResourceKind::stream && graph_.resources[have.any_of.front()].kind == ResourceKind::stream);
      if (!same_role) continue;
      std::erase_if(have.any_of, [&](ResourceId id) { return std::ranges::find(need.any_of, id) == need.any_of.end(); });
      if (have.any_of.empty()) {
        have = need;
        fail(slot.name, fmt::format("its steps have no {} in common", kind == ResourceKind::stream ? "stream" : "CPU or engine"));
      }
      return;
    }
    slot.needs.push_back(need);
  }

  void check_circles() {
    std::vector<std::size_t> waits(result_.slots.size());
    std::vector<std::vector<std::size_t>> after(result_.slots.size());
    std::vector<std::size_t> order;
    for (std::size_t s = 0; s < result_.slots.size(); ++s) {
      waits[s] = result_.slots[s].before.size();
      for (const std::size_t before : result_.slots[s].before) after[before].push_back(s);
      if (waits[s] == 0) order.push_back(s);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const std::size_t s : after[order[i]]) {
        if (--waits[s] == 0) order.push_back(s);
      }
    }
    for (std::size_t s = 0; s < result_.slots.size(); ++s) {
      if (waits[s] > 0 && result_.slots[s].group)
        fail(result_.slots[s].name, "runnables of its slot wait for one another, by way of other runnables");
    }
  }

  const Graph& graph_;
  const Epoch& epoch_;
  std::optional<SlotFault>& fault_;
  std::vector<RunnableId> runnables_;
  std::vector<AliasGroup> groups_;
  std::map<RunnableId, std::size_t> group_of_, slot_of_;
  Slots result_;
};

}  // namespace

bool starts_together(const Slot& slot, std::size_t before, Submittee submittee) {
  return submittee == Submittee::overlap && slot.submitter == before && !slot.waits_for_submitter;
}

std::vector<RunnableId> runnables_of(const Slot& slot) {
  std::vector<RunnableId> ids;
  ids.reserve(slot.steps.size());
  for (const auto& step : slot.steps) {
    if (step) ids.push_back(*step);
  }
  return ids;
}

Slots slots_of(const Graph& graph, HyperepochId hyperepoch, std::size_t epoch, std::optional<SlotFault>& fault) {
  return SlotBuilder(graph, hyperepoch, epoch, fault).run();
}

}  // namespace rta::static_order
