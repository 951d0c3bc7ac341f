#include <fmt/format.h>

#include <set>

#include "../names.hpp"
#include "parts.hpp"
#include "xml_file.hpp"

namespace rta::convert::amalthea {
namespace {

class SoftwareReader {
 public:
  SoftwareReader(const XmlFile& file, Model& model, Notes& notes) : file_(file), model_(model), notes_(notes) {}

  void read_software(const Element& part) {
    for (const Element& child : part.children()) {
      const std::string_view kind = child.name();
      if (kind == "tasks" || kind == "isrs") {
        Task task;
        task.name = file_.name_in(child);
        task.stimuli = all_referred(child.attribute("stimuli").value());
        task.preemption = child.attribute("preemption").value();
        task.place = file_.place_of(child);
        read_items(child, task.items, 0, task.name);
        for (const Element& property : child.children("customProperties")) {
          if (const auto priority = file_.priority_in(property)) task.priority = priority;
        }
        file_.require_once(task_names_.insert(task.name).second, child, "task", task.name);
        model_.tasks.push_back(std::move(task));
      } else if (kind == "runnables") {
        Runnable runnable;
        runnable.name = file_.name_in(child);
        runnable.place = file_.place_of(child);
        read_items(child, runnable.items, 0, runnable.name);
        const std::string name = runnable.name;
        file_.require_once(model_.runnables.emplace(name, std::move(runnable)).second, child, "runnable", name);
      } else if (kind == "labels") {
        const Element size = child.child("size");
        if (!size) continue;
        const std::string name = file_.name_in(child);
        file_.require_once(model_.labels.emplace(name, file_.bytes_of(size)).second, child, "label", name);
      }
    }
  }

 private:
  // The items of `activityGraph` and of what nests in it.
  void read_items(const Element& owner, std::vector<Item>& out, int depth, const std::string& of) {
    constexpr int deepest = 64;
    if (depth > deepest) file_.fail(owner, fmt::format("activities nest more than {} deep", deepest));
    for (const Element& node : owner.children()) {
      const std::string_view name = node.name();
      if (name == "activityGraph" || name == "callGraph") {
        read_items(node, out, depth + 1, of);
        continue;
      }
      const bool branch = name == "entries" || name == "defaultEntry";  // of a switch
      if (!branch && name != "items" && name != "graphEntries" && name != "runnableItems" && name != "calls") continue;
      if (!branch && type_of(node).empty()) file_.fail(node, fmt::format("'{}' has no xsi:type: what it does is not said", name));
      read_item(node, out, depth, of);
    }
  }

  void read_item(const Element& node, std::vector<Item>& out, int depth, const std::string& of) {
    const std::string_view type = type_of(node);
    Item item;
    item.place = file_.place_of(node);
    if (type == "RunnableCall" || type == "TaskRunnableCall") {
      item.kind = Item::Kind::call;
      item.name = referred(node.attribute("runnable").value());
    } else if (type == "InterProcessTrigger") {
      item.kind = Item::Kind::trigger;
      item.name = referred(node.attribute("stimulus").value());
    } else if (type == "WaitEvent" || type == "SetEvent") {
      item.kind = type == "WaitEvent" ? Item::Kind::wait : Item::Kind::set;
      item.active = type == "WaitEvent" && word(node, "waitingBehaviour", "waitingBehaviour") == "active";
      item.events = all_referred(node.child("eventMask").attribute("events").value());
      if (word(node, "maskType", "maskType") == "OR" && item.events.size() > 1)
        notes_.assume(fmt::format("'{}' waits for one of several events, and is taken to wait for all of them", one_line(of, 60)));
    } else if (type == "Ticks") {
      item.kind = Item::Kind::ticks;
      read_ticks(node, item.ticks);
    } else if (type == "LabelAccess") {
      item.kind = Item::Kind::access;
      const std::string_view access = word(node, "access", "access of a label");
      item.access = {referred(node.attribute("data").value()), access != "write", access != "read"};
    } else if (type == "Group" || type == "CallSequence" || type.empty()) {
      read_items(node, out, depth + 1, of);
      return;
    } else if (type.ends_with("Switch")) {
      notes_.assume(fmt::format("'{}': all branches of a {} are taken to run, one after another", one_line(of, 60), one_line(type, 40)));
      read_items(node, out, depth + 1, of);
      return;
    } else {
      return;  // ClearEvent takes no time; others are told
    }
    out.push_back(std::move(item));
    if (++items_ > most_items) file_.fail(node, fmt::format("the model has more than {} activities", most_items));
  }

  // A word of an enumeration of Amalthea, of which the first stands where none is given.
  std::string_view word(const Element& node, const char* attribute, std::string_view part) const {
    const auto given = node.attribute(attribute);
    const std::string_view name = given ? given.value() : "_undefined_";
    const Place at = file_.place_of(node);
    notes_.meet(Kind::amalthea, part, name, at.line, at.column);
    return name;
  }

  void read_ticks(const Element& node, TicksByUnit& out) {
    for (const Element& child : node.children()) {
      const std::string_view name = child.name();
      if (name == "extended") out[referred(child.attribute("key").value())] = file_.ticks_of(child.child("value"), notes_);
      if (name == "default") out[""] = file_.ticks_of(child, notes_);
    }
  }

  static constexpr std::size_t most_items = 1'000'000;

  const XmlFile& file_;
  Model& model_;
  Notes& notes_;
  std::set<std::string> task_names_;
  std::size_t items_ = 0;
};

}  // namespace

void read_software(const XmlFile& file, const Element& part, Model& model, Notes& notes) {
  SoftwareReader(file, model, notes).read_software(part);
}

}  // namespace rta::convert::amalthea
