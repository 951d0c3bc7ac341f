#include "task_set.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "common_clock.hpp"
#include "launches.hpp"
#include "parameters.hpp"
#include "pools.hpp"
#include "streams.hpp"
#include "yaml.hpp"

namespace checker {
namespace {

constexpr std::size_t most_nodes = 1'000'000;
constexpr Int most_time = std::numeric_limits<std::int64_t>::max();

class Reader {
 public:
  explicit Reader(std::string_view text) : document_(text) {}

  TaskSet read() {
    const Mapping top(document_, *document_.root(), {"platform", "executors", "dags", "tasks", "chains", "time_unit"});
    unit_ = top.text("time_unit", "");
    set_.pools = read_pools(document_, top.need("platform"), unit_);
    if (const auto* executors = top.find("executors")) read_executors(*executors);
    for (const auto& [key, value] : top.all()) {
      if (text_of(*key) != "dags" && text_of(*key) != "tasks") continue;
      for (const yaml_node_t* entry : list_of(document_, *value)) family(*entry, text_of(*key) == "tasks");
    }
    split_contexts();
    keep_rates(set_, periods_);
    set_fixed_priorities(set_);
    if (const auto* chains = top.find("chains")) {
      for (const yaml_node_t* entry : list_of(document_, *chains)) set_.chains.push_back(chain(*entry));
    }
    return std::move(set_);
  }

 private:
  /// An executor gives the pool of one processor, which it has to itself, its rule.
  void read_executors(const yaml_node_t& value) {
    const Mapping all(document_, value, {});
    for (const auto& [name, entry] : all.all()) {
      const Mapping fields(document_, *entry, {"on", "kind", "threads", "reservation"});
      const std::size_t p = pool_of(fields.need("on"));
      Pool& pool = set_.pools[p];
      const std::string_view kind = text_of(fields.need("kind"));
      if (kind != "wait-set" && kind != "events" && kind != "priority" && kind != "step" && kind != "multi-threaded")
        fail(*entry, "no such kind of executor");
      const bool several = kind == "multi-threaded";
      const auto* const threads = fields.find("threads");
      if (pool.kind != Kind::cpu || (!several && (pool.size != Int(1) || threads != nullptr)))
        fail(*entry, "an executor has a CPU pool of one processor, or of one for each of its threads");
      if (threads != nullptr) {
        const Int m = whole(*threads);
        if (m <= 0 || m > pool.size) fail(*threads, "each thread has a processor");
        pool.size = m;
      }
      for (const auto& [other, on] : executors_) {
        if (on == p) fail(*entry, "two executors have one pool");
      }
      pool.preemptive = kind == "events";
      pool.equals = kind == "priority" || kind == "step" ? "any" : "";
      pool.scheduler = kind == "wait-set" || several ? std::string(kind) : kind == "events" ? "FIFO" : "FP";
      pool.callbacks = kind != "wait-set" && !several;
      if (kind == "step") by_entity_.insert(p);
      if (const auto* reserved = fields.find("reservation")) {
        if (several) fail(*reserved, "a reservation is an executor's, of one thread");
        set_reservation(document_, *reserved, unit_, pool);
      }
      if (!executors_.emplace(text_of(*name), p).second) fail(*entry, "an executor is given twice");
    }
  }

  /// Nothing waits for it, and it for nothing.
  static void harmless_call(const yaml_node_t& at) {
    static const std::set<std::string> harmless{"cudaFreeAsync",   "cudaMalloc",       "cudaMallocAsync",  "cudaMallocHost",
                                                "cudaMemsetAsync", "cudaStreamCreate", "cudaStreamDestroy"};
    if (harmless.count(std::string(text_of(at))) == 0) fail(at, "nothing is known of what others wait for in this call");
  }
  /// `on`, or `executor`.
  std::size_t place_of(const Mapping& fields) {
    const auto* const name = fields.find("executor");
    const auto* const entity = fields.find("entity");
    if (name == nullptr) {
      const yaml_node_t& on = fields.need("on");
      const std::size_t p = pool_of(on);
      if (entity != nullptr) fail(*entity, "an entity is a callback's");
      for (const auto& [other, pool] : executors_) {
        if (pool == p) fail(on, "an executor has the pool to itself");
      }
      return p;
    }
    const auto executor = executors_.find(std::string(text_of(*name)));
    if (executor == executors_.end() || fields.find("on") != nullptr) fail(*name, "one executor of the file is expected, and no `on`");
    if (entity != nullptr) static_cast<void>(urgency_of(*entity));
    return executor->second;
  }

