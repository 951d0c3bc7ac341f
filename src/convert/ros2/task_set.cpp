#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "../../io/yaml_text.hpp"
#include "../observed_system.hpp"
#include "../pools.hpp"
#include "../ros2_reader.hpp"
#include "architecture.hpp"
#include "chosen_executors.hpp"
#include "told.hpp"

namespace rta::convert {
namespace {

constexpr std::size_t most_callbacks_of_dag = 5000;  // of a DAG
constexpr std::size_t most_kept_jobs = 100'000;      // jobs of a DAG that are kept

/// How an executor of one thread picks callbacks, as far as the trace tells.
enum class Picks : std::uint8_t { wait_set, events, step, any_order };

constexpr std::int64_t jazzy_rcl = 9;  // its major version

std::int64_t rcl_of(Distribution distribution) {
  switch (distribution) {
    case Distribution::humble: return 5;
    case Distribution::iron: return 6;
    case Distribution::jazzy: return jazzy_rcl;
    case Distribution::rolling: break;
  }
  return jazzy_rcl + 1;
}

/// Threads that run callbacks together.
struct ExecutorFound {
  Ros2Id executor = unknown_id;  // of CARET's events
  Ros2Id process = 0;
  std::set<Ros2Id> threads;
  std::vector<Ros2Id> callbacks;
  PoolId pool = 0;
  bool step = false;  // a static executor
};

class Ros2Reader {
 public:
  Ros2Reader(Bytes& bytes, const Options& options, Notes& notes)
      : options_(options), notes_(notes), events_(bytes, notes), system_(events_, options.left_out_topics), chosen_(options, notes) {}

  Draft read() {
    while (const Ros2Event* event = events_.next()) system_.take(*event);
    system_.finish();
    check();
    keep_callbacks();
    find_executors();
    Draft draft;
    draft.name = std::filesystem::path(notes_.file()).filename().string();
    const Ros2Read read{system_, kept_, names_};
    tell_what_was_found(events_, read, notes_);
    tell_left_out_topics(options_.left_out_topics, read, notes_);
    find_dags();
    add_pools(draft);
    chosen_.check_names();
    add_dags(draft);
    if (options_.architecture) add_chains(draft, read_architecture(*options_.architecture, notes_));
    keep_recorded(draft);
    tell_what_is_assumed(events_, read, dags_with_edges(), notes_);
    return draft;
  }

 private:
  [[nodiscard]] const Ros2Callback& callback(Ros2Id c) const { return system_.callbacks[c]; }
  [[nodiscard]] bool ran(Ros2Id c) const { return callback(c).starts > 0; }

  void check() const {
    if (std::ranges::any_of(system_.callbacks, [](const Ros2Callback& c) { return c.starts > 0; })) return;
    if (system_.begun_before > 0) refuse(notes_.file(), "no callback begins in the trace: there is no ros2:callback_start");
    refuse(notes_.file(), fmt::format("no callback ran in the trace ({} events): there is no ros2:callback_start; record while the nodes "
                                      "run, with `ros2 trace`, which enables ros2:*",
                                      events_.count()));
  }

  // The callbacks that count: they ran, and the table says that what they are for is read.
  void keep_callbacks() {
    UniqueNames names;
    names_.resize(system_.callbacks.size());
    std::size_t never = 0;
    for (Ros2Id id = 0; id < system_.callbacks.size(); ++id) {
      const Ros2Callback& c = callback(id);
      if (c.starts == 0) {
        if (c.owner != Ros2Owner::unknown || !c.symbol.empty()) ++never;
        continue;
      }
      const std::string topic = topic_of(system_, c);
      const bool of_node = c.owner == Ros2Owner::service || c.owner == Ros2Owner::client;
      const std::string_view asked = of_node ? std::string_view(topic).substr(topic.rfind('/') + 1) : std::string_view(topic);
      const bool kept = notes_.meet(Kind::ros2, of_node ? "service" : "topic", asked, 0, 0, to_time(c.sum)) == Fate::read;
      if (!kept) continue;
      names_[id] = names.unique(short_name(system_, c));
      kept_.push_back(id);
    }
    if (kept_.empty()) refuse(notes_.file(), "only parameters of nodes were served in the trace: no other callback ran");
    for (const Ros2Id id : kept_) {
      const Ros2Callback& c = callback(id);
      if (c.jobs > 0 || c.starts < 2) continue;
      refuse(notes_.file(),
             fmt::format("callback '{}' began {} times and never ended in the trace, so that nothing tells how long it takes: "
                         "ros2:callback_end is missing or was lost",
                         names_[id], c.starts));
    }
    if (never > 0) notes_.assume(fmt::format("{} CALLBACKS NEVER RAN in the trace and are left out: no bound covers them", never));
  }

