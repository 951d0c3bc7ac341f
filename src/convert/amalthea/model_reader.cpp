#include <fmt/format.h>

#include "../names.hpp"
#include "parts.hpp"

namespace rta::convert::amalthea {

Model read_model(std::string_view text, Notes& notes) {
  const XmlFile file(text, notes.file());
  Model model;
  model.version = file.version();
  notes.found(fmt::format("Amalthea {}", one_line(model.version, 40)));
  tell_unread(file, notes);
  for (const Element& part : file.root().children()) {
    const std::string_view name = part.name();
    if (name == "swModel") read_software(file, part, model, notes);
    if (name == "hwModel") read_hardware(file, part, model, notes);
    if (name == "osModel") read_schedulers(file, part, model);
    if (name == "stimuliModel") read_stimuli(file, part, model, notes);
    if (name == "constraintsModel") read_constraints(file, part, model, notes);
    if (name == "eventModel") read_events(file, part, model);
    if (name == "mappingModel") read_mapping(file, part, model);
  }
  return model;
}

}  // namespace rta::convert::amalthea
