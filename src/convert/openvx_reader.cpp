#include "openvx_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../io/fields.hpp"
#include "../io/yaml_document.hpp"
#include "names.hpp"
#include "pools.hpp"
#include "profile/device.hpp"
#include "rta/model/kernel_time.hpp"
#include "rta/model/launch.hpp"
#include "rta/model/topological_order.hpp"

namespace rta::convert {
namespace {

constexpr std::array<std::string_view, 2> file_words{"graphs", "time_unit"};
constexpr std::array<std::string_view, 4> graph_words{"name", "period", "deadline", "nodes"};
constexpr std::array<std::string_view, 8> node_words{"name", "kernel", "target", "time", "blocks", "threads", "inputs", "outputs"};
constexpr std::array<std::string_view, 2> targets{"cpu", "gpu"};
constexpr std::array<std::string_view, 4> units{"ns", "us", "ms", "s"};
constexpr std::size_t most_openvx_nodes = 1'000'000;

/// What a node reads and writes.
struct OpenvxData {
  std::vector<const io::Value*> inputs, outputs;
};

/// An input that no node of its graph writes.
struct OpenvxInput {
  const io::Value* data;
  DagId dag;
  NodeId node;
};

class OpenvxReader {
 public:
  OpenvxReader(io::Diagnostics& out, const Options& options, Notes& notes) : out_(out), options_(options), notes_(notes) {}

  Draft read(const io::Value& root) {
    const io::Fields file(root, {}, out_);
    file.allow_only(file_words);
    if (const auto unit = file.choice("time_unit", units)) unit_ = io::time_units[*unit];
    const std::vector<const io::Value*> graphs = list_of(file, "graphs", "the list of graphs");
    out_.throw_if_failed();
    const bool gpu = has_target(graphs, "gpu"), cpu = has_target(graphs, "cpu");
    if (cpu) {
      draft_.pools.push_back(cpu_pool("cpu", options_, notes_));
      cpu_ = 0;
    }
    if (gpu) {
      recorded_on_.file = notes_.file();
      gpu_pool_ = gpu_pool(recorded_on_, 0, options_, notes_).value_or(GpuPool{});
      gpu_ = draft_.pools.size();
      DraftPool pool;
      pool.pool = {"gpu", gpu_pool_};
      draft_.pools.push_back(std::move(pool));
    }
    for (std::size_t g = 0; g < graphs.size(); ++g) read_graph(*graphs[g], g);
    out_.throw_if_failed();
    tell_of_other_graphs();
    if (draft_.dags.empty()) refuse(notes_.file(), "there is no graph in the file");
    notes_.assume("a node follows those that write what it reads; jobs of a graph may overlap (`in_flight: 1` says that they do not)");
    if (gpu) {
      notes_.assume("what a processor does to launch a kernel is not in the file: it counts as nothing, unless it is a node of its own");
      notes_.assume(one_priority_for_all);
    }
    return std::move(draft_);
  }

 private:
  std::vector<const io::Value*> list_of(const io::Fields& fields, std::string_view key, const char* hint) const {
    const io::Value* const value = fields.require(key, hint);
    return value == nullptr ? std::vector<const io::Value*>() : items(fields, key, *value);
  }
  static std::vector<const io::Value*> items(const io::Fields& fields, std::string_view key, const io::Value& value) {
    std::vector<const io::Value*> all;
    if (value.kind != io::Value::Kind::sequence) {
      fields.error(value, fmt::format("{}: a list is expected, not {}", key, kind_text(value)));
      return all;
    }
    for (const io::Value* one = value.first(); one != value.next(); one = one->next()) all.push_back(one);
    return all;
  }
  static const io::Value* member(const io::Value& mapping, std::string_view key) {
    if (mapping.kind != io::Value::Kind::mapping) return nullptr;
    for (const io::Value* at = mapping.first(); at != mapping.next(); at = at->next()->next()) {
      if (at->kind == io::Value::Kind::scalar && at->text == key) return at->next();
    }
    return nullptr;
  }
  /// Pools are made for targets that occur, before any node is read.
  static bool has_target(const std::vector<const io::Value*>& graphs, std::string_view target) {
    for (const io::Value* const graph : graphs) {
      const io::Value* const nodes = member(*graph, "nodes");
      if (nodes == nullptr || nodes->kind != io::Value::Kind::sequence) continue;
      for (const io::Value* node = nodes->first(); node != nodes->next(); node = node->next()) {
        const io::Value* const of = member(*node, "target");
        if (of != nullptr && of->kind == io::Value::Kind::scalar && of->text == target) return true;
      }
    }
    return false;
  }
  [[nodiscard]] const io::Unit* unit() const { return unit_ ? &*unit_ : nullptr; }