  /// Jazzy's static executor picks subscriptions first.
  static Int urgency_of(const yaml_node_t& entity) {
    constexpr std::string_view kinds[]{"waitable", "service", "client", "timer", "subscription"};
    const auto* const kind = std::find(std::begin(kinds), std::end(kinds), std::string_view(text_of(entity)));
    if (kind == std::end(kinds)) fail(entity, "no such entity");
    return static_cast<std::int64_t>(kind - std::begin(kinds)) + 1;
  }

  /// A GPU with `sharing` is a pool for each process that has a kernel there, in the order of their names.
  void split_contexts() {
    std::vector<std::map<std::string, std::size_t>> contexts(set_.pools.size());  // pool -> process -> its pool
    for (const Dag& dag : set_.dags) {
      for (const Node& node : dag.nodes) contexts[node.pool].emplace(set_.pools[node.pool].shared ? node.process : "", 0);
    }
    std::vector<Pool> pools;
    for (std::size_t p = 0; p < set_.pools.size(); ++p) {
      if (contexts[p].empty()) contexts[p].emplace("", 0);
      for (auto& [process, place] : contexts[p]) {
        place = pools.size();
        pools.push_back(set_.pools[p]);
        const Int contexts_of_gpu = static_cast<std::int64_t>(contexts[p].size());
        pools.back().gap = (contexts_of_gpu - 1) * pools.back().slice + contexts_of_gpu * pools.back().switch_time;
        pools.back().pauses = pools.back().gap > 0;
        if (!process.empty()) pools.back().name += "/" + process;
      }
    }
    for (Dag& dag : set_.dags) {
      for (Node& node : dag.nodes) node.pool = contexts[node.pool].at(set_.pools[node.pool].shared ? node.process : "");
    }
    set_.pools = std::move(pools);
  }

  std::size_t pool_of(const yaml_node_t& on) {
    const std::string_view name = text_of(on);
    std::vector<std::size_t> of_kind;
    for (std::size_t p = 0; p < set_.pools.size(); ++p) {
      if (set_.pools[p].name == name) return p;
      const Kind kind = set_.pools[p].kind;
      if ((name == "cpu" && kind == Kind::cpu) || (name == "gpu" && kind == Kind::gpu)) of_kind.push_back(p);
    }
    if (of_kind.size() != 1) fail(on, "'" + std::string(name) + "' is no pool of the platform");
    return of_kind.front();
  }

  /// The longest time of a piece, perhaps with how it varies.
  Int piece(const yaml_node_t& value) {
    if (value.type == YAML_SCALAR_NODE) return duration(value, unit_);
    const Mapping fields(document_, value, {"max", "alone", "min", "mode"});
    if (fields.find("max") != nullptr && fields.find("alone") != nullptr) fail(value, "the longest time is given twice");
    const auto* const alone = fields.find("alone");
    return duration(alone != nullptr ? *alone : fields.need("max"), unit_);
  }

  bool is_alone(const yaml_node_t* value) {
    return value != nullptr && value->type == YAML_MAPPING_NODE && Mapping(document_, *value, {}).find("alone") != nullptr;
  }