  [[nodiscard]] Ros2Id group_of(Ros2Id id) const {
    const auto at = system_.group_of.find({callback(id).owner, callback(id).owned_by});
    return at == system_.group_of.end() ? unknown_id : at->second;
  }

  // By CARET's events; where there are none, callbacks that ran on a thread are one executor's.
  void find_executors() {
    std::vector<std::size_t> parent(kept_.size());
    for (std::size_t i = 0; i < parent.size(); ++i) parent[i] = i;
    const auto root = [&](std::size_t i) {
      while (parent[i] != i) i = parent[i] = parent[parent[i]];
      return i;
    };
    std::map<Ros2Id, std::size_t> by_thread, by_executor;
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      for (const Ros2Id thread : callback(kept_[i]).threads) {
        const auto [at, fresh] = by_thread.emplace(thread, i);
        if (!fresh) parent[root(i)] = root(at->second);
      }
      const Ros2Id group = group_of(kept_[i]);
      const Ros2Id executor = group == unknown_id ? unknown_id : system_.groups[group].executor;
      if (executor == unknown_id) continue;
      const auto [at, fresh] = by_executor.emplace(executor, i);
      if (!fresh) parent[root(i)] = root(at->second);
    }
    std::map<std::size_t, std::size_t> index;
    executor_of_.resize(system_.callbacks.size());
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      const auto [at, fresh] = index.emplace(root(i), executors_.size());
      if (fresh) executors_.emplace_back();
      ExecutorFound& e = executors_[at->second];
      const Ros2Callback& c = callback(kept_[i]);
      e.process = c.process;
      e.threads.insert(c.threads.begin(), c.threads.end());
      e.callbacks.push_back(kept_[i]);
      executor_of_[kept_[i]] = at->second;
      const Ros2Id group = group_of(kept_[i]);
      if (group != unknown_id && system_.groups[group].executor != unknown_id) e.executor = system_.groups[group].executor;
    }
  }

  [[nodiscard]] bool left_out(const Ros2Callback& c) const {
    return c.owner == Ros2Owner::subscription && system_.leaves_out(topic_of(system_, c));
  }

  // Subscriptions' callbacks, by topic, of which messages are edges.
  [[nodiscard]] std::map<std::string, std::vector<Ros2Id>, std::less<>> readers() const {
    std::map<std::string, std::vector<Ros2Id>, std::less<>> of;
    for (const Ros2Id id : kept_) {
      if (callback(id).owner == Ros2Owner::subscription && !left_out(callback(id))) of[topic_of(system_, callback(id))].push_back(id);
    }
    return of;
  }

  struct Instance {
    Ros2Id callback = 0;
    NodeId before = 0;
    bool source = false;
  };
  struct Tree {
    Ros2Id source = 0;
    bool looped = false;  // its source is released by what it leads to, too
    std::vector<Instance> nodes;
  };

  using ByTopic = std::map<std::string, std::vector<Ros2Id>, std::less<>>;