  void read_graph(const io::Value& value, std::size_t number) {
    const std::string called = fmt::format("graph{}", number);
    io::Fields graph(value, {"graph", called}, out_);
    if (!graph.usable()) return;
    graph.allow_only(graph_words);
    DraftDag dag;
    const auto name = graph.name("name");
    dag.name = dag_names_.unique(one_word(name.value_or(called), called));
    if (name) given_once(graph, "graph", *name, graph_names_given_);
    if (const auto T = graph.period("period", unit())) dag.T = to_time(*T);
    if (!graph.has("period")) {
      if (!options_.period) notes_.miss(fmt::format("graph '{}' says no period: give --period TIME", dag.name));
      notes_.uses("period");
      dag.T = options_.period.value_or(Time(1));
    }
    if (const auto D = graph.time("deadline", unit(), 1)) dag.D = to_time(*D);
    if (!graph.has("deadline")) {
      notes_.uses("deadline");
      dag.D = options_.deadline;
    }
    const std::vector<const io::Value*> nodes = list_of(graph, "nodes", "the list of nodes");
    if (graph.has("nodes") && nodes.empty() && !out_.failed()) graph.error(*graph.find("nodes"), "nodes: a graph has one at least");
    node_names_ = {};
    node_names_given_.clear();
    std::vector<OpenvxData> data;
    for (const io::Value* const node : nodes) read_node(*node, dag, data);
    if (!out_.failed()) add_edges(graph, dag, data);
    draft_.dags.push_back(std::move(dag));
  }

  void read_node(const io::Value& value, DraftDag& dag, std::vector<OpenvxData>& data) {
    if (++nodes_ > most_openvx_nodes) {
      out_.error(value.mark, fmt::format("the file has more than {} nodes", most_openvx_nodes));
      out_.throw_if_failed();
    }
    const std::string called = fmt::format("node{}", dag.nodes.size());
    const io::Fields node(value, {"node", called}, out_);
    if (!node.usable()) return;
    node.allow_only(node_words);
    static_cast<void>(node.require("kernel", "e.g. \"org.khronos.openvx.sobel_3x3\""));
    static_cast<void>(node.require("target", "cpu or gpu"));
    static_cast<void>(node.require("time", "the longest time of the node, e.g. \"3 ms\""));
    const auto kernel = node.name("kernel");
    const auto target = node.choice("target", targets);
    const auto time = node.time("time", unit(), 0);
    const auto name = node.name("name");
    if (name) given_once(node, "node of the graph", *name, node_names_given_);
    DraftNode made;
    const std::string of_kernel = one_word(kernel ? kernel->substr(kernel->rfind('.') + 1) : std::string_view(called), called);
    made.node.name = node_names_.unique(name ? one_word(*name, of_kernel) : of_kernel);
    if (target && time) set_demand(node, *target == 1, to_time(*time), made.node);
    OpenvxData& of = data.emplace_back();
    of.inputs = references(node, "inputs");
    of.outputs = references(node, "outputs");
    dag.add(std::move(made));
  }

  void given_once(const io::Fields& fields, std::string_view what, std::string_view name, std::set<std::string, std::less<>>& given) const {
    if (given.emplace(name).second) return;
    fields.error(*fields.find("name"), fmt::format("name: another {} is called {} already", what, io::quote(name)));
  }

  void set_demand(const io::Fields& node, bool on_gpu, Time time, Node& out) {
    for (const std::string_view key : {"blocks", "threads"}) {
      const io::Value* const given = node.find(key);
      if (given == nullptr) continue;
      if (!on_gpu) node.error(*given, fmt::format("{}: is of kernels on the GPU; the node's target is cpu", key));
      if (on_gpu && (!node.has("blocks") || !node.has("threads"))) node.error(*given, "blocks and threads stand together");
    }
    if (!on_gpu) {
      out.pool = cpu_.value_or(0);
      out.demand = CpuDemand{time};
      return;
    }
    out.pool = gpu_.value_or(0);
    if (time == Time::zero()) {
      node.error(*node.find("time"), "time: a kernel takes 1 ns at least");
      return;
    }
    const auto blocks = node.integer("blocks", 1, std::numeric_limits<std::int64_t>::max());
    const auto threads = node.integer("threads", 1, 1024);
    if (!blocks || !threads) {
      out.demand = kernel_by_time(time, gpu_pool_);
      return;
    }
    GpuDemand kernel;
    kernel.B = *blocks;
    kernel.H = static_cast<std::uint32_t>(ceil_div(*threads, std::uint64_t{gpu_pool_.allocation.warp})) * gpu_pool_.allocation.warp;
    kernel.L = time;  // no block takes longer than all of them
    kernel.C = Workload(checked_mul(Wide{time.count()}, Wide{kernel.H}));
    kernel.time = time;
    for (const LaunchFault& fault : launch_faults(kernel, gpu_pool_, "the GPU")) node.error(*node.find("threads"), fault.what);
    out.demand = kernel;
  }

