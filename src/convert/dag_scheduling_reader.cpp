#include "dag_scheduling_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <map>

#include "../io/decimal.hpp"
#include "../io/fields.hpp"
#include "../io/yaml_document.hpp"
#include "assigned_cores.hpp"
#include "names.hpp"
#include "rta/model/error.hpp"

namespace rta::convert {
namespace {

constexpr std::array<std::string_view, 1> top_keys{"tasks"};
constexpr std::array<std::string_view, 5> task_keys{"id", "t", "d", "vertices", "edges"};
constexpr std::array<std::string_view, 4> vertex_keys{"id", "c", "p", "s"};
constexpr std::array<std::string_view, 2> edge_keys{"from", "to"};

class Reader {
 public:
  Reader(io::Diagnostics& out, const Options& options, Notes& notes) : out_(out), options_(options), notes_(notes) {
    static constexpr std::array<io::Unit, 1> any{{{"", 1}}};
    unit_ = any.front();
    if (options.time_unit) unit_.size = options.time_unit->count();
  }

  Draft read(const io::Value& root) {
    const io::Fields top(root, {}, out_);
    top.allow_only(top_keys);
    const io::Value* const tasks = top.require("tasks", "the list of DAGs");
    if (tasks != nullptr && tasks->kind != io::Value::Kind::sequence) out_.error(tasks->mark, "tasks: a list of DAGs is expected");
    out_.throw_if_failed();
    require(tasks != nullptr, "a member that is missing is an error");
    if (!options_.time_unit) notes_.miss("the file does not say in which unit its times are: give --time-unit ns, us, ms or s");
    notes_.uses("time-unit");
    std::size_t number = 0;
    for (const io::Value* task = tasks->first(); task != tasks->next(); task = task->next()) read_task(*task, number++);
    out_.throw_if_failed();
    const std::vector<PoolId> pools = pools_for(assignments_, draft_.pools, options_, notes_);
    std::size_t i = 0;
    for (DraftDag& dag : draft_.dags) {
      for (Node& node : dag.nodes) node.pool = pools[i++];
    }
    return std::move(draft_);
  }

 private:
  void read_task(const io::Value& value, std::size_t number) {
    const std::string name = fmt::format("task{}", number);
    const io::Fields task(value, {"task", name}, out_);
    if (!task.usable()) return;
    task.allow_only(task_keys);
    DraftDag dag;
    dag.name = name;
    if (const io::Value* const id = task.find("id"); id != nullptr && id->kind == io::Value::Kind::scalar)
      dag.name = fmt::format("task{}", one_word(id->text, "0"));
    dag.name = names_.unique(dag.name);
    static_cast<void>(task.require("t", "the period"));
    if (const auto T = time(task, "t", 1, false)) dag.T = *T;
    if (const auto D = time(task, "d", 1, false)) dag.D = *D;
    vertex_names_ = {};
    std::map<std::string, NodeId, std::less<>> ids;
    if (const io::Value* const vertices = list(task, "vertices", "what the task consists of")) {
      for (const io::Value* v = vertices->first(); v != vertices->next(); v = v->next()) read_vertex(*v, dag, ids);
    }
    if (task.has("edges")) {
      if (const io::Value* const edges = list(task, "edges", "")) {
        for (const io::Value* e = edges->first(); e != edges->next(); e = e->next()) read_edge(*e, dag, ids);
      }
    }
    draft_.dags.push_back(std::move(dag));
  }

  const io::Value* list(const io::Fields& fields, std::string_view key, const char* hint) {
    const io::Value* const value = fields.require(key, hint);
    if (value == nullptr || value->kind == io::Value::Kind::sequence) return value;
    if (value->kind != io::Value::Kind::rejected && value->kind != io::Value::Kind::null)
      fields.error(*value, fmt::format("{}: a list is expected, not {}", key, kind_text(*value)));
    return nullptr;
  }