  void grow_dag(std::size_t d, std::vector<char>& queued, const ByTopic& of_topic) {
    Tree tree{dags_[d].source, dags_[d].looped, {}};
    std::vector<Ros2Id> path, loops;
    grow(tree, {tree.source, 0, true}, path, loops, of_topic);
    dags_[d] = std::move(tree);
    for (const Ros2Id id : loops) {
      notes_.assume(
          fmt::format("'{}' leads to itself by its messages: these are no edge, and it is a DAG of its own with the least distance "
                      "of all its starts as T",
                      names_[id]));
      if (queued[id] == 0) dags_.push_back({id, true, {}});
      queued[id] = 1;
      for (Tree& other : dags_) other.looped = other.looped || (other.source == id && callback(id).owner == Ros2Owner::subscription);
    }
  }

  void find_dags() {
    const auto of_topic = readers();
    std::vector<char> queued(system_.callbacks.size());
    uses_.resize(system_.callbacks.size());
    for (const Ros2Id id : kept_) {
      const Ros2Callback& c = callback(id);
      if (c.owner == Ros2Owner::subscription && c.released_outside == 0) continue;
      queued[id] = 1;
      dags_.push_back({id, false, {}});
    }
    std::size_t grown = 0;
    const auto grow_all = [&] {
      for (; grown < dags_.size(); ++grown) grow_dag(grown, queued, of_topic);
    };
    grow_all();
    // What a callback released that is left out, or a job that the trace cuts off.
    for (const Ros2Id id : kept_) {
      if (uses_[id] > 0) continue;
      notes_.assume(
          fmt::format("'{}': the jobs that publish for it are left out, or cut off: it is a DAG of its own with the least distance "
                      "of its starts as T",
                      names_[id]));
      queued[id] = 1;
      dags_.push_back({id, true, {}});
      grow_all();
    }
  }

  // A message is a job of each subscription of its topic: the graph is a tree.
  void grow(Tree& tree, Instance node, std::vector<Ros2Id>& path, std::vector<Ros2Id>& loops, const ByTopic& of_topic) {
    if (tree.nodes.size() >= most_callbacks_of_dag) {
      refuse(notes_.file(), fmt::format("the messages of '{}' lead to more than {} callbacks: no DAG is made of so many",
                                        names_[tree.source], most_callbacks_of_dag));
    }
    const NodeId index = tree.nodes.size();
    tree.nodes.push_back(node);
    ++uses_[node.callback];
    path.push_back(node.callback);
    const Ros2Callback& c = callback(node.callback);
    for (const auto& [topic, output] : c.outputs) {
      const auto at = of_topic.find(topic);
      if (topic.empty() || at == of_topic.end()) continue;
      for (const Ros2Id reader : at->second) {
        const std::size_t messages = callback(reader).process == c.process ? output.within : output.beyond;
        if (messages > 0 && std::ranges::find(path, reader) != path.end()) {
          if (std::ranges::find(loops, reader) == loops.end()) loops.push_back(reader);
          continue;
        }
        for (std::size_t i = 0; i < messages; ++i) grow(tree, {reader, index, false}, path, loops, of_topic);
      }
    }
    path.pop_back();
  }

  /// Of the trace, or of --distribution.
  [[nodiscard]] std::optional<std::int64_t> rcl_major() {
    if (!options_.distribution) return system_.rcl_major;
    const std::int64_t given = rcl_of(*options_.distribution);
    const bool moves = *options_.distribution == Distribution::rolling;
    if (system_.rcl_major) {
      if (moves ? *system_.rcl_major < jazzy_rcl : *system_.rcl_major != given)
        refuse(notes_.file(), fmt::format("--distribution: the trace is of rcl {}, which is not that of this distribution ({}{})",
                                          *system_.rcl_major, moves ? jazzy_rcl : given, moves ? " or later" : ""));
      return system_.rcl_major;
    }
    notes_.uses("distribution");
    return given;
  }

