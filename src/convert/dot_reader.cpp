#include "dot_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <set>

#include "../io/decimal.hpp"
#include "../io/fields.hpp"
#include "../io/yaml_text.hpp"
#include "assigned_cores.hpp"
#include "dot_graph.hpp"
#include "names.hpp"
#include "pools.hpp"
#include "rta/io/time_text.hpp"

namespace rta::convert {
namespace {

// Attributes that only draw; all others of a digraph of rta are keys of its task set.
constexpr std::array<std::string_view, 22> drawing{
    "label", "shape", "color",  "style",   "fillcolor", "fontcolor", "fontname", "fontsize", "height", "width", "pos",
    "lp",    "bb",    "xlabel", "tooltip", "penwidth",  "rankdir",   "rank",     "lheight",  "lwidth", "name",  "margin"};

bool draws(const std::string& key) { return std::ranges::find(drawing, key) != drawing.end(); }

const std::string* find(const Attributes& attributes, const std::string& key) {
  const auto at = attributes.find(key);
  return at == attributes.end() ? nullptr : &at->second;
}

// `d3n12`: node 12 of DAG 3.
std::optional<std::pair<std::size_t, std::size_t>> position(const std::string& id) {
  std::size_t dag = 0, node = 0;
  const char* const end = id.data() + id.size();
  if (!id.starts_with("d")) return std::nullopt;
  const auto [n, fault] = std::from_chars(id.data() + 1, end, dag);
  if (fault != std::errc() || n == end || *n != 'n') return std::nullopt;
  const auto [rest, other] = std::from_chars(n + 1, end, node);
  if (other != std::errc() || rest != end) return std::nullopt;
  return std::pair(dag, node);
}

// `d3`: DAG 3.
std::optional<std::size_t> dag_number(const std::string& id) {
  std::size_t dag = 0;
  const char* const end = id.data() + id.size();
  if (!id.starts_with("d")) return std::nullopt;
  const auto [rest, fault] = std::from_chars(id.data() + 1, end, dag);
  return fault == std::errc() && rest == end ? std::optional(dag) : std::nullopt;
}

// Attributes of rta's own digraphs hold the values of the canonical JSON: its text is put together again and read as any task set.
class OwnGraph {
 public:
  OwnGraph(const DotGraph& graph, const std::string& file) : graph_(graph), file_(file) {}

  TaskSet read() {
    std::map<std::pair<std::size_t, std::size_t>, const DotGraph::Node*> nodes;
    std::map<std::size_t, const DotGraph::Node*> info;
    for (const DotGraph::Node& node : graph_.nodes) {
      const auto dag = dag_number(node.name);
      const auto at = position(node.name);
      if ((!at && !dag) || find(node.attributes, "name") == nullptr) {
        refuse(
            file_,
            fmt::format(
                "node '{}' has no place in a task set: it must be called d0 (a DAG), d0n0 (a node of it), … and have the attribute `name`",
                one_line(node.name, 60)));
      }
      if (at) {
        nodes.emplace(*at, &node);
      } else {
        info.emplace(*dag, &node);
      }
    }
    std::map<std::size_t, std::string> edges;
    for (const DotGraph::Edge& edge : graph_.edges) {
      const auto ends = std::pair(position(graph_.nodes[edge.from].name), position(graph_.nodes[edge.to].name));
      if (!ends.first || !ends.second || ends.first->first != ends.second->first)
        refuse(file_, fmt::format("the edge from '{}' to '{}' is not one of nodes of one DAG", graph_.nodes[edge.from].name,
                                  graph_.nodes[edge.to].name));
      std::string& of = edges[ends.first->first];
      of += fmt::format("{}{{from: {}, to: {}", of.empty() ? "" : ", ", name_of(graph_.nodes[edge.from]), name_of(graph_.nodes[edge.to]));
      add_keys(of, edge.attributes);
      of += "}";
    }
    std::map<std::size_t, std::string> dags;
    for (const auto& [at, node] : nodes) {
      std::string& of = dags[at.first];
      of += fmt::format("{}{}: {{", of.empty() ? "" : ", ", name_of(*node));
      std::string keys;
      add_keys(keys, node->attributes);
      of += keys.substr(std::min<std::size_t>(2, keys.size())) + "}";
    }
    std::string text = fmt::format("{{time_unit: {}, platform: {}, dags: [", value_of("time_unit", graph_.attributes, "ns"),
                                   value_of("platform", graph_.attributes, ""));
    bool first = true;
    for (const auto& [number, of] : dags) {
      const auto own = info.find(number);
      if (own == info.end())
        refuse(file_, fmt::format("nodes d{}n… have no node d{}, which tells their DAG's name and period", number, number));
      text += fmt::format("{}{{name: {}", first ? "" : ", ", name_of(*own->second));
      add_keys(text, own->second->attributes);
      text += fmt::format(", nodes: {{{}}}, edges: [{}]}}", of, edges[number]);
      first = false;
    }
    text += "]";
    if (const std::string* const chains = find(graph_.attributes, "chains")) text += ", chains: " + checked(*chains);
    return parsed(text + "}\n");
  }