  std::vector<const io::Value*> references(const io::Fields& node, std::string_view key) const {
    if (!node.has(io::Key(key))) return {};
    std::vector<const io::Value*> all = items(node, key, *node.find(io::Key(key)));
    for (const io::Value* const one : all) {
      if (one->kind != io::Value::Kind::scalar || one->text.empty())
        node.error(*one, fmt::format("{}: a name of data is expected, not {}", key, kind_text(*one)));
    }
    return all;
  }

  void add_edges(const io::Fields& graph, DraftDag& dag, const std::vector<OpenvxData>& data) {
    std::map<std::string_view, NodeId> writer;
    for (NodeId v = 0; v < data.size(); ++v) {
      for (const io::Value* const output : data[v].outputs) {
        written_by_.emplace(output->text, draft_.dags.size());
        const auto [at, first] = writer.emplace(output->text, v);
        if (first || at->second == v) continue;
        graph.error(*output, fmt::format("outputs: {} is written by node {} already, and data of a graph has one writer",
                                         io::quote(output->text), io::quote(dag.nodes[at->second].name)));
      }
    }
    std::size_t from_outside = 0;
    std::vector<std::vector<NodeId>> after(data.size());
    for (NodeId v = 0; v < data.size(); ++v) {
      for (const io::Value* const input : data[v].inputs) {
        const auto at = writer.find(input->text);
        if (at == writer.end()) {
          ++from_outside;
          unwritten_.push_back({input, draft_.dags.size(), v});
        } else if (at->second == v) {
          dag.nodes[v].sequential = true;
          notes_.found(fmt::format("'{}' writes on what it has written before ('{}'): it is sequential", dag.nodes[v].name,
                                   one_line(input->text, 60)));
        } else if (std::ranges::find(after[at->second], v) == after[at->second].end()) {
          after[at->second].push_back(v);
          dag.edges.push_back({at->second, v, false});
        }
      }
    }
    const auto order = topological_order(after.size(), [&](NodeId v) -> const std::vector<NodeId>& { return after[v]; });
    if (order.size() < after.size())
      graph.error(*graph.find("nodes"), "nodes: some read what follows from what they write: a cycle, which no graph of OpenVX has");
    notes_.found(fmt::format("graph '{}': nodes: {}, edges from writers to readers: {}, references to data from outside: {}", dag.name,
                             dag.nodes.size(), dag.edges.size(), from_outside));
  }

  /// A graph of OpenVX runs whenever it is scheduled, with whatever data there is then.
  void tell_of_other_graphs() {
    for (const OpenvxInput& input : unwritten_) {
      const auto at = written_by_.find(input.data->text);
      if (at == written_by_.end()) continue;
      const DraftDag& reader = draft_.dags[input.dag];
      notes_.warn(
          {notes_.file(), input.data->mark.line, input.data->mark.column,
           fmt::format("inputs: {} of node {} is written by graph '{}': no edge joins graphs, so bounds do not wait for it; if '{}' "
                       "has to follow, make one graph of both, and for how old the data is write a chain into the task set",
                       io::quote(input.data->text), io::quote(reader.nodes[input.node].name), draft_.dags[at->second].name, reader.name)});
    }
  }

  io::Diagnostics& out_;
  const Options& options_;
  Notes& notes_;
  std::optional<io::Unit> unit_;
  Draft draft_;
  Profile recorded_on_;  // that says nothing of its GPU
  GpuPool gpu_pool_;
  std::optional<PoolId> cpu_, gpu_;
  std::size_t nodes_ = 0;
  UniqueNames dag_names_, node_names_;
  std::set<std::string, std::less<>> graph_names_given_, node_names_given_;
  std::map<std::string_view, DagId> written_by_;  // the first graph that writes the data
  std::vector<OpenvxInput> unwritten_;
};

}  // namespace

Draft read_openvx(std::string_view text, const Options& options, Notes& notes) {
  io::Diagnostics out(notes.file());
  const io::YamlDocument document(text, out, "a list of OpenVX nodes has `graphs`");
  Draft draft = OpenvxReader(out, options, notes).read(document.root());
  draft.name = std::filesystem::path(notes.file()).filename().string();
  return draft;
}

}  // namespace rta::convert