  [[nodiscard]] Picks picks_of(const ExecutorFound& e, const std::string& name, const std::string& type) {
    constexpr const char* covers =
        "its callbacks count in any order, which covers every executor of one thread that waits for nothing else";
    if (type.find("events") != std::string::npos) return Picks::events;
    if (type.find("static") != std::string::npos) {
      const auto version = rcl_major();
      if (version && *version >= jazzy_rcl) return Picks::step;
      notes_.assume(fmt::format("executor '{}' is a {}, {}: {}", name, type,
                                version ? "which looks at timers once more when their turn comes"
                                        : "of which the order depends on the distribution (--distribution)",
                                covers));
      return Picks::any_order;
    }
    const auto twice = std::ranges::find_if(e.callbacks, [&](Ros2Id c) { return callback(c).twice > 0; });
    if (twice != e.callbacks.end()) {
      notes_.assume(
          fmt::format("executor '{}': '{}' ran {} times for the second time without a poll between, which the wait-set rule does "
                      "not allow: {}",
                      name, names_[*twice], callback(*twice).twice, covers));
      return Picks::any_order;
    }
    const auto shared = std::ranges::find_if(e.callbacks, [&](Ros2Id c) { return uses_[c] > 1; });
    if (shared != e.callbacks.end()) {
      notes_.assume(
          fmt::format("executor '{}': messages of several callbacks, or several of one job, wait in the queue of '{}', which the "
                      "theorems of the wait-set rule do not count: {}",
                      name, names_[*shared], covers));
      return Picks::any_order;
    }
    if (type.empty()) {
      notes_.assume(
          fmt::format("executor '{}' is taken for a SingleThreadedExecutor, as the trace does not say of which type it is (CARET's "
                      "does; --executor): OF ANOTHER TYPE THE BOUNDS DO NOT HOLD",
                      name));
    } else if (type != "single_threaded_executor") {
      notes_.assume(fmt::format("executor '{}' is a {}, which is not known: {}", name, one_line(type, 40), covers));
      return Picks::any_order;
    }
    return Picks::wait_set;
  }

  [[nodiscard]] std::string executor_name(const ExecutorFound& e) const {
    std::set<std::string> of;
    for (const Ros2Id c : e.callbacks) of.insert(node_of(system_, callback(c)));
    const bool alone = std::ranges::count_if(executors_, [&](const ExecutorFound& other) { return other.process == e.process; }) == 1;
    if (!alone && of.size() == 1 && !of.begin()->empty()) return one_word(dotted(*of.begin()), "executor");
    return one_word(system_.processes[e.process].name, "executor");
  }

  void add_pools(Draft& draft) {
    UniqueNames names;
    for (ExecutorFound& e : executors_) {
      e.pool = draft.pools.size();
      DraftPool pool;
      pool.pool.name = names.unique(executor_name(e));
      const std::string of_trace = e.executor == unknown_id ? std::string() : system_.executors[e.executor].type;
      const std::string type = chosen_.type_of(pool.pool.name, of_trace, e.threads.size());
      e.step = type.find("static") != std::string::npos;
      const bool several = type == "multi_threaded_executor" || e.threads.size() > 1;
      std::size_t nested = 0;
      for (const Ros2Id c : e.callbacks) nested += callback(c).nested;
      if (nested > 0) {
        notes_.assume(
            fmt::format("executor '{}': {} callbacks began while another one ran on the same thread, which waited for them: both "
                        "count, one after the other",
                        pool.pool.name, nested));
      }
      notes_.found(fmt::format("executor '{}': {}process {}, {} thread{} seen, {} callbacks", pool.pool.name,
                               of_trace.empty() ? std::string() : one_line(of_trace, 40) + ", ", system_.processes[e.process].id,
                               e.threads.size(), e.threads.size() == 1 ? "" : "s", e.callbacks.size()));
      pool.pool.resource = several ? of_several_threads(e, pool.pool.name, type) : of_one_thread(picks_of(e, pool.pool.name, type));
      draft.pools.push_back(std::move(pool));
    }
  }

