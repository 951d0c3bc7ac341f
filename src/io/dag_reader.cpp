#include "dag_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "history_reader.hpp"
#include "requirement_reader.hpp"
#include "rta/model/streams.hpp"
#include "rta/model/topological_order.hpp"
#include "split_node.hpp"

namespace rta::io {
namespace {

constexpr std::array<std::string_view, 16> dag_words{"name",      "copies", "T",        "T_max",      "jitter",  "phase",
                                                     "periodic",  "D",      "priority", "process",    "threads", "wait",
                                                     "in_flight", "nodes",  "edges",    "requirement"};
constexpr KeySet dag_keys = dag_words;
constexpr std::uint64_t most_dag_threads = 10'000;
constexpr std::uint64_t most_in_flight = 10'000;

std::string_view name_in(const Value& entry) {
  if (entry.kind != Value::Kind::mapping) return {};
  for (const Value* key = entry.first(); key != entry.next(); key = key->next()->next()) {
    if (key->text == "name" && key->next()->kind == Value::Kind::scalar) return key->next()->text;
  }
  return {};
}

Subject subject_of(std::string_view kind, const Value& entry) {
  const std::string_view name = name_in(entry);
  return name.empty() ? Subject{} : Subject{kind, name};
}

bool is_under_fp(const PlatformReader& platform, const Node& node) {
  const auto* cpu = std::get_if<CpuPool>(&platform.pool(node.pool).resource);
  return cpu != nullptr && cpu->scheduler == Scheduler::fp;
}

std::string copy_name(const std::string& name, std::uint64_t copies, std::uint64_t i) {
  return copies == 1 ? name : fmt::format("{}[{}]", name, i);
}

/// `nodes` as written; what a node is split into has names of its own.
template <class Span>
void check_names(const Fields& nodes, std::span<const Node> read, const std::vector<Span>& spans) {
  for (std::size_t i = 0; i < spans.size(); ++i) {
    for (NodeId v = spans[i].first; v <= spans[i].last && spans[i].first < spans[i].last; ++v) {
      const auto other = nodes.index_of(std::string_view(read[v].name));
      if (other)
        nodes.error(*nodes.all()[*other].key, fmt::format("{} is the name of a part of node {}, which is split", quote(read[v].name),
                                                          quote(nodes.all()[i].key->text)));
    }
  }
}

/// Edges between nodes as they are written become edges between those that they are split into, which follow one another.
template <class Span>
void join(const std::vector<Span>& spans, std::vector<Edge>& edges) {
  for (Edge& edge : edges) edge = {spans[edge.from].last, spans[edge.to].first, edge.cut};
  for (const Span& span : spans) {
    for (NodeId v = span.first; v < span.last; ++v) edges.push_back({v, v + 1, false});
  }
}

}  // namespace

void DagReader::read(const Value& list, NodeForm form) {
  const bool tasks = form == NodeForm::task;
  if (list.kind != Value::Kind::sequence) {
    if (list.kind != Value::Kind::rejected) {
      out_.error(list.mark, fmt::format("{}: a list ('- name: …') is expected, not {}", tasks ? "tasks" : "dags", kind_text(list)));
    }
    return;
  }
  for (const Value* entry = list.first(); entry != list.next(); entry = entry->next()) {
    if (tasks) {
      read_task(*entry);
    } else {
      read_dag(*entry);
    }
  }
}

DagReader::Family DagReader::read_family(const Fields& fields) {
  Family family;
  static_cast<void>(fields.require("name", "every DAG and task has one"));
  static_cast<void>(fields.require("T", "the period"));
  if (const auto name = fields.name("name")) family.name = *name;
  family.copies = fields.integer("copies", 1, most_nodes).value_or(1);
  if (const auto T = fields.exact_period("T", time_unit_)) {
    family.exact_T = *T;
    family.T = to_time(T->numerator / T->denominator);
  }
  if (const auto longest = fields.time("T_max", time_unit_, 1)) {
    family.attributes.T_max = to_time(*longest);
    if (!out_.failed() && *family.attributes.T_max < family.T) {
      fields.error(*fields.find("T_max"), "T_max: the longest distance of two releases must not be below T, the shortest");
    }
  }
  if (const auto jitter = fields.time("jitter", time_unit_, 0)) {
    family.attributes.jitter = to_time(*jitter);
    if (!out_.failed() && family.attributes.jitter >= family.T) {
      fields.error(*fields.find("jitter"), "jitter: must be below T, or releases could overtake one another");
    }
  }
  if (const auto phase = fields.time("phase", time_unit_, 0)) family.attributes.phase = to_time(*phase);
  if (fields.flag("periodic").value_or(false)) read_periodic(fields, family);
  if (const auto D = fields.time("D", time_unit_, 1)) family.D = to_time(*D);
  note_requirements(fields, std::nullopt, family);
  return family;
}

void DagReader::note_requirements(const Fields& fields, std::optional<NodeId> node, Family& family) {
  for (const std::string_view name : read_requirements(fields)) family.requirements.emplace_back(node, name);
}

void DagReader::read_periodic(const Fields& fields, Family& family) {
  family.attributes.periodic = true;
  if (fields.find("phase") == nullptr) {
    fields.error(*fields.find("periodic"), "periodic: needs `phase`, the first release, e.g. `phase: 0 ms`");
  } else if (!out_.failed() && family.attributes.T_max.value_or(family.T) != family.T) {
    fields.error(*fields.find("T_max"), "T_max: is T where releases are periodic");
  }
}

void DagReader::read_dag(const Value& value) {
  const Fields fields(value, subject_of("DAG", value), out_);
  if (!fields.usable()) return;
  fields.allow_only(dag_keys);
  Family family = read_family(fields);
  family.attributes.priority = read_fixed_priority(fields);
  if (const auto process = fields.name("process")) family.process = {*process, fields.find("process")->mark};
  if (fields.require("nodes", "what the DAG consists of") != nullptr) read_nodes(fields, family);
  if (const auto threads = fields.integer("threads", 1, most_dag_threads)) {
    family.attributes.threads = static_cast<std::uint32_t>(*threads);
    if (!out_.failed()) check_threads(fields, family);
  }
  read_wait(fields, family);
  if (const auto in_flight = fields.integer("in_flight", 1, most_in_flight)) {
    family.attributes.in_flight = static_cast<std::uint32_t>(*in_flight);
    if (family.attributes.threads)
      fields.error(*fields.find("in_flight"), "in_flight: no more jobs are under way than `threads` play; leave one of the two out");
  }
  keep(fields, std::move(family));
}

void DagReader::read_nodes(const Fields& fields, Family& family) {
  const Fields nodes(*fields.find("nodes"), fields.subject(), out_, "nodes");
  if (!nodes.usable()) return;
  if (nodes.mapping().first() == nodes.mapping().next()) fields.error(nodes.mapping(), "nodes: a DAG has at least one node");
  family.nodes.reserve(nodes.all().size());
  std::vector<Span> spans;      // of the nodes that each is read as
  std::vector<NodeId> waiting;  // for nodes of earlier jobs
  for (const auto& [key, value] : nodes.all()) {
    if (const auto fault = name_fault(key->text)) fields.error(*key, *fault);
    const Fields node(*value, {"node", key->text}, out_);
    const NodeId first = family.nodes.size();
    if (node.has("after")) waiting.push_back(spans.size());
    if (is_split(node)) {
      read_split(node, *key, family);
    } else {
      read_node(node, *key, family);
    }
    spans.push_back({first, family.nodes.size() - 1});
  }
  if (family.attributes.priority && !out_.failed() &&
      std::ranges::none_of(family.nodes, [&](const Node& node) { return is_under_fp(platform_, node); })) {
    fields.warn(*fields.find("priority"), "priority: has no effect, because no node of the DAG runs on a pool of fixed priorities (FP)");
  }
  if (const Value* const edges = fields.find("edges")) family.edges = read_edges(*edges, nodes, fields.subject(), out_);
  if (family.nodes.size() != spans.size()) {
    check_names(nodes, family.nodes, spans);
    if (!out_.failed()) join(spans, family.edges);
  }
  for (const NodeId i : waiting) {
    const Fields node(*nodes.all()[i].value, {"node", nodes.all()[i].key->text}, out_);
    for (const HistoryEdge& edge : read_after(node, nodes, i))
      family.attributes.after.push_back({spans[edge.from].last, spans[edge.to].first, edge.jobs});
  }
  if (!out_.failed()) order_by_streams(nodes, spans, family);
}

void DagReader::order_by_streams(const Fields& nodes, std::span<const Span> spans, Family& family) {
  // Where the operation's stream is written: of a node that is split, at its name.
  const auto error_at = [&](NodeId v, std::string_view message) {
    const auto after = std::ranges::upper_bound(spans, v, {}, &Span::first);
    const auto& written = nodes.all()[static_cast<std::size_t>(after - spans.begin()) - 1];
    const Fields node(*written.value, {"node", written.key->text}, out_);
    const Value* const stream = node.find("stream");
    node.error(stream != nullptr ? *stream : *written.key, message);
  };
  const auto name_of = [&](NodeId v) { return quote(family.nodes[v].name); };
  const auto process_of = [&](NodeId v) { return family.processes[v].empty() ? std::string("none") : quote(family.processes[v]); };
  for (const Stream& stream : streams_of(family.nodes)) {
    std::optional<NodeId> kernel;
    for (const NodeId v : stream.operations) {
      if (family.processes[v] != family.processes[stream.operations.front()])
        error_at(v, fmt::format("stream: {} has operations of two processes, {} of {} and {} of {}; a stream is of one", quote(stream.name),
                                name_of(stream.operations.front()), process_of(stream.operations.front()), name_of(v), process_of(v)));
      const auto* demand = std::get_if<GpuDemand>(&family.nodes[v].demand);
      if (demand == nullptr) continue;
      if (kernel && family.nodes[v].pool != family.nodes[*kernel].pool)
        error_at(v, fmt::format("stream: {} has kernels on two GPUs, {} and {}; a stream is of one", quote(stream.name), name_of(*kernel),
                                name_of(v)));
      if (kernel && demand->priority != std::get<GpuDemand>(family.nodes[*kernel].demand).priority)
        error_at(v, fmt::format("stream: {} has kernels of two priorities, {} and {}; a stream has one", quote(stream.name),
                                name_of(*kernel), name_of(v)));
      kernel = kernel.value_or(v);
    }
  }
  if (const auto fault = order_streams(family.nodes, family.edges))
    error_at(
        fault->second,
        fmt::format("stream: {0} comes after {1} in stream {2}, as the file has them, but edges let it come first; write node {0} before "
                    "{1}, or give it another stream",
                    name_of(fault->second), name_of(fault->first), quote(family.nodes[fault->first].stream)));
}

void DagReader::read_node(const Fields& node, const Value& key, Family& family) {
  Node& read = family.nodes.emplace_back();
  nodes_.read(node, NodeForm::node, read);
  read.name = key.text;
  note_requirements(node, family.nodes.size() - 1, family);
  note_process(node, key.mark, family);
  note_priority(read, {node.mapping().mark, key.text}, family.attributes);
}

// The parts are a group, so that `--granularity coarse` plays them as they were written.
void DagReader::read_split(const Fields& node, const Value& key, Family& family) {
  const auto parts = split(node, key.text, time_unit_);
  if (!parts) {
    family.nodes.emplace_back();  // edges may name it
    family.processes.emplace_back();
    return;
  }
  const Value* const on = node.require("on", "the pool of processors that it runs on");
  const auto pool = on == nullptr ? std::nullopt : platform_.resolve(*on, node);
  if (pool && platform_.pool(*pool).kind() != PoolKind::cpu)
    node.error(*on, fmt::format("on: '{}' has no processors; what launches `kernels` runs on a CPU pool", platform_.pool(*pool).name));
  if (pool && platform_.executor_on(*pool) != nullptr)
    node.error(*on,
               fmt::format("on: executor '{}' has pool '{}' to itself", platform_.executor_on(*pool)->name, platform_.pool(*pool).name));
  const auto priority = read_fixed_priority(node);
  for (const SplitPart& part : *parts) {
    Node& read = family.nodes.emplace_back();
    if (part.kernel != nullptr) {
      const Fields kernel(*part.kernel, {"node", key.text}, out_, "kernels");
      nodes_.read(kernel, NodeForm::node, read);
      if (!out_.failed() && platform_.pool(read.pool).kind() == PoolKind::cpu)
        kernel.error(kernel.mapping(),
                     fmt::format("kernels: '{}' is a pool of processors; what runs there between two kernels is `between`",
                                 platform_.pool(read.pool).name));
      for (const char* const key_of_node : {"group", "requirement", "sequential", "D", "after"}) {
        if (kernel.usable() && kernel.has(std::string_view(key_of_node)))
          kernel.error(*kernel.find(std::string_view(key_of_node)), fmt::format("{}: is not of the kernels of a node", key_of_node));
      }
      if (kernel.usable()) note_process(kernel, part.kernel->mark, family);
    } else {
      if (pool) read.pool = *pool;
      read.demand = CpuDemand{part.C, priority};
      note_process(node, key.mark, family);
    }
    read.name = part.name;
    read.group = key.text;
    note_priority(read, {node.mapping().mark, key.text}, family.attributes);
  }
}

void DagReader::check_threads(const Fields& fields, const Family& family) {
  const Value& at = *fields.find("threads");
  const auto in_stream = std::ranges::find_if(family.nodes, [](const Node& node) { return !node.stream.empty(); });
  if (!family.attributes.after.empty() || in_stream != family.nodes.end()) {
    const bool after = !family.attributes.after.empty();
    fields.error(at, fmt::format("threads: the jobs of one thread follow one another, and those of several do not wait in the midst of "
                                 "them; leave `{}` out of node {}, or `threads`",
                                 after ? "after" : "stream",
                                 quote(after ? family.nodes[family.attributes.after.front().to].name : in_stream->name)));
    return;
  }
  const auto sequential = std::ranges::find_if(family.nodes, &Node::sequential);
  if (sequential != family.nodes.end()) {
    fields.error(at, fmt::format("threads: a thread plays one job at a time, so `sequential` does not go with it; leave it out of node {}",
                                 quote(sequential->name)));
    return;
  }
  for (const Node& node : family.nodes) {
    const auto* const cpu = std::get_if<CpuPool>(&platform_.pool(node.pool).resource);
    if (platform_.executor_on(node.pool) == nullptr &&
        (cpu == nullptr || (!is_wait_set(*cpu) && !is_multi_threaded(*cpu) && !cpu->callbacks)))
      continue;
    fields.error(at,
                 fmt::format("threads: node {} is a callback, which its executor's thread plays; leave `threads` out, or give it another "
                             "pool",
                             quote(node.name)));
    return;
  }
  if (const auto cut = std::ranges::find_if(family.edges, &Edge::cut); cut != family.edges.end()) {
    fields.error(at, fmt::format("threads: a thread goes on with the next node at once, so there is no cut between {} and {}; leave `cut: "
                                 "true` out",
                                 quote(family.nodes[cut->from].name), quote(family.nodes[cut->to].name)));
    return;
  }
  std::vector<std::vector<NodeId>> after(family.nodes.size());
  for (const Edge& edge : family.edges) after[edge.from].push_back(edge.to);
  const auto order = topological_order(after.size(), [&](NodeId v) -> const std::vector<NodeId>& { return after[v]; });
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (std::ranges::find(after[order[i - 1]], order[i]) != after[order[i - 1]].end()) continue;
    fields.error(at, fmt::format("threads: a thread plays nodes one after another, and no edge says whether {} or {} comes first; add one "
                                 "from each node to the next",
                                 quote(family.nodes[order[i - 1]].name), quote(family.nodes[order[i]].name)));
    return;
  }
}