 private:
  [[nodiscard]] std::string name_of(const DotGraph::Node& node) const { return value_of("name", node.attributes, ""); }

  [[nodiscard]] const std::string& checked(const std::string& value) const {
    for (const char c : value) {
      if (static_cast<unsigned char>(c) >= 0x20) continue;
      refuse(file_, fmt::format("'{}' is no value: it has a control character", one_line(value, 60)));
    }
    return value;
  }
  [[nodiscard]] std::string quoted(const std::string& value) const { return io::double_quoted(checked(value)); }
  // Mappings, texts in quotation marks, and lists are JSON as they stand.
  [[nodiscard]] std::string value_of(const std::string& key, const Attributes& attributes, const std::string& standard) const {
    const std::string* const value = find(attributes, key);
    if (value == nullptr) return quoted(standard);
    const bool is_list = (key == "requirement" || key == "after") && value->starts_with('[');
    return value->starts_with('{') || value->starts_with('"') || is_list ? checked(*value) : quoted(*value);
  }
  void add_keys(std::string& out, const Attributes& attributes) const {
    for (const auto& [key, value] : attributes) {
      if (!draws(key)) out += fmt::format(", {}: {}", quoted(key), value_of(key, attributes, ""));
    }
  }

  // The places of errors are those of a text that nobody sees.
  [[nodiscard]] TaskSet parsed(const std::string& text) const {
    try {
      return io::parse_task_set(text, file_).task_set;
    } catch (const io::InputError& error) {
      std::vector<io::Diagnostic> all = error.diagnostics();
      for (io::Diagnostic& d : all) d.line = d.column = 0;
      throw io::InputError(std::move(all));
    }
  }

  const DotGraph& graph_;
  const std::string& file_;
};

// One DAG whose nodes have a number each. As in DAG-scheduling, a node with T is no node but tells the DAG's period and deadline; p and s
// are core and kind of core.
class PlainGraph {
 public:
  PlainGraph(const DotGraph& graph, const Options& options, Notes& notes) : graph_(graph), options_(options), notes_(notes) {}

