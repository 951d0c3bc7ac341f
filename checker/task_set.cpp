#include "task_set.hpp"

#include <yaml.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <new>
#include <unordered_map>
#include <utility>

namespace checker {
namespace {

constexpr std::size_t most_nodes = 1'000'000;
constexpr Int most_partitions = 4096;
constexpr Int most_time = std::numeric_limits<std::int64_t>::max();

class Document {
 public:
  explicit Document(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    yaml_parser_t parser;
    if (yaml_parser_initialize(&parser) == 0) throw std::bad_alloc();
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    const bool loaded = yaml_parser_load(&parser, &document_) != 0;
    const std::string fault = loaded || parser.problem == nullptr ? "" : place(parser.problem_mark) + "not YAML: " + parser.problem;
    yaml_parser_delete(&parser);
    if (!loaded) throw BadInput(fault.empty() ? "not YAML" : fault);
    if (root() == nullptr) {
      yaml_document_delete(&document_);
      throw BadInput("1:1: the file is empty");
    }
  }
  ~Document() { yaml_document_delete(&document_); }
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  [[nodiscard]] const yaml_node_t* root() { return yaml_document_get_root_node(&document_); }
  [[nodiscard]] const yaml_node_t* at(int index) { return yaml_document_get_node(&document_, index); }
  static std::string place(const yaml_mark_t& mark) { return std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1) + ": "; }