void DagReader::read_wait(const Fields& fields, Family& family) {
  constexpr std::array<std::string_view, 2> words{"block", "spin"};
  const auto wait = fields.choice("wait", words);
  if (!wait) return;
  const Value& at = *fields.find("wait");
  if (!fields.has("threads")) {
    fields.error(at, "wait: says how `threads` wait for a kernel, copy or item, and there are none; add `threads`, or leave it out");
    return;
  }
  if (*wait == 0 || out_.failed()) return;
  std::vector<bool> waits(family.nodes.size());
  for (const Edge& edge : family.edges) waits[edge.to] = true;
  const auto source = std::ranges::find(waits, false);
  if (source == waits.end()) return;  // a cycle, about which others complain
  const Node& first = family.nodes[static_cast<std::size_t>(source - waits.begin())];
  if (!std::holds_alternative<CpuDemand>(first.demand)) {
    fields.error(at, fmt::format("wait: a thread that spins has a processor to spin on, but its first node {} is none of processors; put a "
                                 "CPU node before it, for example what launches it",
                                 quote(first.name)));
    return;
  }
  const auto elsewhere = std::ranges::find_if(
      family.nodes, [&](const Node& node) { return std::holds_alternative<CpuDemand>(node.demand) && node.pool != first.pool; });
  if (elsewhere == family.nodes.end()) {
    family.attributes.wait = Wait::spin;
    return;
  }
  fields.error(at,
               fmt::format("wait: a thread that spins keeps its processor, but {} is on pool {} and {} on pool {}; put its CPU nodes on "
                           "one pool, or let it block",
                           quote(first.name), quote(platform_.pool(first.pool).name), quote(elsewhere->name),
                           quote(platform_.pool(elsewhere->pool).name)));
}

