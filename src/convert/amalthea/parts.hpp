// The parts of a model, each read by its own function.
#pragma once

#include "xml_file.hpp"

namespace rta::convert::amalthea {

/// Tasks, runnables and labels.
void read_software(const XmlFile& file, const Element& part, Model& model, Notes& notes);
/// Processing units and their frequencies.
void read_hardware(const XmlFile& file, const Element& part, Model& model, Notes& notes);
void read_schedulers(const XmlFile& file, const Element& part, Model& model);
void read_stimuli(const XmlFile& file, const Element& part, Model& model, Notes& notes);
/// Deadlines and event chains.
void read_constraints(const XmlFile& file, const Element& part, Model& model, Notes& notes);
void read_events(const XmlFile& file, const Element& part, Model& model);
/// Which scheduler and which processing units each task has, and which memory each label.
void read_mapping(const XmlFile& file, const Element& part, Model& model);
/// Tells or refuses all that the others do not read.
void tell_unread(const XmlFile& file, Notes& notes);

}  // namespace rta::convert::amalthea
