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
  const auto read_priority = [&](std::string_view text) { allocation.priority = file.integer_of(node, text); };
  for (const Element& child : node.children()) {
    if (const auto priority = child.attribute("priority")) read_priority(priority.value());
    const std::string_view key = child.attribute("key").value();
    if (key == "priority")
      read_priority(child.attribute("value") ? child.attribute("value").value() : child.child("value").attribute("value").value());
    if (key.starts_with("TimeSlice")) allocation.slice = file.time_in_text(child, child.attribute("value").value());
  }
  std::string task = referred(node.attribute("task").value());
  if (task.empty()) task = referred(node.attribute("isr").value());
  model.allocations.insert_or_assign(task, std::move(allocation));
}

}  // namespace

void read_schedulers(const XmlFile& file, const Element& part, Model& model) {
  for (const Element& system : part.children("operatingSystems")) {
    for (const Element& scheduler : system.children("taskSchedulers")) {
      SchedulerInfo info;
      const Element algorithm = scheduler.child("schedulingAlgorithm");
      info.algorithm = type_of(algorithm);
      for (const Element& extension : algorithm.children("parameterExtensions")) {
        if (std::string_view(extension.attribute("key").value()).find("maximumTimeslice") != std::string_view::npos) {
          info.slice = file.time_in_text(extension, extension.attribute("value").value());
        }
      }
      model.schedulers[file.name_in(scheduler)] = std::move(info);
    }
  }
}

void read_stimuli(const XmlFile& file, const Element& part, Model& model) {
  for (const Element& node : part.children("stimuli")) {
    Stimulus stimulus;
    stimulus.kind = type_of(node);
    stimulus.place = file.place_of(node);
    if (const Element recurrence = node.child("recurrence")) stimulus.period = file.time_of(recurrence);
    if (const Element minimum = node.child("minDistance")) stimulus.period = file.time_of(minimum);
    if (const Element occurrence = node.child("occurrence").child("lowerBound")) stimulus.period = file.time_of(occurrence);
    if (const Element next = node.child("nextOccurrence").child("lowerBound")) stimulus.period = file.time_of(next);
    if (const Element offset = node.child("offset")) stimulus.offset = file.time_of(offset, true);
    if (const Element most = node.child("jitter").child("upperBound")) stimulus.jitter = file.time_of(most, true);
    model.stimuli[file.name_in(node)] = stimulus;
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
    const Time deadline = file.time_of(value);
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

void read_events(const Element& part, Model& model) {
  for (const Element& node : part.children("events")) {
    const std::string entity = referred(node.attribute("entity").value());
    if (!entity.empty()) model.entity_of_event[node.attribute("name").value()] = entity;
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
    model.memory_of_label[referred(node.attribute("abstractElement").value())] = referred(node.attribute("memory").value());
  }
}

}  // namespace rta::convert::amalthea