  /// Whether its durations were measured alone, and beside what it counts.
  void company_of(Node& node, const Mapping& fields, const Pool& pool, const yaml_node_t& at) {
    bool beside = false;
    for (const char* const key : {"L", "C", "time"}) {
      const auto* const value = fields.find(key);
      node.alone = node.alone || is_alone(value);
      beside = beside || (value != nullptr && !is_alone(value));
    }
    if (node.alone && node.cluster > 1) fail(at, "company may change where clusters find room");
    if (node.alone && (pool.kind != Kind::gpu || !pool.company || beside))
      fail(at, "nothing says what company adds to it, or not to all of it");
    const auto* const name = fields.find("class");
    if (name == nullptr) return;
    if (pool.kind != Kind::gpu || !pool.company) fail(*name, "the pool has no classes");
    const auto& classes = pool.company->classes;
    const auto found = std::find(classes.begin(), classes.end(), text_of(*name));
    if (found == classes.end()) fail(*name, "there is no such class");
    node.of_class = static_cast<std::size_t>(found - classes.begin());
  }

  /// The shortest, where it is told.
  Int shortest(const yaml_node_t& value) {
    if (value.type == YAML_SCALAR_NODE) return 0;
    const Mapping fields(document_, value, {"max", "alone", "min", "mode"});
    if (fields.find("alone") != nullptr && fields.find("min") == nullptr && fields.find("mode") == nullptr) return 0;
    return duration(fields.need("min"), unit_);
  }

  Node node(std::string name, const yaml_node_t& value) {
    const Mapping fields(
        document_, value,
        {"name",    "copies",        "T",         "T_max",    "jitter",    "phase", "on",          "periodic", "C",    "B",    "H",
         "L",       "shared_memory", "registers", "priority", "direction", "D",     "sequential",  "group",    "per",  "time", "process",
         "cluster", "cooperative",   "executor",  "entity",   "call",      "class", "requirement", "stream",   "after"});
    Node node;
    node.name = std::move(name);
    node.pool = place_of(fields);
    node.sequential = fields.flag("sequential", false);
    if (const auto* D = fields.find("D")) node.D = time(*D, unit_);
    if (const auto* call = fields.find("call")) harmless_call(*call);
    node.group = fields.text("group", "-");
    node.process = fields.text("process", "");
    node.stream = fields.text("stream", "");
    if (const auto* stream = fields.find("stream")) {
      const Kind kind = set_.pools[node.pool].kind;
      constexpr std::string_view null_streams[]{"", "~", "null", "Null", "NULL", "0", "default", "legacy"};
      const bool own = std::find(std::begin(null_streams), std::end(null_streams), std::string_view(node.stream)) == std::end(null_streams);
      if (!own || (kind != Kind::gpu && kind != Kind::engines)) fail(*stream, "a stream of its own is expected, of a kernel or a copy");
    }
    node.direction = fields.text("direction", "-");
    node.d2h = node.direction == "d2h";
    if (const auto* priority = fields.find("priority")) {
      if (set_.pools[node.pool].kind == Kind::cpu) {
        node.given_priority = whole(*priority);
      } else {
        const std::string_view text = text_of(*priority);
        node.priority = text == "low" ? Int(0) : text == "high" ? Int(1) : whole(*priority);
      }
    }
    if (by_entity_.count(node.pool) > 0) {
      if (const auto* priority = fields.find("priority")) fail(*priority, "the executor picks by entity");
      node.given_priority = urgency_of(fields.need("entity"));
    }
    node.B = fields.number("B", 1);
    node.registers = fields.number("registers", 0);
    if (const auto* demand = fields.find("shared_memory")) node.shared_memory = bytes(*demand);
    const Pool& pool = set_.pools[node.pool];
    switch (pool.kind) {
      case Kind::cpu:
      case Kind::engines:
        node.C = node.L = piece(fields.need("C"));
        node.least = shortest(fields.need("C"));
        break;
      case Kind::workers:
        node.L = piece(fields.need("L")) + pool.overhead;
        node.least = shortest(fields.need("L"));
        break;
      case Kind::gpu: kernel(node, fields, pool); break;
    }
    company_of(node, fields, pool, value);
    for (const char* const key : {"cluster", "cooperative"}) {
      if (pool.kind != Kind::gpu && fields.find(key) != nullptr) fail(*fields.find(key), "no blocks start on this pool");
    }
    if (node.L > most_time || node.B <= 0) fail(value, "a number is out of range");
    return node;
  }