  static CpuPool of_one_thread(Picks picks) {
    switch (picks) {
      case Picks::wait_set: return {.processors = 1, .scheduler = Scheduler::wait_set, .preemptive = false};
      case Picks::events: return {.processors = 1, .scheduler = Scheduler::fifo, .preemptive = true, .callbacks = true};
      case Picks::step:
      case Picks::any_order: break;
    }
    return {.processors = 1, .scheduler = Scheduler::fp, .preemptive = false, .equals = Equals::any, .callbacks = true};
  }

  CpuPool of_several_threads(const ExecutorFound& e, const std::string& name, const std::string& type) {
    const auto seen = static_cast<std::uint32_t>(e.threads.size());
    const std::uint32_t given = chosen_.threads_of(name).value_or(seen);
    if (given < seen) {
      refuse(notes_.file(), fmt::format("--processors: executor '{}' ran callbacks on {} threads, so that it has no fewer", name, seen));
    }
    notes_.assume(fmt::format("executor '{}' has {} threads{}, each with a processor of its own{}", name, given,
                              given == seen ? ", as many as ran callbacks (--processors)" : "",
                              type == "multi_threaded_executor" ? "" : "; that it is a MultiThreadedExecutor is taken of these"));
    if (std::ranges::any_of(e.callbacks, [&](Ros2Id c) { return group_of(c) == unknown_id; })) {
      notes_.assume(
          fmt::format("executor '{}': callback groups are not in the trace (CARET's are): each ROS node has one, mutually exclusive, "
                      "as is the default",
                      name));
    }
    return {.processors = given, .scheduler = Scheduler::multi_threaded, .preemptive = false};
  }

  // Callbacks of one group have one name of it, which says where it is: in a node of ROS 2.
  std::string group_name(Ros2Id id) {
    const Ros2Id group = group_of(id);
    if (group != unknown_id && system_.groups[group].type == reentrant_group) return std::string(reentrant_group);
    const std::string node = node_of(system_, callback(id));
    const auto [at, fresh] = groups_.try_emplace({executor_of_[id], group, group == unknown_id ? node : std::string()});
    if (fresh) at->second = group_names_.unique(one_word(dotted(node), "group"));
    return at->second;
  }

  // As large as Jazzy's static executor picks: subscriptions, timers, clients, services.
  static FixedPriority rank_of(Ros2Owner owner) {
    switch (owner) {
      case Ros2Owner::subscription: return 5;
      case Ros2Owner::timer: return 4;
      case Ros2Owner::client: return 3;
      case Ros2Owner::service: return 2;
      case Ros2Owner::unknown: break;
    }
    return 1;
  }

  [[nodiscard]] Node node_of_instance(Ros2Id id, const Draft& draft) {
    const Ros2Callback& c = callback(id);
    Node node;
    const ExecutorFound& e = executors_[executor_of_[id]];
    node.pool = e.pool;
    const std::int64_t whole = system_.ran_while_off > 0 ? c.most_wall : c.most;  // which threads were off is not known then
    const std::int64_t most = std::max({whole, c.longest_cut, std::int64_t{1}});
    CpuDemand demand{Time(most)};
    const auto& pool = std::get<CpuPool>(draft.pools[e.pool].pool.resource);
    if (pool.scheduler == Scheduler::fp) {
      demand.priority = e.step && rcl_major().value_or(0) >= jazzy_rcl ? rank_of(c.owner) : FixedPriority{1};
    }
    node.demand = demand;
    if (is_multi_threaded(pool)) node.group = group_name(id);
    if (c.jobs > 0 && c.least < most) {
      const Wide mode = 3 * c.sum / static_cast<Wide>(c.jobs) - c.least - most;
      node.variation = Variation{Time(c.least), to_time(std::clamp<Wide>(mode, c.least, most))};
    }
    return node;
  }

  /// Of a timer that keeps it. A start is late by less than a period, or the period that it missed is left out: between the second and the
  /// last start lie as many periods as there are others.
  [[nodiscard]] bool keeps_period(const Ros2Callback& c) const {
    if (c.owner != Ros2Owner::timer || c.owned_by == unknown_id) return false;
    const Wide period = system_.timers[c.owned_by].period.value_or(0);
    if (period <= 0) return false;
    return c.starts < 3 || Wide{*c.last_start} - *c.first_start >= static_cast<Wide>(c.starts - 2) * period;
  }