  Draft read() {
    Draft draft;
    draft.name = std::filesystem::path(notes_.file()).filename().string();
    DraftDag dag;
    dag.name = one_word(std::filesystem::path(notes_.file()).stem().string(), "dag");
    Attributes of_dag = graph_.attributes;
    std::vector<std::optional<NodeId>> id(graph_.nodes.size());
    std::vector<std::size_t> nodes;
    for (std::size_t v = 0; v < graph_.nodes.size(); ++v) {
      const Attributes& attributes = graph_.nodes[v].attributes;
      if (find(attributes, "T") != nullptr && !has_edge(v)) {
        for (const char* key : {"T", "D"}) {
          const std::string* const value = find(attributes, key);
          if (value == nullptr) continue;
          const auto [at, fresh] = of_dag.emplace(key, *value);
          if (!fresh && at->second != *value)
            refuse(notes_.file(), fmt::format("the digraph has two values of {}: {} and {}", key, at->second, *value));
        }
        meet("attribute of the node with T and no edges", attributes, {});
        continue;
      }
      id[v] = nodes.size();
      nodes.push_back(v);
    }
    if (nodes.empty()) refuse(notes_.file(), "the digraph has no node");
    choose_cost(nodes);
    for (const DotGraph::Twice& one : graph_.twice) {
      if (one.key != cost_ && one.key != "T" && one.key != "D" && one.key != "p" && one.key != "s") continue;
      refuse(notes_.file(),
             fmt::format("{} has two values of {}: {} and {}",
                         one.node.empty() ? std::string("the digraph") : fmt::format("node '{}'", one_line(one.node, 60)),
                         one_line(one.key, 40), one_line(one.first, 40), one_line(one.last, 40)),
             one.line, 1);
    }
    for (const std::size_t v : nodes) meet("attribute of nodes", graph_.nodes[v].attributes, cost_);
    for (const DotGraph::Edge& edge : graph_.edges) meet("attribute of edges", edge.attributes, {});
    meet("attribute of the graph", graph_.attributes, {});
    for (const std::string& key : graph_.attributes_of_subgraphs) notes_.meet(Kind::dot, "attribute of subgraphs", key);
    std::vector<Assignment> assignments;
    UniqueNames names;
    for (const std::size_t v : nodes) {
      DraftNode node;
      node.node.name = names.unique(one_word(graph_.nodes[v].name, "node"));
      node.node.demand = CpuDemand{cost_of(v)};
      assignments.push_back({integer(v, "p"), integer(v, "s").value_or(0)});
      dag.add(std::move(node));
    }
    for (const DotGraph::Edge& edge : graph_.edges) {
      if (!id[edge.from] || !id[edge.to]) continue;
      dag.edges.push_back({*id[edge.from], *id[edge.to], false});
    }
    set_times(of_dag, dag);
    const std::vector<PoolId> pools = pools_for(assignments, draft.pools, options_, notes_);
    for (std::size_t i = 0; i < pools.size(); ++i) dag.nodes[i].pool = pools[i];
    if (plain_numbers_) notes_.uses("time-unit");
    if (plain_numbers_ && !options_.time_unit) notes_.miss("times without a unit: give --time-unit ns, us, ms or s");
    draft.dags.push_back(std::move(dag));
    return draft;
  }

 private:
  void meet(std::string_view part, const Attributes& attributes, const std::string& known) const {
    for (const auto& [key, value] : attributes) {
      if (known.empty() || key != known) notes_.meet(Kind::dot, part, key);
    }
  }

  [[nodiscard]] bool has_edge(std::size_t v) {
    if (with_edge_.empty()) {
      for (const DotGraph::Edge& edge : graph_.edges) with_edge_.insert({edge.from, edge.to});
      with_edge_.insert(graph_.nodes.size());  // never empty again
    }
    return with_edge_.contains(v);
  }

  // A time with its unit, or a number of --time-unit; what follows a number in brackets or on another line does not count.
  std::optional<Time> time(std::string_view text, bool up = true) {
    text = text.substr(0, std::min({text.find('('), text.find("\\n"), text.find('\n')}));
    while (text.ends_with(' ')) text.remove_suffix(1);
    if (const auto with_unit = io::parse_time(text)) return with_unit;
    std::string written;
    const auto number = io::parse_scientific(text, written);
    if (!number || !number->rest.empty() || number->negative) return std::nullopt;
    plain_numbers_ = true;
    const auto scaled = number->scaled(options_.time_unit.value_or(Time(1)).count());
    if (!scaled || scaled->floor >= std::numeric_limits<std::int64_t>::max()) return std::nullopt;
    return to_time(scaled->floor + (scaled->exact || !up ? 0 : 1));
  }