  void kernel(Node& node, const Mapping& fields, const Pool& pool) {
    if (const auto* const whole_kernel = fields.find("time")) {
      node.time = piece(*whole_kernel);
      node.has_blocks = fields.find("H") != nullptr || fields.find("B") != nullptr;
    }
    if (!node.has_blocks) {
      for (const char* const key : {"L", "C", "per", "shared_memory", "registers", "cluster", "cooperative"}) {
        if (fields.find(key) != nullptr) fail(*fields.find(key), "a kernel without B and H has no blocks");
      }
      node.L = *node.time;
      node.least = shortest(fields.need("time"));
      return;
    }
    static_cast<void>(fields.need("B"));
    node.blocks = node.B;
    node.cluster = fields.number("cluster", 1);
    node.cooperative = fields.flag("cooperative", false);
    if (node.cluster <= 0 || ceil_div(node.B, node.cluster) * node.cluster != node.B)
      fail(*fields.find("cluster"), "a kernel has whole clusters");
    const Int H = whole(fields.need("H"));
    if (H <= 0) fail(fields.need("H"), "H is above 0");
    node.H = ceil_div(H, pool.warp) * pool.warp;
    const auto* const L = fields.find("L");
    const bool time_alone = node.time && fields.find("C") == nullptr;  // no block lasts longer than its kernel
    if (L != nullptr || time_alone) {
      node.L = L != nullptr ? piece(*L) : *node.time;
      node.least = shortest(L != nullptr ? *L : fields.need("time"));
      node.C = node.L * node.H;
    } else {
      const Int C = piece(fields.need("C"));
      node.L = ceil_div(C, H);
      node.least = floor_div(shortest(fields.need("C")), H);
      node.C = node.H == H ? C : node.L * node.H;  // threads that rounding added run as long as the others
    }
    if (node.time && *node.time < node.L) fail(fields.need("time"), "no block lasts longer than its kernel");
  }

  void family(const yaml_node_t& value, bool task) {
    const Mapping any(document_, value, {});
    Dag dag;
    dag.name = text_of(any.need("name"));
    const Period T = period(any.need("T"), unit_);
    dag.T = floor_div(T.of, T.over);
    if (dag.T <= 0) fail(any.need("T"), "a period is above 0");
    if (const auto* jitter = any.find("jitter")) {  // releases may be so late: two are at least T - J apart
      const Int J = time(*jitter, unit_);
      if (J < 0 || J >= dag.T) fail(*jitter, "a jitter is from 0 to below T");
      dag.T -= J;
      dag.J = J;
    }
    if (const auto* phase = any.find("phase")) dag.phase = time(*phase, unit_);
    dag.periodic = any.flag("periodic", false);
    if (const auto* longest = any.find("T_max")) dag.T_max = time(*longest, unit_);
    if (const auto* D = any.find("D")) dag.D = time(*D, unit_);
    if (task) {
      if (const auto* after = any.find("after")) fail(*after, "a task has no other node to wait for");
      dag.nodes.push_back(node(dag.name, value));
      follow_streams(dag, set_.pools, value);
    } else {
      read_nodes(dag, Mapping(document_, value,
                              {"name", "copies", "T", "T_max", "jitter", "phase", "periodic", "D", "priority", "process", "threads", "wait",
                               "in_flight", "requirement", "nodes", "edges"}));
    }
    if (const auto* priority = task ? nullptr : any.find("priority")) {
      for (Node& node : dag.nodes) {
        if (!node.given_priority) node.given_priority = whole(*priority);
      }
    }
    for (Node& node : dag.nodes) {
      if (node.process.empty() && !task) node.process = any.text("process", "");
    }
    dag.order = topological_order(dag, value);
    launch_kernels(dag, set_.pools, value);
    if (dag.order.size() != dag.nodes.size()) dag.order = topological_order(dag, value);
    if (const auto* threads = task ? nullptr : any.find("threads")) on_threads(dag, *threads);
    if (const auto* wait = task ? nullptr : any.find("wait")) waiting(dag, *wait);
    if (const auto* limit = task ? nullptr : any.find("in_flight")) {
      dag.in_flight = whole(*limit);
      if (dag.in_flight <= 0 || dag.threads > 0) fail(*limit, "a limit of jobs under way is one at least, and of a DAG without threads");
    }
    const Int copies = any.number("copies", 1);
    node_count_ += copies * Int(static_cast<std::int64_t>(dag.nodes.size()));
    if (copies <= 0 || dag.nodes.empty() || node_count_ > Int(most_nodes)) fail(value, "a DAG has a node; all have at most 1000000");
    const std::string name = dag.name;
    for (Int i = 0; i < copies; i += 1) {
      if (copies > 1) dag.name = name + "[" + to_string(i) + "]";
      if (!names_.emplace(dag.name, set_.dags.size()).second) fail(value, "the name '" + dag.name + "' is given twice");
      set_.dags.push_back(dag);
      periods_.push_back(T);
    }
  }