  void set_period_of(const Tree& tree, bool replaces, DraftDag& dag) {
    const Ros2Callback& c = callback(tree.source);
    if (keeps_period(c)) {
      dag.T = Time(*system_.timers[c.owned_by].period);
      dag.D = options_.deadline;
      notes_.uses("deadline");
      return;
    }
    if (c.owner == Ros2Owner::timer) {
      notes_.assume(fmt::format("DAG '{}': {}, and its starts count", dag.name,
                                c.owned_by == unknown_id || !system_.timers[c.owned_by].period
                                    ? "the period of its timer is not in the trace (ros2:rcl_timer_init)"
                                : *system_.timers[c.owned_by].period > 0
                                    ? "ITS TIMER RUNS MORE OFTEN THAN ITS PERIOD SAYS (simulated time, or a clock that was set)"
                                    : "the period of its timer is not above 0"));
    } else if (c.owner == Ros2Owner::subscription && !tree.looped && !left_out(c)) {
      notes_.assume(
          fmt::format("DAG '{}': {} of its {} jobs were released by no callback of the trace (another host, a thread of its own, "
                      "a driver)",
                      dag.name, c.released_outside, c.starts));
    }
    set_period(tree.looped ? c.distance : c.distance_outside, replaces, dag, options_, notes_);
  }

  void add_dags(Draft& draft) {
    const auto shows_none = [&](const Tree& tree) {
      const Ros2Callback& c = callback(tree.source);
      return !keeps_period(c) && (tree.looped ? c.distance : c.distance_outside).has_value();
    };
    const bool replaces = std::ranges::all_of(dags_, shows_none);
    for (const Tree& tree : dags_) {
      DraftDag dag;
      dag.name = names_[tree.source];
      set_period_of(tree, replaces, dag);
      UniqueNames names;
      for (NodeId v = 0; v < tree.nodes.size(); ++v) {
        DraftNode node;
        node.node = node_of_instance(tree.nodes[v].callback, draft);
        node.node.name = names.unique(names_[tree.nodes[v].callback]);
        dag.add(std::move(node));
        if (!tree.nodes[v].source) dag.edges.push_back({tree.nodes[v].before, v, false});
      }
      draft.dags.push_back(std::move(dag));
    }
  }

  // The callbacks of a path, one after another; or why there are none.
  std::optional<std::string> callbacks_of(const Ros2Path& path, std::vector<Ros2Id>& out) const {
    for (const Ros2Hop& hop : path.hops) {
      Ros2Id reads = unknown_id, writes = unknown_id;
      std::size_t writers = 0;
      for (const Ros2Id id : kept_) {
        const Ros2Callback& c = callback(id);
        if (node_of(system_, c) != hop.node) continue;
        const bool reader = !hop.subscribes.empty() && c.owner == Ros2Owner::subscription && topic_of(system_, c) == hop.subscribes;
        const bool writer = !hop.publishes.empty() && c.outputs.contains(hop.publishes);
        if (reader) reads = id;
        if (!writer) continue;
        if (writes == unknown_id || reader) writes = id;  // that which takes the data itself, if it does
        ++writers;
      }
      if (!hop.subscribes.empty() && reads == unknown_id) return fmt::format("{} took nothing from {}", hop.node, hop.subscribes);
      if (!hop.publishes.empty() && writes == unknown_id) return fmt::format("{} published nothing on {}", hop.node, hop.publishes);
      if (writers > 1 && writes != reads) return fmt::format("several callbacks of {} publish on {}", hop.node, hop.publishes);
      if (reads != unknown_id) out.push_back(reads);
      if (writes != unknown_id && writes != reads) out.push_back(writes);
    }
    return out.empty() ? std::optional<std::string>("it has neither topic") : std::nullopt;
  }