void DagReader::read_task(const Value& value) {
  const Fields fields(value, subject_of("task", value), out_);
  if (!fields.usable()) return;
  Family family = read_family(fields);
  Node& node = family.nodes.emplace_back();
  nodes_.read(fields, NodeForm::task, node);
  if (const Value* const after = fields.find("after"))
    fields.error(*after, "after: is said of the nodes of a DAG (`dags`); a task whose jobs wait for one another is `sequential: true`");
  node.name = family.name;
  node.deadline = family.D;
  note_process(fields, fields.mapping().mark, family);
  note_priority(node, {fields.mapping().mark, fields.subject().name}, family.attributes);
  keep(fields, std::move(family));
}

void DagReader::note_process(const Fields& node, Mark at, Family& family) {
  Process process = family.process;
  if (process.name.empty()) process.at = at;
  if (const auto own = node.name("process")) process = {*own, node.find("process")->mark};
  family.processes.push_back(process.name);
  if (!out_.failed()) contexts_.add(family.nodes.back().pool, process.name, process.at);
}

void DagReader::note_priority(const Node& node, FirstNode at, const DagAttributes& attributes) {
  if (out_.failed() || !is_under_fp(platform_, node)) return;
  FirstNodes& first = priorities_[node.pool];
  const bool given = std::get<CpuDemand>(node.demand).priority || attributes.priority;
  std::optional<FirstNode>& of_kind = given ? first.with : first.without;
  if (!of_kind) of_kind = at;
}