  /// One after another.
  static void on_threads(Dag& dag, const yaml_node_t& at) {
    dag.threads = whole(at);
    if (dag.threads <= 0) fail(at, "a DAG has a thread at least");
    if (!dag.history.empty()) fail(at, "threads know of no earlier jobs");
    for (std::size_t i = 0; i < dag.order.size(); ++i) {
      const Node& node = dag.nodes[dag.order[i]];
      if (node.sequential) fail(at, "a node that a thread plays is not sequential");
      const bool follows = i == 0 || std::find(node.before.begin(), node.before.end(), dag.order[i - 1]) != node.before.end();
      if (!follows) fail(at, "the nodes that a thread plays do not follow one another");
    }
  }

  void waiting(Dag& dag, const yaml_node_t& at) const {
    const std::string_view how = text_of(at);
    if (how != "block" && how != "spin") fail(at, "threads block or spin");
    if (dag.threads == Int(0)) fail(at, "who waits is a thread");
    dag.spins = how == "spin";
    const std::size_t pool = dag.nodes[dag.order.front()].pool;
    const auto elsewhere = [&](const Node& node) { return set_.pools[node.pool].kind == Kind::cpu && node.pool != pool; };
    if (dag.spins && (set_.pools[pool].kind != Kind::cpu || std::any_of(dag.nodes.begin(), dag.nodes.end(), elsewhere)))
      fail(at, "threads that spin do so on one pool of processors, from their first node on");
  }

  Chain chain(const yaml_node_t& value) {
    const Mapping fields(document_, value, {"name", "stages", "communication", "reaction", "age", "requirement"});
    Chain chain;
    chain.name = text_of(fields.need("name"));
    chain.let = fields.text("communication", "register") == "LET";
    if (const auto* limit = fields.find("reaction")) chain.reaction = time(*limit, unit_);
    if (const auto* limit = fields.find("age")) chain.age = time(*limit, unit_);
    for (const yaml_node_t* entry : list_of(document_, fields.need("stages"))) chain.stages.push_back(stage(*entry));
    if (chain.stages.empty()) fail(value, "a chain has a stage");
    return chain;
  }

  /// DAG, or DAG/NODE.
  Chain::Stage stage(const yaml_node_t& value) {
    const std::string_view name = text_of(value);
    if (const auto whole = names_.find(std::string(name)); whole != names_.end()) return {whole->second, std::nullopt};
    for (auto slash = name.find('/'); slash != std::string_view::npos; slash = name.find('/', slash + 1)) {
      const auto dag = names_.find(std::string(name.substr(0, slash)));
      if (dag == names_.end()) continue;
      const auto& nodes = set_.dags[dag->second].nodes;
      const auto is_it = [&](const Node& node) { return node.name == name.substr(slash + 1); };
      const auto found = std::find_if(nodes.begin(), nodes.end(), is_it);
      if (found != nodes.end()) return {dag->second, static_cast<std::size_t>(found - nodes.begin())};
    }
    fail(value, "'" + std::string(name) + "' is neither a DAG nor a node");
  }