  // Within a DAG data goes along its edges; from one to another, and between callbacks of a node, by what the node keeps of it.
  void add_chains(Draft& draft, const std::vector<Ros2Path>& paths) const {
    UniqueNames names;
    for (const Ros2Path& path : paths) {
      std::vector<Ros2Id> along;
      if (const auto why = callbacks_of(path, along)) {
        notes_.assume(fmt::format("path '{}' is left out: {}", one_line(path.name, 60), *why));
        continue;
      }
      DraftChain chain;
      chain.name = names.unique(one_word(path.name, "path"));
      std::size_t dag = dags_.size();
      NodeId node = 0;
      for (const Ros2Id id : along) {
        const auto follows = [&](const Instance& at) { return at.callback == id && !at.source && at.before == node; };
        const auto is_it = [&](const Instance& at) { return at.callback == id; };
        auto at = dag < dags_.size() ? std::ranges::find_if(dags_[dag].nodes, follows) : std::vector<Instance>::const_iterator();
        if (dag == dags_.size() || at == dags_[dag].nodes.end()) {
          const auto has = std::ranges::find_if(dags_, [&](const Tree& tree) { return std::ranges::any_of(tree.nodes, is_it); });
          dag = static_cast<std::size_t>(has - dags_.begin());
          at = std::ranges::find_if(dags_[dag].nodes, is_it);
        }
        node = static_cast<NodeId>(at - dags_[dag].nodes.begin());
        chain.stages.push_back(draft.dags[dag].name + "/" + draft.dags[dag].nodes[node].name);
      }
      draft.chains.push_back(std::move(chain));
    }
  }

  // What the model is held against.
  void keep_recorded(Draft& draft) {
    std::map<Ros2Id, std::size_t> dag_of;
    for (std::size_t d = 0; d < dags_.size(); ++d) {
      RecordedDag& recorded = draft.recorded.emplace_back();
      recorded.dag = draft.dags[d].name;
      recorded.messages = Messages{Time(system_.least_delay), Time(system_.most_delay)};
      recorded.messages->any = system_.messages > 0 && dags_[d].nodes.size() > 1;
      std::int64_t preempted = 0;
      for (const Instance& node : dags_[d].nodes) preempted = std::max(preempted, callback(node.callback).most_preempted);
      if (preempted > 0 && system_.ran_while_off == 0) recorded.messages->preempted = Time(preempted);
      if (!dags_[d].looped) dag_of.emplace(dags_[d].source, d);
    }
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const Ros2Root& root : system_.roots) {
      if (!root.cut && dag_of.contains(root.callback)) first = std::min(first, root.start);
    }
    for (const Ros2Root& root : system_.roots) {
      const auto at = dag_of.find(root.callback);
      if (root.cut || at == dag_of.end()) continue;
      RecordedDag& recorded = draft.recorded[at->second];
      if (recorded.releases.size() == most_kept_jobs) continue;
      recorded.releases.emplace_back(root.start - first);
      recorded.lengths.emplace_back(root.end - root.start);
      recorded.length = std::max(recorded.length, recorded.lengths.back());
    }
  }

  [[nodiscard]] bool dags_with_edges() const {
    return std::ranges::any_of(dags_, [](const Tree& tree) { return tree.nodes.size() > 1; });
  }

  const Options& options_;
  Notes& notes_;
  Ros2Events events_;
  Ros2System system_;
  ChosenExecutors chosen_;
  std::vector<std::string> names_;  // of callbacks
  std::vector<Ros2Id> kept_;
  std::vector<ExecutorFound> executors_;
  std::vector<std::size_t> executor_of_;  // of callbacks
  std::vector<Tree> dags_;
  std::map<std::tuple<std::size_t, Ros2Id, std::string>, std::string> groups_;  // of executors of several threads
  UniqueNames group_names_;
  std::vector<std::size_t> uses_;  // of callbacks: nodes that they are
};

}  // namespace

Draft read_ros2(Bytes& bytes, const Options& options, Notes& notes) { return Ros2Reader(bytes, options, notes).read(); }

}  // namespace rta::convert