void DagReader::check_priorities() {
  for (const auto& [pool, first] : priorities_) {
    if (!first.with || !first.without) continue;
    out_.error(first.without->at, {"node", first.without->name},
               fmt::format("'priority' is missing: others on pool '{}' have one ({}, line {}); give it to all of them or their DAGs, or to "
                           "none",
                           platform_.pool(pool).name, quote(first.with->name), first.with->at.line));
  }
}

// Once per DAG: of the first such node.
void DagReader::warn_of_overlap(const Fields& fields, const Family& family) {
  if (family.attributes.threads) return;
  for (const Node& node : family.nodes) {
    const auto* const cpu = std::get_if<CpuDemand>(&node.demand);
    if (cpu == nullptr || node.sequential || cpu->C <= family.T || family.T == Time::zero()) continue;
    fields.warn(
        fields.mapping(),
        fmt::format("C of '{}' is longer than T, and its successive jobs may run at the same time; `sequential: true` lets each wait "
                    "for the one before, as mutually exclusive callbacks do",
                    node.name));
    return;
  }
}

void DagReader::keep(const Fields& fields, Family family) {
  const bool fitted = node_count_ <= most_nodes;
  node_count_ += family.copies * family.nodes.size();
  if (node_count_ > most_nodes) {
    if (fitted) fields.error(fields.mapping(), fmt::format("the task set has more than {} nodes, copies included", most_nodes));
    return;
  }
  if (!family.name.empty()) {
    const Mark at = fields.find("name")->mark;
    for (std::uint64_t i = 0; i < family.copies; ++i) {
      const auto [earlier, fresh] = lines_.emplace(copy_name(family.name, family.copies, i), at.line);
      if (fresh) continue;
      fields.error(at, fmt::format("the name {} is given twice (first at line {})", quote(earlier->first), earlier->second));
      break;
    }
  }
  warn_of_overlap(fields, family);
  if (!out_.failed()) families_.push_back(std::move(family));
}