  /// A node with `kernels`: its parts one after another, a group by its name.
  void split(Dag& dag, const std::string& name, const yaml_node_t& value) {
    const Mapping fields(document_, value,
                         {"on", "prepare", "launch", "kernels", "await", "between", "finish", "split_overhead", "priority", "after"});
    const auto kernels = list_of(document_, fields.need("kernels"));
    if (kernels.empty()) fail(value, "a node that is split has a kernel");
    const std::size_t pool = place_of(fields);
    if (set_.pools[pool].kind != Kind::cpu) fail(value, "a node that is split runs on processors");
    const auto* const overhead = fields.find("split_overhead");
    const std::size_t first = dag.nodes.size();
    const auto follow = [&] {
      Node& part = dag.nodes.back();
      part.group = name;
      if (dag.nodes.size() > first + 1) part.before.push_back(dag.nodes.size() - 2);
    };
    const auto add = [&](const char* key, const std::string& number) {
      const auto* const C = fields.find(key);
      if (C == nullptr) return;
      Node part;
      part.name = name + "." + key + number;
      part.pool = pool;
      part.C = part.L = time(*C, unit_) + (overhead == nullptr ? Int(0) : time(*overhead, unit_));
      if (const auto* priority = fields.find("priority")) part.given_priority = whole(*priority);
      dag.nodes.push_back(std::move(part));
      follow();
    };
    add("prepare", "");
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const std::string number = kernels.size() == 1 ? "" : std::to_string(i + 1);
      if (i > 0) add("between", std::to_string(i));
      add("launch", number);
      if (const auto* after = Mapping(document_, *kernels[i], {}).find("after")) fail(*after, "the node waits, not a kernel of it");
      dag.nodes.push_back(node(name + ".kernel" + number, *kernels[i]));
      const Node& kernel = dag.nodes.back();
      if (set_.pools[kernel.pool].kind == Kind::cpu || kernel.sequential || kernel.D || kernel.group != "-")
        fail(*kernels[i], "a kernel of a node is on no processor, and not sequential, with a D or in a group");
      follow();
      add("await", number);
    }
    add("finish", "");
  }