  [[nodiscard]] bool all_have(const std::vector<std::size_t>& nodes, const std::string& key) {
    return std::ranges::all_of(nodes, [&](std::size_t v) {
      const std::string* const value = find(graph_.nodes[v].attributes, key);
      return value != nullptr && time(*value);
    });
  }

  void choose_cost(const std::vector<std::size_t>& nodes) {
    if (!options_.cost_attribute.empty()) {
      cost_ = options_.cost_attribute;
      notes_.uses("cost");
      return;
    }
    for (const char* key : {"C", "c", "wcet", "WCET", "label"}) {
      plain_numbers_ = false;
      if (!all_have(nodes, key)) continue;
      cost_ = key;
      notes_.assume(fmt::format("execution times are the attribute '{}' of the nodes (--cost)", key));
      return;
    }
    plain_numbers_ = false;
    std::set<std::string> known;
    for (const std::size_t v : nodes) {
      for (const auto& [key, value] : graph_.nodes[v].attributes) {
        if (known.size() < 16) known.insert(one_line(key, 40));
      }
    }
    notes_.miss(fmt::format("it is not clear which attribute of the nodes is their execution time: give --cost NAME (attributes: {})",
                            known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
  }

  Time cost_of(std::size_t v) {
    if (cost_.empty()) return {};
    const std::string* const value = find(graph_.nodes[v].attributes, cost_);
    const auto cost = value == nullptr ? std::nullopt : time(*value);
    if (!cost) {
      refuse(notes_.file(), fmt::format("node '{}': its attribute '{}'{} is no time", one_line(graph_.nodes[v].name, 60),
                                        one_line(cost_, 40), value == nullptr ? ", which it lacks," : " '" + one_line(*value, 40) + "'"));
    }
    return *cost;
  }

  [[nodiscard]] std::optional<std::int64_t> integer(std::size_t v, const std::string& key) const {
    const std::string* const value = find(graph_.nodes[v].attributes, key);
    if (value == nullptr) return std::nullopt;
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(value->data(), value->data() + value->size(), number);
    if (fault != std::errc() || end != value->data() + value->size() || number < 0 || number > 1'000'000) {
      refuse(notes_.file(), fmt::format("node '{}': {} '{}' is no whole number from 0 to 1000000", one_line(graph_.nodes[v].name, 60), key,
                                        one_line(*value, 40)));
    }
    return number;
  }

  void set_times(const Attributes& of_dag, DraftDag& dag) {
    const auto read = [&](const char* key) -> std::optional<Time> {
      const std::string* const value = find(of_dag, key);
      if (value == nullptr) return std::nullopt;
      const auto result = time(*value, false);
      if (!result || *result <= Time::zero()) refuse(notes_.file(), fmt::format("{} '{}' is no time above 0", key, one_line(*value, 40)));
      return result;
    };
    const auto T = completed(read("T"), options_.period, "period", io::time_text, notes_);
    if (!T) notes_.miss("the digraph has no attribute T: give --period TIME");
    dag.T = T.value_or(Time(1));
    dag.D = completed(read("D"), options_.deadline, "deadline", io::time_text, notes_);
  }

  const DotGraph& graph_;
  const Options& options_;
  Notes& notes_;
  std::string cost_;
  bool plain_numbers_ = false;
  std::set<std::size_t> with_edge_;
};

}  // namespace

std::variant<TaskSet, Draft> read_dot(std::string_view text, const Options& options, Notes& notes) {
  const DotGraph graph = read_dot_graph(text, notes.file());
  if (graph.attributes.contains("platform")) {
    if (options.period || options.deadline || options.time_unit || options.scheduler || !options.processors.empty() ||
        !options.cost_attribute.empty()) {
      refuse(notes.file(),
             "a digraph that rta wrote says all of its task set: --period, --deadline, --time-unit, --scheduler, --processors and --cost "
             "change nothing of it");
    }
    return OwnGraph(graph, notes.file()).read();
  }
  return PlainGraph(graph, options, notes).read();
}

}  // namespace rta::convert