 private:
  yaml_document_t document_{};
};

[[noreturn]] void fail(const yaml_node_t& at, const std::string& what) { throw BadInput(Document::place(at.start_mark) + what); }

std::string_view text_of(const yaml_node_t& node) {
  if (node.type != YAML_SCALAR_NODE) fail(node, "a plain value is expected");
  return {reinterpret_cast<const char*>(node.data.scalar.value), node.data.scalar.length};
}

std::vector<const yaml_node_t*> list_of(Document& document, const yaml_node_t& node) {
  if (node.type != YAML_SEQUENCE_NODE) fail(node, "a list is expected");
  std::vector<const yaml_node_t*> all;
  for (const auto* item = node.data.sequence.items.start; item < node.data.sequence.items.top; ++item) all.push_back(document.at(*item));
  return all;
}

/// A number with or without a fraction, and what follows it, times `factor`.
Int scaled(const yaml_node_t& at, std::string_view number, Int factor) {
  const auto point = std::min(number.find('.'), number.size());
  Int value = to_int(number.substr(0, point)) * factor;
  Int carry = 0;
  for (std::size_t i = number.size(); i > point + 1; --i) {
    const Int product = Int(number[i - 1] - '0') * factor + carry;
    if (floor_div(product, 10) * 10 != product) fail(at, "'" + std::string(number) + "' is not whole in the smallest unit");
    carry = floor_div(product, 10);
  }
  value += carry;
  return value;
}

struct Unit {
  std::string_view name;
  std::int64_t size;
};
constexpr std::array<Unit, 4> times{{{"ns", 1}, {"us", 1'000}, {"ms", 1'000'000}, {"s", 1'000'000'000}}};
constexpr std::array<Unit, 3> sizes{{{"B", 1}, {"KiB", 1024}, {"MiB", 1'048'576}}};

template <std::size_t n>
Int quantity(const yaml_node_t& at, const std::array<Unit, n>& units, std::string_view default_unit) {
  std::string_view text = text_of(at);
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto end = std::min(text.find_first_not_of("0123456789."), text.size());
  std::string_view unit = text.substr(end);
  unit.remove_prefix(std::min(unit.find_first_not_of(" \t"), unit.size()));
  if (unit == "\u00b5s" || unit == "\u03bcs") unit = "us";
  if (unit.empty()) unit = default_unit;
  for (const Unit& known : units) {
    if (known.name != unit) continue;
    try {
      return scaled(at, text.substr(0, end), known.size);
    } catch (const std::exception& error) {
      fail(at, "'" + std::string(text) + "': " + error.what());
    }
  }
  fail(at, "'" + std::string(text) + "' has no unit that is known here");
}

/// A period, or a rate, whose period is rounded down to whole ns.
Int period(const yaml_node_t& at, std::string_view default_unit) {
  constexpr std::array<Unit, 3> rates{{{"Hz", 1'000'000}, {"kHz", 1'000'000'000}, {"MHz", 1'000'000'000'000}}};  // in millionths of a Hz
  if (!text_of(at).ends_with("Hz")) return quantity(at, times, default_unit);
  const Int rate = quantity(at, rates, "");
  if (rate <= 0) fail(at, "a rate is above 0");
  return floor_div(Int(1'000'000'000'000'000), rate);
}

Int whole(const yaml_node_t& at) {
  constexpr std::array<Unit, 1> none{{{"", 1}}};
  return quantity(at, none, "");
}

/// A mapping whose keys are all known.
class Mapping {
 public:
  Mapping(Document& document, const yaml_node_t& node, std::initializer_list<std::string_view> keys) : node_(node) {
    if (node.type != YAML_MAPPING_NODE) fail(node, "a mapping is expected");
    for (const auto* pair = node.data.mapping.pairs.start; pair < node.data.mapping.pairs.top; ++pair) {
      const yaml_node_t& key = *document.at(pair->key);
      if (keys.size() > 0 && std::find(keys.begin(), keys.end(), text_of(key)) == keys.end()) {
        fail(key, "the key '" + std::string(text_of(key)) + "' is not known here");
      }
      all_.emplace_back(&key, document.at(pair->value));
    }
  }
  [[nodiscard]] const yaml_node_t* find(std::string_view key) const {
    for (const auto& [name, value] : all_) {
      if (text_of(*name) == key) return value;
    }
    return nullptr;
  }
  [[nodiscard]] const yaml_node_t& need(std::string_view key) const {
    const yaml_node_t* const value = find(key);
    if (value == nullptr) fail(node_, "'" + std::string(key) + "' is missing");
    return *value;
  }
  [[nodiscard]] std::string text(std::string_view key, std::string_view otherwise) const {
    const yaml_node_t* const value = find(key);
    return std::string(value == nullptr ? otherwise : text_of(*value));
  }
  [[nodiscard]] bool flag(std::string_view key, bool otherwise) const {
    const std::string value = text(key, otherwise ? "true" : "false");
    if (value != "true" && value != "false") fail(*find(key), "true or false is expected");
    return value == "true";
  }
  [[nodiscard]] Int number(std::string_view key, Int otherwise) const {
    const yaml_node_t* const value = find(key);
    return value == nullptr ? otherwise : whole(*value);
  }
  [[nodiscard]] const auto& all() const { return all_; }

 private:
  const yaml_node_t& node_;
  std::vector<std::pair<const yaml_node_t*, const yaml_node_t*>> all_;
};

/// What an SM of a device holds, from NVIDIA's tables of compute capabilities: threads, slots, KiB of shared memory, its unit, KiB
/// reserved.
struct Device {
  std::string_view name;
  int sms, threads, blocks, kib, unit, reserved_kib;
};
constexpr std::array<Device, 10> devices{{{"tx2", 2, 2048, 32, 64, 256, 0},
                                          {"titan-v", 80, 2048, 32, 96, 256, 0},
                                          {"v100", 80, 2048, 32, 96, 256, 0},
                                          {"xavier", 8, 2048, 32, 96, 256, 0},
                                          {"a100", 108, 2048, 32, 164, 128, 1},
                                          {"orin", 16, 1536, 16, 164, 128, 1},
                                          {"rtx-4090", 128, 1536, 24, 100, 128, 1},
                                          {"h100", 132, 2048, 32, 228, 128, 1},
                                          {"h200", 132, 2048, 32, 228, 128, 1},
                                          {"rtx-5090", 170, 1536, 24, 100, 128, 1}}};

class Reader {
 public:
  explicit Reader(std::string_view text) : document_(text) {}

  TaskSet read() {
    const Mapping top(document_, *document_.root(), {"platform", "dags", "tasks", "chains", "time_unit"});
    unit_ = top.text("time_unit", "");
    const Mapping platform(document_, top.need("platform"), {});
    for (const auto& [name, value] : platform.all()) add_pool(pool(std::string(text_of(*name)), *value), *value);
    for (const auto& [key, value] : top.all()) {
      if (text_of(*key) != "dags" && text_of(*key) != "tasks") continue;
      for (const yaml_node_t* entry : list_of(document_, *value)) family(*entry, text_of(*key) == "tasks");
    }
    set_fixed_priorities(set_);
    if (const auto* chains = top.find("chains")) {
      for (const yaml_node_t* entry : list_of(document_, *chains)) set_.chains.push_back(chain(*entry));
    }
    return std::move(set_);
  }

 private:
  Int time(const yaml_node_t& at) {
    const Int ns = quantity(at, times, unit_);
    if (ns > most_time) fail(at, "the time is too long");
    return ns;
  }

  /// A partitioned pool is as many pools of one processor.
  void add_pool(Pool pool, const yaml_node_t& value) {
    const bool partitioned = pool.kind == Kind::cpu && Mapping(document_, value, {}).flag("partitioned", false);
    const Int count = partitioned ? pool.size : Int(1);
    if (count > most_partitions) fail(value, "a pool has too many partitions");
    const std::string name = pool.name;
    for (Int i = 0; i < count; i += 1) {
      if (partitioned) {
        pool.name = name + to_string(i);
        pool.size = 1;
      }
      set_.pools.push_back(pool);
    }
  }

  Pool pool(std::string name, const yaml_node_t& value) {
    Pool pool;
    pool.name = std::move(name);
    const Mapping kind(document_, value, {});
    if (kind.find("processors") != nullptr) {
      const Mapping fields(document_, value, {"processors", "scheduler", "preemptive", "equals", "partitioned"});
      pool.size = fields.number("processors", 1);
      pool.scheduler = fields.text("scheduler", "G-EDF");
      pool.preemptive = fields.flag("preemptive", true);
      pool.equals = fields.text("equals", "");
    } else if (kind.find("device") != nullptr || kind.find("sms") != nullptr) {
      gpu(pool, value);
    } else if (kind.find("engines") != nullptr) {
      pool.kind = Kind::engines;
      pool.size = Mapping(document_, value, {"engines"}).number("engines", 1);
    } else if (kind.find("workers") != nullptr) {
      const Mapping fields(document_, value, {"workers", "dispatch_overhead"});
      pool.kind = Kind::workers;
      pool.size = fields.number("workers", 1);
      if (const auto* overhead = fields.find("dispatch_overhead")) pool.overhead = time(*overhead);
    } else {
      fail(value, "the pool's kind is missing");
    }
    if (pool.size <= 0 || pool.size > Int(1'000'000)) fail(value, "a pool's size is from 1 to 1000000");
    return pool;
  }

  void gpu(Pool& pool, const yaml_node_t& value) {
    const Mapping fields(document_, value,
                         {"device", "sms", "threads", "threads_per_block", "blocks", "shared_memory", "registers", "warp",
                          "shared_memory_unit", "shared_memory_reserved", "register_unit"});
    pool.kind = Kind::gpu;
    pool.sm[threads] = 2048;
    pool.sm[slots] = 32;
    if (const auto* name = fields.find("device")) {
      const auto* device = std::find_if(devices.begin(), devices.end(), [&](const Device& d) { return d.name == text_of(*name); });
      if (device == devices.end()) fail(*name, "no such device is known here");
      pool.size = device->sms;
      pool.sm = {Int(device->threads), Int(device->blocks), Int(device->kib) * 1024, Int(65'536)};
      pool.warp = 32;
      pool.unit = device->unit;
      pool.reserved = Int(device->reserved_kib) * 1024;
      pool.per = 256;
    }
    pool.size = fields.number("sms", pool.size);
    pool.sm[threads] = fields.number("threads", *pool.sm[threads]);
    pool.sm[slots] = fields.number("blocks", *pool.sm[slots]);
    if (const auto* limit = fields.find("shared_memory")) {
      pool.sm[shared_memory].reset();
      if (text_of(*limit) != "unlimited") pool.sm[shared_memory] = quantity(*limit, sizes, "");
    }
    if (const auto* limit = fields.find("registers")) {
      pool.sm[registers].reset();
      if (text_of(*limit) != "unlimited") pool.sm[registers] = whole(*limit);
    }
    pool.warp = fields.number("warp", pool.warp);
    if (const auto* unit = fields.find("shared_memory_unit")) pool.unit = quantity(*unit, sizes, "");
    if (const auto* bytes = fields.find("shared_memory_reserved")) pool.reserved = quantity(*bytes, sizes, "");
    pool.per = fields.number("register_unit", pool.per);
    if (pool.warp <= 0 || pool.unit <= 0 || pool.per <= 0) fail(value, "units are above 0");
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
    if (value.type == YAML_SCALAR_NODE) return quantity(value, times, unit_);
    return quantity(Mapping(document_, value, {"max", "min", "mode"}).need("max"), times, unit_);
  }

  Node node(std::string name, const yaml_node_t& value) {
    const Mapping fields(document_, value,
                         {"name", "copies",        "T",         "T_max",    "jitter",    "phase", "on",         "C",     "B",   "H",
                          "L",    "shared_memory", "registers", "priority", "direction", "D",     "sequential", "group", "per", "time"});
    Node node;
    node.name = std::move(name);
    node.pool = pool_of(fields.need("on"));
    node.sequential = fields.flag("sequential", false);
    if (const auto* D = fields.find("D")) node.D = time(*D);
    node.group = fields.text("group", "-");
    node.direction = fields.text("direction", "-");
    node.d2h = node.direction == "d2h";
    if (const auto* priority = fields.find("priority")) {
      if (set_.pools[node.pool].kind == Kind::cpu) {
        node.given_priority = whole(*priority);
      } else {
        node.high = text_of(*priority) == "high";
      }
    }
    node.B = fields.number("B", 1);
    node.registers = fields.number("registers", 0);
    if (const auto* bytes = fields.find("shared_memory")) node.shared_memory = quantity(*bytes, sizes, "");
    const Pool& pool = set_.pools[node.pool];
    switch (pool.kind) {
      case Kind::cpu:
      case Kind::engines: node.C = node.L = piece(fields.need("C")); break;
      case Kind::workers: node.L = piece(fields.need("L")) + pool.overhead; break;
      case Kind::gpu: kernel(node, fields, pool); break;
    }
    if (node.L > most_time || node.B <= 0) fail(value, "a number is out of range");
    return node;
  }

  void kernel(Node& node, const Mapping& fields, const Pool& pool) {
    const Int H = whole(fields.need("H"));
    if (H <= 0) fail(fields.need("H"), "H is above 0");
    node.H = ceil_div(H, pool.warp) * pool.warp;
    const auto* const L = fields.find("L");
    const auto* const kernel_time = fields.find("time");  // of the whole kernel: no block lasts longer
    if (L != nullptr || kernel_time != nullptr) {
      node.L = piece(L != nullptr ? *L : *kernel_time);
      node.C = node.L * node.H;
    } else {
      const Int C = piece(fields.need("C"));
      node.L = ceil_div(C, H);
      node.C = node.H == H ? C : node.L * node.H;  // threads that rounding added run as long as the others
    }
  }

  void family(const yaml_node_t& value, bool task) {
    const Mapping any(document_, value, {});
    Dag dag;
    dag.name = text_of(any.need("name"));
    dag.T = period(any.need("T"), unit_);
    if (dag.T <= 0) fail(any.need("T"), "a period is above 0");
    if (const auto* jitter = any.find("jitter")) {  // releases may be so late: two are at least T - J apart
      const Int J = time(*jitter);
      if (J < 0 || J >= dag.T) fail(*jitter, "a jitter is from 0 to below T");
      dag.T -= J;
      dag.jitter = J > 0;
    }
    if (const auto* longest = any.find("T_max")) dag.T_max = time(*longest);
    if (const auto* D = any.find("D")) dag.D = time(*D);
    if (task) {
      dag.nodes.push_back(node(dag.name, value));
    } else {
      read_nodes(dag, Mapping(document_, value, {"name", "copies", "T", "T_max", "jitter", "phase", "D", "priority", "nodes", "edges"}));
    }
    if (const auto* priority = task ? nullptr : any.find("priority")) {
      for (Node& node : dag.nodes) {
        if (!node.given_priority) node.given_priority = whole(*priority);
      }
    }
    dag.order = topological_order(dag, value);
    const Int copies = any.number("copies", 1);
    node_count_ += copies * Int(static_cast<std::int64_t>(dag.nodes.size()));
    if (copies <= 0 || dag.nodes.empty() || node_count_ > Int(most_nodes)) fail(value, "a DAG has a node; all have at most 1000000");
    const std::string name = dag.name;
    for (Int i = 0; i < copies; i += 1) {
      if (copies > 1) dag.name = name + "[" + to_string(i) + "]";
      if (!names_.emplace(dag.name, set_.dags.size()).second) fail(value, "the name '" + dag.name + "' is given twice");
      set_.dags.push_back(dag);
    }
  }

  Chain chain(const yaml_node_t& value) {
    const Mapping fields(document_, value, {"name", "stages", "communication", "reaction", "age"});
    Chain chain;
    chain.name = text_of(fields.need("name"));
    chain.let = fields.text("communication", "register") == "LET";
    if (const auto* limit = fields.find("reaction")) chain.reaction = time(*limit);
    if (const auto* limit = fields.find("age")) chain.age = time(*limit);
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

  void read_nodes(Dag& dag, const Mapping& fields) {
    std::unordered_map<std::string_view, std::size_t> index;
    const Mapping nodes(document_, fields.need("nodes"), {});
    for (const auto& [key, value] : nodes.all()) {
      if (!index.emplace(text_of(*key), dag.nodes.size()).second) fail(*key, "a node is given twice");
      dag.nodes.push_back(node(std::string(text_of(*key)), *value));
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
      dag.nodes[to].before.push_back(from);
      if (cut) dag.nodes[to].cut_after.push_back(from);
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
  TaskSet set_;
  Int node_count_ = 0;
  std::unordered_map<std::string, std::size_t> names_;  // of DAGs
};

std::string amount(const std::optional<Int>& limit) { return limit ? to_string(*limit) : "-"; }

std::string line_of(const Pool& pool, std::size_t p) {
  std::string line = "pool " + std::to_string(p) + " " + pool.name;
  switch (pool.kind) {
    case Kind::cpu:
      line += " cpu " + to_string(pool.size) + " " + pool.scheduler + (pool.preemptive ? " preemptive" : " non-preemptive");
      return pool.scheduler != "FP" ? line : line + (pool.equals_any() ? " equals-any" : " equals-fifo");
    case Kind::gpu:
      line += " gpu " + to_string(pool.size);
      for (const auto& limit : pool.sm) line += " " + amount(limit);
      return line + " " + to_string(pool.warp) + " " + to_string(pool.unit) + " " + to_string(pool.reserved) + " " + to_string(pool.per);
    case Kind::engines: return line + " engines " + to_string(pool.size);
    case Kind::workers: return line + " workers " + to_string(pool.size) + " " + to_string(pool.overhead);
  }
  return line;
}

std::string line_of(const Node& node, const Pool& pool, std::size_t d, std::size_t v) {
  std::string line = "node " + std::to_string(d) + " " + std::to_string(v) + " " + node.name + " " + std::to_string(node.pool);
  switch (pool.kind) {
    case Kind::cpu: line += " " + to_string(node.C); break;
    case Kind::engines: line += " " + to_string(node.C) + " " + node.direction; break;
    case Kind::workers: line += " " + to_string(node.B) + " " + to_string(node.L - pool.overhead); break;
    case Kind::gpu:
      line += " " + to_string(node.B) + " " + to_string(node.H) + " " + to_string(node.C) + " " + to_string(node.L) + " " +
              to_string(node.shared_memory) + " " + to_string(node.registers) + (node.high ? " high" : " low");
      break;
  }
  if (node.sequential) line += " sequential";
  if (pool.kind == Kind::cpu && pool.scheduler == "FP") line += " priority " + to_string(node.fixed_priority);
  if (node.D) line += " deadline " + to_string(*node.D);
  if (node.before.empty()) return line;
  line += " after";
  for (const std::size_t u : node.before) line += " " + std::to_string(u);
  return line;
}

}  // namespace

TaskSet read_task_set(std::string_view text) { return Reader(text).read(); }

Amounts block_demand(const Node& kernel, const Pool& gpu) {
  const auto up = [](Int value, Int unit) { return ceil_div(value, unit) * unit; };
  Amounts demand{up(kernel.H, gpu.warp), 1, 0, 0};
  if (gpu.sm[shared_memory]) demand[shared_memory] = up(kernel.shared_memory + gpu.reserved, gpu.unit);
  if (gpu.sm[registers]) demand[registers] = up(kernel.registers * gpu.warp, gpu.per) * floor_div(demand[threads], gpu.warp);
  return demand;
}

void assume(TaskSet& set, std::size_t p, std::string_view property, std::string_view value) {
  Pool& pool = set.pools.at(p);
  const bool gpu = pool.kind == Kind::gpu;
  const auto limit = [&]() -> std::optional<Int> { return value == "-" ? std::nullopt : std::optional(to_int(value)); };
  const auto positive = [&] {
    const Int number = to_int(value);
    if (number <= 0) throw std::invalid_argument("a number above 0 is expected");
    return number;
  };
  if (property == "scheduler" && pool.kind == Kind::cpu) {
    pool.scheduler = value;
  } else if (property == "preemptive" && pool.kind == Kind::cpu) {
    pool.preemptive = value == "yes";
  } else if (property == "equals" && pool.kind == Kind::cpu) {
    pool.equals = value;
  } else if (property == "sms" && gpu) {
    pool.size = positive();
  } else if (property == "threads" && gpu) {
    pool.sm[threads] = positive();
  } else if (property == "blocks" && gpu) {
    pool.sm[slots] = positive();
  } else if (property == "shared_memory" && gpu) {
    pool.sm[shared_memory] = limit();
  } else if (property == "registers" && gpu) {
    pool.sm[registers] = limit();
  } else if (property == "warp" && gpu) {
    pool.warp = positive();
  } else if (property == "shared_memory_unit" && gpu) {
    pool.unit = positive();
  } else if (property == "shared_memory_reserved" && gpu) {
    pool.reserved = to_int(value);
  } else if (property == "register_unit" && gpu) {
    pool.per = positive();
  } else if (property == "latency" && gpu) {
    for (Dag& dag : set.dags) {
      for (Node& node : dag.nodes) {
        if (node.pool != p) continue;
        node.C += positive() * node.H;
        node.L += positive();
      }
    }
  } else if (property == "switch" && gpu) {
    const std::size_t slash = value.find('/');
    const std::size_t plus = value.find('+');
    if (slash == std::string_view::npos || plus == std::string_view::npos || plus < slash)
      throw std::invalid_argument("DAG/NODE+BLOCKS is expected");
    const auto index = [](std::string_view word, std::size_t end) {
      const Int number = to_int(word);
      if (number < 0 || number >= Int(static_cast<Int::Raw>(end))) throw std::invalid_argument("there is no such DAG or node");
      return static_cast<std::size_t>(number.raw());
    };
    Dag& dag = set.dags[index(value.substr(0, slash), set.dags.size())];
    Node& node = dag.nodes[index(value.substr(slash + 1, plus - slash - 1), dag.nodes.size())];
    const Int more = to_int(value.substr(plus + 1));
    if (node.pool != p || more <= 0) throw std::invalid_argument("more blocks of a kernel of that pool are expected");
    node.B += more;
    pool.switches = true;
  } else {
    throw std::invalid_argument("pool " + pool.name + " has no such property");
  }
}

void set_fixed_priorities(TaskSet& set) {
  for (std::size_t p = 0; p < set.pools.size(); ++p) {
    if (set.pools[p].kind != Kind::cpu || set.pools[p].scheduler != "FP") continue;
    bool given = false;
    std::vector<Dag*> dags;
    for (Dag& dag : set.dags) {
      for (Node& node : dag.nodes) {
        if (node.pool != p) continue;
        given = given || node.given_priority;
        node.fixed_priority = node.given_priority.value_or(0);
        if (dags.empty() || dags.back() != &dag) dags.push_back(&dag);
      }
    }
    if (given) continue;
    std::stable_sort(dags.begin(), dags.end(), [](const Dag* a, const Dag* b) { return a->D.value_or(a->T) < b->D.value_or(b->T); });
    Int priority = static_cast<std::int64_t>(dags.size());
    for (Dag* dag : dags) {
      for (Node& node : dag->nodes) {
        if (node.pool == p) node.fixed_priority = priority;
      }
      priority -= 1;
    }
  }
}

std::vector<std::string> lines_of(const TaskSet& set) {
  std::vector<std::string> lines;
  for (std::size_t p = 0; p < set.pools.size(); ++p) lines.push_back(line_of(set.pools[p], p));
  for (std::size_t d = 0; d < set.dags.size(); ++d) {
    const Dag& dag = set.dags[d];
    lines.push_back("dag " + std::to_string(d) + " " + dag.name + " " + to_string(dag.T) + " " + amount(dag.D) +
                    (dag.T_max ? " longest " + to_string(*dag.T_max) : ""));
    for (std::size_t v = 0; v < dag.nodes.size(); ++v) lines.push_back(line_of(dag.nodes[v], set.pools[dag.nodes[v].pool], d, v));
  }
  for (std::size_t i = 0; i < set.chains.size(); ++i) {
    const Chain& chain = set.chains[i];
    std::string& line = lines.emplace_back("chain " + std::to_string(i) + " " + chain.name + (chain.let ? " LET " : " register "));
    line += amount(chain.reaction) + " " + amount(chain.age);
    for (const Chain::Stage& stage : chain.stages) {
      line += " " + std::to_string(stage.dag) + (stage.node ? "/" + std::to_string(*stage.node) : "");
    }
  }
  return lines;
}

}  // namespace checker
