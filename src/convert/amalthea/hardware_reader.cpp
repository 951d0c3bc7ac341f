#include <fmt/format.h>

#include <set>

#include "../names.hpp"
#include "parts.hpp"
#include "xml_file.hpp"

namespace rta::convert::amalthea {
namespace {

class HardwareReader {
 public:
  HardwareReader(const XmlFile& file, Model& model, Notes& notes) : file_(file), model_(model), notes_(notes) {}

  void read_hardware(const Element& part) {
    std::set<std::string>& gpus = model_.gpu_definitions;
    for (const Element& definition : part.children("definitions")) {
      if (type_of(definition) != "ProcessingUnitDefinition") continue;
      const std::string name = file_.name_in(definition);
      file_.require_once(model_.definitions.insert(name).second, definition, "definition", name);
      const auto type = definition.attribute("puType");
      const std::string_view kind = type ? type.value() : "_undefined_";
      const Place at = file_.place_of(definition);
      notes_.meet(Kind::amalthea, "puType", kind, at.line, at.column);
      if (kind == "GPU") gpus.insert(name);
    }
    for (const Element& domain : part.children("domains")) {
      if (type_of(domain) != "FrequencyDomain") continue;
      const Element value = domain.child("defaultValue");
      const std::string name = file_.name_in(domain);
      file_.require_once(model_.frequencies.emplace(name, file_.hertz_of(value)).second, domain, "frequency domain", name);
    }
    for (const Element& structure : part.children("structures")) read_structure(structure, gpus, 0);
  }

 private:
  void read_structure(const Element& structure, const std::set<std::string>& gpus, int depth) {
    constexpr int deepest = 64;
    if (depth > deepest) file_.fail(structure, fmt::format("structures nest more than {} deep", deepest));
    for (const Element& inner : structure.children("structures")) read_structure(inner, gpus, depth + 1);
    for (const Element& module : structure.children("modules")) {
      if (type_of(module) != "ProcessingUnit") continue;
      ProcessingUnit unit;
      unit.name = file_.name_in(module);
      file_.require_once(model_.unit_names.insert(unit.name).second, module, "processing unit", unit.name);
      unit.definition = referred(module.attribute("definition").value());
      unit.frequency_domain = referred(module.attribute("frequencyDomain").value());
      unit.gpu = gpus.contains(unit.definition);
      if (!unit.definition.empty() && !model_.definitions.contains(unit.definition)) {
        notes_.assume(
            fmt::format("unit '{}': its definition '{}' is not in the file: whatever it is, it counts as a processor of a CPU pool",
                        one_line(unit.name, 60), one_line(unit.definition, 60)));
      }
      for (const Element& access : module.children("accessElements")) unit.accesses.push_back(access_of(access));
      if (model_.units.size() == most_units) file_.fail(module, fmt::format("the model has more than {} processing units", most_units));
      model_.units.push_back(std::move(unit));
    }
  }

  [[nodiscard]] Access access_of(const Element& node) const {
    Access access;
    access.memory = referred(node.attribute("destination").value());
    if (const Element latency = node.child("readLatency")) access.read_latency = file_.ticks_of(latency, notes_).most;
    if (const Element latency = node.child("writeLatency")) access.write_latency = file_.ticks_of(latency, notes_).most;
    if (const Element rate = node.child("dataRate")) access.data_rate = file_.bytes_per_second_of(rate);
    return access;
  }

  static constexpr std::size_t most_units = 10'000;

  const XmlFile& file_;
  Model& model_;
  Notes& notes_;
};

}  // namespace

void read_hardware(const XmlFile& file, const Element& part, Model& model, Notes& notes) {
  HardwareReader(file, model, notes).read_hardware(part);
}

}  // namespace rta::convert::amalthea