  // Numbers without unit; fractions of a ns count as one, or, of periods and deadlines, not.
  std::optional<Time> time(const io::Fields& fields, std::string_view key, Wide least, bool up) {
    const io::Value* const value = fields.find(key);
    if (value == nullptr) return std::nullopt;
    const auto number = value->kind == io::Value::Kind::scalar ? io::parse_decimal(value->text) : std::nullopt;
    const auto scaled = number && number->rest.empty() && !number->negative ? number->scaled(unit_.size) : std::nullopt;
    const Wide ns = scaled ? scaled->floor + (scaled->exact || !up ? 0 : 1) : -1;
    if (ns < least || ns > std::numeric_limits<std::int64_t>::max()) {
      fields.error(*value, fmt::format("{}: a number {} 0 without unit is expected", key, least > 0 ? "above" : "of at least"));
      return std::nullopt;
    }
    return to_time(ns);
  }

  void read_vertex(const io::Value& value, DraftDag& dag, std::map<std::string, NodeId, std::less<>>& ids) {
    const io::Fields vertex(value, {"task", dag.name}, out_);
    if (!vertex.usable()) return;
    vertex.allow_only(vertex_keys);
    const io::Value* const id = vertex.require("id", "every vertex has one");
    static_cast<void>(vertex.require("c", "the worst-case execution time"));
    DraftNode node;
    if (const auto C = time(vertex, "c", 0, true)) node.node.demand = CpuDemand{*C};
    Assignment assignment;
    constexpr std::uint64_t most = 1'000'000;
    if (const auto p = vertex.integer("p", 0, most)) assignment.core = static_cast<std::int64_t>(*p);
    if (const auto s = vertex.integer("s", 0, most)) assignment.kind = static_cast<std::int64_t>(*s);
    if (id == nullptr) return;
    if (id->kind != io::Value::Kind::scalar || !ids.emplace(std::string(id->text), dag.nodes.size()).second) {
      vertex.error(*id, id->kind == io::Value::Kind::scalar ? fmt::format("id: {} is there twice", io::quote(id->text))
                                                            : "id: a number is expected");
      return;
    }
    node.node.name = vertex_names_.unique("v" + one_word(id->text, "0"));
    if (assignments_.size() == most_nodes) {
      vertex.error(*id, fmt::format("the file has more than {} vertices", most_nodes));
      out_.throw_if_failed();
    }
    assignments_.push_back(assignment);
    dag.add(std::move(node));
  }

  void read_edge(const io::Value& value, DraftDag& dag, const std::map<std::string, NodeId, std::less<>>& ids) {
    const io::Fields edge(value, {"task", dag.name}, out_);
    if (!edge.usable()) return;
    edge.allow_only(edge_keys);
    std::array<NodeId, 2> ends{};
    for (std::size_t i = 0; i < 2; ++i) {
      const io::Value* const end = edge.require(edge_keys[i], "the id of a vertex");
      if (end == nullptr) return;
      const auto at = ids.find(end->text);
      if (at == ids.end()) {
        edge.error(*end, fmt::format("edges: {} is no vertex of this task", io::quote(end->text)));
        return;
      }
      ends[i] = at->second;
    }
    dag.edges.push_back({ends[0], ends[1], false});
  }

  static constexpr std::size_t most_nodes = 1'000'000;

  io::Diagnostics& out_;
  const Options& options_;
  Notes& notes_;
  io::Unit unit_;
  Draft draft_;
  std::vector<Assignment> assignments_;  // of all nodes, in order
  UniqueNames names_, vertex_names_;
};

}  // namespace

Draft read_dag_scheduling(std::string_view text, const Options& options, Notes& notes) {
  io::Diagnostics out(notes.file());
  const io::YamlDocument document(text, out, "a task set of DAG-scheduling has `tasks`");
  Draft draft = Reader(out, options, notes).read(document.root());
  draft.name = std::filesystem::path(notes.file()).filename().string();
  return draft;
}

}  // namespace rta::convert