std::vector<Requirement> DagReader::requirements() const {
  std::vector<Requirement> all;
  DagId d = 0;
  for (const Family& family : families_) {
    for (std::uint64_t copy = 0; copy < family.copies; ++copy, ++d) {
      for (const auto& [node, name] : family.requirements) all.push_back({name, ChainStage{d, node}});
    }
  }
  return all;
}

bool DagReader::has_periodic_rates() const {
  return std::ranges::any_of(families_, [](const Family& family) { return family.attributes.periodic && !family.exact_T.is_whole(); });
}

std::vector<ExactTime> DagReader::periods() const {
  std::vector<ExactTime> all;
  for (const Family& family : families_) all.insert(all.end(), family.copies, family.exact_T);
  return all;
}

void DagReader::take(Family& family, std::vector<Dag>& dags) const {
  for (NodeId v = 0; v < family.nodes.size(); ++v) family.nodes[v].pool = contexts_.place(family.nodes[v].pool, family.processes[v]);
  for (std::uint64_t i = 0; i + 1 < family.copies; ++i) {
    dags.emplace_back(copy_name(family.name, family.copies, i), family.T - family.attributes.jitter, family.D, family.nodes, family.edges,
                      family.attributes);
  }
  dags.emplace_back(copy_name(family.name, family.copies, family.copies - 1), family.T - family.attributes.jitter, family.D,
                    std::move(family.nodes), std::move(family.edges), family.attributes);
}

}  // namespace rta::io
