#include <fmt/format.h>

#include <algorithm>

#include "../io/fields.hpp"
#include "../io/yaml_document.hpp"
#include "../io/yaml_text.hpp"
#include "rta/convert/convert.hpp"
#include "rta/io/canonical_json.hpp"
#include "rta/model/launch.hpp"

namespace rta::convert {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '"' ? std::string("\\\"") : std::string(1, c);
  return out;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// As JSON, in whose texts no backslash stands before a quotation mark or another backslash: a quoted text of Graphviz cannot hold that.
std::string json(const io::Value& value) {
  if (value.kind == io::Value::Kind::sequence) {
    std::string out;
    for (const io::Value* item = value.first(); item != value.next(); item = item->next()) out += (out.empty() ? "" : ", ") + json(*item);
    return "[" + out + "]";
  }
  if (value.kind != io::Value::Kind::mapping) {
    if (is_number(value.text) || value.text == "true" || value.text == "false") return std::string(value.text);
    std::string out = "\"";
    for (const char c : value.text) out += c == '"' ? std::string("\\u0022") : c == '\\' ? std::string("\\u005c") : std::string(1, c);
    return out + "\"";
  }
  std::string out;
  for (const io::Value* key = value.first(); key != value.next(); key = key->next()->next()) {
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", json(*key), json(*key->next()));
  }
  return "{" + out + "}";
}

// A value as an attribute: most texts and numbers as they are, everything else as JSON.
std::string attribute(std::string_view key, const io::Value& value) {
  const std::string_view text = value.text;
  const bool plain = value.kind == io::Value::Kind::scalar && text.find('\\') == std::string_view::npos && !text.starts_with('"') &&
                     !text.starts_with('{');
  return fmt::format("{}=\"{}\"", key, escaped(plain ? std::string(text) : json(value)));
}

// A name within a label, where a backslash would begin an escape.
std::string shown(std::string name) {
  std::ranges::replace(name, '\\', '/');
  return name;
}

// What is shown of a node.
std::string label_of(const Node& node) {
  std::string text = shown(node.name) + "\\n" + io::time_text(longest_piece(node));
  const auto* const kernel = std::get_if<GpuDemand>(&node.demand);
  if (kernel != nullptr && kernel->alone) text += " alone";
  if (kernel != nullptr && kernel->has_blocks)
    text += fmt::format(" x {} x {}{}", kernel->B, kernel->H, starts_together(*kernel) ? "\\n" + together_text(*kernel) : "");
  if (const auto* items = std::get_if<WorkerDemand>(&node.demand)) text += fmt::format(" x {}", items->B);
  return escaped(text);
}

void write_dag(std::string& out, DagId d, const Dag& dag, const io::Fields& values, io::Diagnostics& faults) {
  // A node without edges tells what its DAG is: readers know the attributes of nodes, and not those of subgraphs.
  out += fmt::format("    d{} [shape=plaintext", d);
  for (const auto& [key, value] : values.all()) {
    if (key->text != "nodes" && key->text != "edges") out += ", " + attribute(key->text, *value);
  }
  std::string label = fmt::format("{}\\nT = {}", shown(dag.name()), io::time_text(dag.nominal_period()));
  if (dag.deadline()) label += ", D = " + io::time_text(*dag.deadline());
  out += fmt::format(", label=\"{}\"]\n", escaped(label));
  NodeId v = 0;
  const io::Value& nodes = *values.find("nodes");
  for (const io::Value* name = nodes.first(); name != nodes.next(); name = name->next()->next(), ++v) {
    out += fmt::format("    d{}n{} [{}", d, v, attribute("name", *name));
    const io::Fields keys(*name->next(), {}, faults);
    for (const auto& [key, value] : keys.all()) out += ", " + attribute(key->text, *value);
    out += fmt::format(", label=\"{}\"]\n", label_of(dag.nodes()[v]));
  }
  for (const Edge& edge : dag.edges())
    out += fmt::format("    d{}n{} -> d{}n{}{}\n", d, edge.from, d, edge.to, edge.cut ? " [cut=true]" : "");
}

}  // namespace

std::string format_dot(const TaskSet& task_set) {
  // The canonical form has all keys and values; YAML reads its numbers as they are written.
  const std::string canonical = io::canonical_json(task_set);
  io::Diagnostics faults("canonical form");
  const io::YamlDocument document(canonical, faults, "");
  const io::Fields top(document.root(), {}, faults);
  std::string out = "digraph task_set {\n  rankdir=LR\n  node [shape=box]\n";
  out += fmt::format("  graph [{}, {}]\n", attribute("time_unit", *top.find("time_unit")), attribute("platform", *top.find("platform")));
  if (const io::Value* chains = top.find("chains")) out += fmt::format("  graph [{}]\n", attribute("chains", *chains));
  const io::Value* values = top.find("dags")->first();
  for (DagId d = 0; d < task_set.dags().size(); ++d, values = values->next()) {
    out += fmt::format("  subgraph cluster_{} {{\n", d);
    write_dag(out, d, task_set.dags()[d], io::Fields(*values, {}, faults), faults);
    out += "  }\n";
  }
  return out + "}\n";
}

}  // namespace rta::convert
