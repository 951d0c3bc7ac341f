#include <fmt/format.h>

#include <algorithm>

#include "../names.hpp"
#include "parts.hpp"

namespace rta::convert::amalthea {
namespace {

// Events in the order in which data passes them.
void read_chain(const XmlFile& file, const Element& node, std::vector<std::string>& events, int depth) {
  constexpr int deepest = 32;
  if (depth > deepest) file.fail(node, fmt::format("event chains nest more than {} deep", deepest));
  const auto add = [&](const char* attribute) {
    const std::string event = referred(node.attribute(attribute).value());
    if (!event.empty() && (events.empty() || events.back() != event)) events.push_back(event);
  };
  add("stimulus");
  for (const Element& child : node.children()) {
    const std::string_view name = child.name();
    if (name == "segments" || name == "strands" || name == "items" || name == "eventChain") read_chain(file, child, events, depth + 1);
  }
  add("response");
}

void read_allocation(const XmlFile& file, const Element& node, Model& model) {
  Allocation allocation;
  allocation.place = file.place_of(node);
  allocation.scheduler = referred((node.attribute("scheduler") ? node.attribute("scheduler") : node.attribute("controller")).value());
  allocation.units = all_referred(node.attribute("affinity").value());
  if (const auto priority = node.attribute("priority")) allocation.priority = file.integer_of(node, priority.value());
  for (const Element& child : node.children()) {
    if (const auto priority = child.attribute("priority")) allocation.priority = file.integer_of(child, priority.value());
    const std::string_view key = child.attribute("key").value();
    if (const auto priority = file.priority_in(child)) allocation.priority = priority;
    if (key.starts_with("TimeSlice")) allocation.slice = file.time_in_text(child, child.attribute("value").value());
  }
  std::string task = referred(node.attribute("task").value());
  if (task.empty()) task = referred(node.attribute("isr").value());
  file.require_once(model.allocations.emplace(task, std::move(allocation)).second, node, "an allocation of task", task);
}

}  // namespace

void read_schedulers(const XmlFile& file, const Element& part, Model& model) {
  for (const Element& system : part.children("operatingSystems")) {
    for (const Element& scheduler : system.children("taskSchedulers")) {
      const std::string name = file.name_in(scheduler);
      SchedulerInfo& info = model.schedulers[name];
      file.require_once(!info.declared, scheduler, "scheduler", name);
      info.declared = true;
      const Element algorithm = scheduler.child("schedulingAlgorithm");
      info.algorithm = algorithm ? type_of(algorithm) : referred(scheduler.attribute("definition").value());
      for (const Element& extension : algorithm.children("parameterExtensions")) {
        if (std::string_view(extension.attribute("key").value()).find("maximumTimeslice") != std::string_view::npos) {
          const char* const value = extension.attribute("value").value();
          info.slice = file.time_in_text(extension, value);
          if (!info.slice) file.fail(extension, fmt::format("maximumTimeslice: '{}' is no time such as '1000 us'", one_line(value, 40)));
        }
      }
    }
  }
}

void read_stimuli(const XmlFile& file, const Element& part, Model& model, Notes& notes) {
  for (const Element& node : part.children("stimuli")) {
    Stimulus stimulus;
    stimulus.kind = type_of(node);
    stimulus.place = file.place_of(node);
    // Of a PeriodicSyntheticStimulus it is the distance of bursts.
    if (stimulus.kind == "PeriodicStimulus") {
      if (const Element recurrence = node.child("recurrence")) stimulus.period = file.time_of(recurrence, Rounding::down);
    }
    if (const Element minimum = node.child("minDistance")) stimulus.least_distance = file.time_of(minimum, Rounding::down);
    if (const Element next = node.child("nextOccurrence")) {
      const auto distance = file.times_of(next, notes);
      if (!distance.least || *distance.least <= Time::zero()) file.fail(next, "the next occurrence has no lower bound above 0");
      stimulus.least_distance = distance.least;
    }
    if (const Element offset = node.child("offset")) stimulus.offset = file.time_of(offset, Rounding::down, true);
    if (const Element jitter = node.child("jitter")) stimulus.jitter = file.times_of(jitter, notes);
    const std::string name = file.name_in(node);
    file.require_once(model.stimuli.emplace(name, stimulus).second, node, "stimulus", name);
  }
}

void read_constraints(const XmlFile& file, const Element& part, Model& model, Notes& notes) {
  for (const Element& node : part.children("requirements")) {
    const Element limit = node.child("limit");
    const Element value = limit.child("limitValue");
    const bool response = std::string_view(limit.attribute("metric").value()) == "ResponseTime" &&
                          std::string_view(limit.attribute("limitType").value()) == "UpperLimit" && type_of(node) == "ProcessRequirement" &&
                          value;
    if (!response) {
      notes.assume(fmt::format("requirement '{}' is left out: only upper limits of a process's response time become deadlines",
                               one_line(node.attribute("name").value(), 60)));
      continue;
    }
    const std::string task = referred(node.attribute("process").value());
    const Time deadline = file.time_of(value, Rounding::down);
    const auto [at, fresh] = model.deadlines.emplace(task, deadline);
    if (!fresh) at->second = std::min(at->second, deadline);
  }
  for (const Element& node : part.children("eventChains")) {
    ChainInfo chain;
    chain.name = node.attribute("name").value();
    read_chain(file, node, chain.events, 0);
    model.chains.push_back(std::move(chain));
  }
}

void read_events(const XmlFile& file, const Element& part, Model& model) {
  for (const Element& node : part.children("events")) {
    const std::string entity = referred(node.attribute("entity").value());
    const std::string name = node.attribute("name").value();
    if (entity.empty()) continue;
    const auto [at, fresh] = model.entity_of_event.emplace(name, entity);
    file.require_once(fresh || at->second == entity, node, "event", name);
  }
}

void read_mapping(const XmlFile& file, const Element& part, Model& model) {
  for (const Element& node : part.children("schedulerAllocation")) {
    auto& units = model.schedulers[referred(node.attribute("scheduler").value())].units;
    for (std::string& unit : all_referred(node.attribute("responsibility").value())) units.push_back(std::move(unit));
  }
  for (const char* element : {"taskAllocation", "isrAllocation"}) {
    for (const Element& node : part.children(element)) read_allocation(file, node, model);
  }
  for (const Element& node : part.children("memoryMapping")) {
    const std::string label = referred(node.attribute("abstractElement").value());
    file.require_once(model.memory_of_label.emplace(label, referred(node.attribute("memory").value())).second, node, "a memory of", label);
  }
}

}  // namespace rta::convert::amalthea
