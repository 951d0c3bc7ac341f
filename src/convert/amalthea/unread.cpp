#include <algorithm>
#include <array>

#include "parts.hpp"

namespace rta::convert::amalthea {
namespace {

bool is_activity(std::string_view element) {
  return element == "items" || element == "graphEntries" || element == "runnableItems" || element == "calls";
}

// What the element is called in the table, as the place of others.
std::string_view part_of(const Element& parent, const Element& child) {
  std::string_view name = parent.name();
  name.remove_prefix(name.find(':') == std::string_view::npos ? 0 : name.find(':') + 1);
  const bool acts = is_activity(name) || name == "activityGraph" || name == "callGraph" || name == "entries" || name == "defaultEntry";
  if (is_activity(child.name()) && (acts || name == "tasks" || name == "isrs" || name == "runnables")) return "activityGraph";
  if (name == "isrs") return "tasks";
  if (name == "isrAllocation") return "taskAllocation";
  if (name == "callGraph") return "activityGraph";
  if (name == "segments" || name == "strands") return "eventChains";
  if (acts && name != "activityGraph") return "items";
  return name;
}

// Types tell apart what stands in lists of one element.
std::string_view name_of(const Element& element) {
  const std::string_view name = element.name(), type = type_of(element);
  const bool typed = is_activity(name) || name == "stimuli" || name == "requirements" || name == "modules";
  return typed && !type.empty() ? type : name;
}

// What the attributes of an element are called in the table; nothing where the reader of its value meets them, or nobody asks for any.
std::string_view attributes_of(std::string_view element) {
  struct Of {
    std::string_view element, attributes;
  };
  static constexpr std::array all{
      Of{"tasks", "tasks"},
      Of{"isrs", "tasks"},
      Of{"runnables", "runnables"},
      Of{"entries", "activities"},
      Of{"defaultEntry", "activities"},
      Of{"eventMask", "activities"},
      Of{"extended", "activities"},
      Of{"modules", "units and memories"},
      Of{"structures", "units and memories"},
      Of{"domains", "units and memories"},
      Of{"accessElements", "units and memories"},
      Of{"operatingSystems", "schedulers"},
      Of{"taskSchedulers", "schedulers"},
      Of{"schedulingAlgorithm", "schedulers"},
      Of{"stimuli", "stimuli"},
      Of{"requirements", "requirements"},
      Of{"limit", "requirements"},
      Of{"eventChains", "chains"},
      Of{"segments", "chains"},
      Of{"strands", "chains"},
      Of{"eventChain", "chains"},
      Of{"schedulerAllocation", "allocations"},
      Of{"taskAllocation", "allocations"},
      Of{"isrAllocation", "allocations"},
      Of{"memoryMapping", "allocations"},
      Of{"schedulingParameters", "allocations"},
      Of{"recurrence", "quantities"},
      Of{"minDistance", "quantities"},
      Of{"offset", "quantities"},
      Of{"defaultValue", "quantities"},
      Of{"dataRate", "quantities"},
      Of{"size", "quantities"},
      Of{"limitValue", "quantities"},
      Of{"swModel", "parts of the model"},
      Of{"hwModel", "parts of the model"},
      Of{"osModel", "parts of the model"},
      Of{"stimuliModel", "parts of the model"},
      Of{"constraintsModel", "parts of the model"},
      Of{"mappingModel", "parts of the model"},
  };
  if (is_activity(element)) return "activities";
  const auto* const at = std::ranges::find(all, element, &Of::element);
  return at == all.end() ? std::string_view() : at->attributes;
}

// Elements whose content the table says: of others their row speaks for all that is in them.
bool has_rows(std::string_view part) {
  for (const Reading& row : readings(Kind::amalthea)) {
    if (row.part == part) return true;
  }
  return false;
}

void meet_property(std::string_view key, std::string_view part, const Place& at, Notes& notes) {
  const bool slice = key.starts_with("TimeSlice") || key.ends_with("imumTimeslice");
  notes.meet(Kind::amalthea, part, slice ? "TimeSlice" : key == "Priority" ? "priority" : key, at.line, at.column);
}

void walk(const XmlFile& file, const Element& parent, Notes& notes, int depth) {
  constexpr int deepest = 256;
  if (depth > deepest) file.fail(parent, fmt::format("elements nest more than {} deep", deepest));
  for (const Element& child : parent.children()) {
    if (child.type() != pugi::node_element) continue;
    const std::string_view part = part_of(parent, child);
    const Place at = file.place_of(child);
    if (std::string_view(child.name()) == "customProperties") {
      const bool of_task = part == "tasks" || part == "taskAllocation";
      meet_property(child.attribute("key").value(), of_task ? "property" : "property of another thing", at, notes);
      continue;
    }
    if (!has_rows(part)) continue;
    const Fate fate = notes.meet(Kind::amalthea, part, name_of(child), at.line, at.column);
    if (fate != Fate::read) continue;
    const std::string_view of = attributes_of(child.name());
    const bool in_chain = part == "eventChains";  // its `items` are no activities
    for (const auto& attribute : child.attributes()) {
      const bool holds = std::string_view(attribute.name()) == "interruptible" && attribute.as_bool();
      if (!of.empty() && !holds) meet_attribute(in_chain ? "chains" : of, attribute.name(), at, notes);
    }
    if (const auto key = child.attribute("key"); key && part != "items") {
      meet_property(key.value(), "property", at, notes);
      continue;
    }
    walk(file, child, notes, depth + 1);
  }
}

}  // namespace

void tell_unread(const XmlFile& file, Notes& notes) { walk(file, file.root(), notes, 0); }

}  // namespace rta::convert::amalthea