  void read_nodes(Dag& dag, const Mapping& fields) {
    std::unordered_map<std::string_view, std::size_t> index;
    const Mapping nodes(document_, fields.need("nodes"), {});
    std::vector<std::pair<std::size_t, std::size_t>> spans;  // the first and the last node that each is read as
    for (const auto& [key, value] : nodes.all()) {
      if (!index.emplace(text_of(*key), spans.size()).second) fail(*key, "a node is given twice");
      const std::size_t first = dag.nodes.size();
      if (Mapping(document_, *value, {}).find("kernels") != nullptr) {
        split(dag, std::string(text_of(*key)), *value);
      } else {
        dag.nodes.push_back(node(std::string(text_of(*key)), *value));
      }
      spans.emplace_back(first, dag.nodes.size() - 1);
    }
    const auto trimmed = [](std::string_view name) {
      while (name.starts_with(' ') || name.starts_with('\t')) name.remove_prefix(1);
      while (name.ends_with(' ') || name.ends_with('\t')) name.remove_suffix(1);
      return name;
    };
    const auto find = [&](const yaml_node_t& at, std::string_view name) {
      const auto found = index.find(trimmed(name));
      if (found == index.end()) fail(at, "'" + std::string(name) + "' is no node of this DAG");
      return found->second;
    };
    /// One name, or those of a list `[b, c]`.
    const auto find_all = [&](const yaml_node_t& at, std::string_view names) {
      names = trimmed(names);
      if (!names.starts_with('[') || !names.ends_with(']') || index.contains(names)) return std::vector<std::size_t>{find(at, names)};
      names = names.substr(1, names.size() - 2);
      std::vector<std::size_t> all;
      for (bool more = true; more;) {
        const auto comma = names.find(',');
        more = comma != std::string_view::npos;
        all.push_back(find(at, names.substr(0, comma)));
        if (more) names.remove_prefix(comma + 1);
      }
      return all;
    };
    const auto add = [&](std::size_t from, std::size_t to, bool cut) {
      Node& next = dag.nodes[spans[to].first];
      next.before.push_back(spans[from].second);
      if (cut) next.cut_after.push_back(spans[from].second);
    };
    const auto chain = [&](const yaml_node_t& at, bool cut) {
      std::string_view text = text_of(at);
      std::vector<std::size_t> last;
      for (bool more = true; more;) {
        const auto arrow = text.find("->");
        more = arrow != std::string_view::npos;
        std::vector<std::size_t> now = find_all(at, text.substr(0, arrow));
        for (const std::size_t u : last) {
          for (const std::size_t v : now) add(u, v, cut);
        }
        last = std::move(now);
        if (more) text.remove_prefix(arrow + 2);
      }
    };
    if (const auto* edges = fields.find("edges")) {
      for (const yaml_node_t* edge : list_of(document_, *edges)) {
        if (edge->type == YAML_SCALAR_NODE) {
          chain(*edge, false);
          continue;
        }
        const Mapping mapping(document_, *edge, {"path", "from", "to", "cut"});
        const bool cut = mapping.flag("cut", false);
        if (const auto* path = mapping.find("path")) {
          chain(*path, cut);
        } else {
          const yaml_node_t& from = mapping.need("from");
          const yaml_node_t& to = mapping.need("to");
          add(find(from, text_of(from)), find(to, text_of(to)), cut);
        }
      }
    }
    for (std::size_t i = 0; i < spans.size(); ++i) {
      const auto* const after = Mapping(document_, *nodes.all()[i].second, {}).find("after");
      if (after == nullptr) continue;
      const auto entries = after->type == YAML_SEQUENCE_NODE ? list_of(document_, *after) : std::vector<const yaml_node_t*>{after};
      if (entries.empty()) fail(*after, "the list of nodes to wait for is empty");
      for (const yaml_node_t* entry : entries) {
        const Mapping one(document_, *entry, {"node", "jobs"});
        const yaml_node_t& name = one.need("node");
        const HistoryEdge edge{spans[find(name, text_of(name))].second, spans[i].first, one.number("jobs", 1)};
        if (edge.jobs <= 0) fail(*entry, "a job before is expected");
        if (has_edge(dag, edge)) fail(*entry, "the edge is given twice");
        dag.history.push_back(edge);
      }
    }
    follow_streams(dag, set_.pools, fields.need("nodes"));
    for (Node& node : dag.nodes) std::sort(node.before.begin(), node.before.end());
  }

  static std::vector<std::size_t> topological_order(const Dag& dag, const yaml_node_t& at) {
    std::vector<std::size_t> left, order;
    std::vector<std::vector<std::size_t>> after(dag.nodes.size());
    for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
      left.push_back(dag.nodes[v].before.size());
      for (const std::size_t u : dag.nodes[v].before) after[u].push_back(v);
      if (left[v] == 0) order.push_back(v);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const std::size_t v : after[order[i]]) {
        if (--left[v] == 0) order.push_back(v);
      }
    }
    if (order.size() != dag.nodes.size()) fail(at, "the DAG has a cycle");
    return order;
  }

  Document document_;
  std::string unit_;
  std::vector<Period> periods_;  // of each DAG
  TaskSet set_;
  std::map<std::string, std::size_t> executors_;  // their pools
  std::set<std::size_t> by_entity_;               // pools of executors that pick by what a callback belongs to
  Int node_count_ = 0;
  std::unordered_map<std::string, std::size_t> names_;  // of DAGs
};

}  // namespace

TaskSet read_task_set(std::string_view text) { return Reader(text).read(); }

}  // namespace checker
