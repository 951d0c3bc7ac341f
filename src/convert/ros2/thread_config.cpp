#include "thread_config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <set>
#include <tuple>

#include "../../io/fields.hpp"
#include "../../io/file_kind.hpp"
#include "../../io/yaml_document.hpp"
#include "../../io/yaml_text.hpp"
#include "../bytes.hpp"
#include "../notes.hpp"

namespace rta::convert {
namespace {

using io::Fields;
using io::Value;

constexpr std::size_t looked_at_of_config = 1U << 16U;
constexpr std::array<std::string_view, 6> known_policies{"SCHED_OTHER", "SCHED_BATCH", "SCHED_IDLE",
                                                         "SCHED_FIFO",  "SCHED_RR",    "SCHED_DEADLINE"};
constexpr std::array<std::string_view, 4> known_callbacks{"Timer", "Subscription", "Service", "Client"};
constexpr std::string_view waitable = "Waitable";

std::string scalar_text(const Fields& fields, std::string_view key, const Value& value) {
  const auto breaks_lines = [](char c) { return (c >= '\0' && c < ' ') || c == '\x7F'; };
  if (value.kind == Value::Kind::scalar) {
    if (std::ranges::none_of(value.text, breaks_lines)) return std::string(value.text);
    fields.error(value, fmt::format("{}: must be one line of text", key));
    return {};
  }
  fields.error(value, fmt::format("{}: one value is expected, not {}", key, io::kind_text(value)));
  return {};
}

std::optional<std::int64_t> whole(const Fields& fields, std::string_view key, std::int64_t least, std::int64_t most) {
  const Value* const value = fields.find(key);
  if (value == nullptr) return std::nullopt;
  std::int64_t number = 0;
  const std::string_view text = value->text;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (value->kind == Value::Kind::scalar && fault == std::errc() && end == text.data() + text.size() && number >= least && number <= most)
    return number;
  fields.error(*value, fmt::format("{}: must be a whole number within {} .. {}", key, least, most));
  return std::nullopt;
}

// `/node@Timer(1000000)@Subscription(/topic)@Waitable`
void read_id(const Fields& fields, const Value& at, IsolatedThread& thread) {
  std::string_view rest = thread.id;
  const std::size_t end = std::min(rest.find('@'), rest.size());
  thread.node = rest.substr(0, end);
  if (!thread.node.starts_with('/')) {
    fields.error(at, "id: a callback group is called after its node, with its namespace: /node@Timer(1000000)@Subscription(/topic)");
    return;
  }
  rest.remove_prefix(end);
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view part = rest.substr(0, rest.find('@'));
    rest.remove_prefix(part.size());
    if (part == waitable) continue;
    const std::size_t open = std::min(part.find('('), part.size());
    const std::string_view kind = part.substr(0, open);
    if (std::ranges::find(known_callbacks, kind) == known_callbacks.end() || !part.ends_with(')')) {
      fields.error(at, fmt::format("id: {} is no callback: Timer(PERIOD IN NS), Subscription(TOPIC), Service(NAME), Client(NAME) and "
                                   "Waitable are known",
                                   io::quote(part)));
      return;
    }
    thread.callbacks.push_back({std::string(kind), std::string(part.substr(open + 1, part.size() - open - 2))});
  }
}

void read_affinity(const Fields& fields, IsolatedThread& thread) {
  const Value* const list = fields.find("affinity");
  if (list == nullptr) return;
  thread.affinity_at = list->mark;
  if (list->kind == Value::Kind::null) return;
  if (list->kind != Value::Kind::sequence) {
    fields.error(*list, fmt::format("affinity: a list of processors is expected, not {}", io::kind_text(*list)));
    return;
  }
  constexpr std::uint32_t most = 100'000;
  for (const Value* at = list->first(); at != list->next(); at = at->next()) {
    std::uint32_t number = 0;
    const std::string_view text = at->text;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (at->kind != Value::Kind::scalar || fault != std::errc() || end != text.data() + text.size() || number > most) {
      fields.error(*at, fmt::format("affinity: must be a processor's number, within 0 .. {}", most));
    } else if (std::ranges::find(thread.affinity, number) == thread.affinity.end()) {
      thread.affinity.push_back(number);
    }
  }
}

void warn_of_unused(const Fields& fields, const IsolatedThread& thread) {
  const auto warn = [&](std::initializer_list<std::string_view> keys) {
    for (const std::string_view key : keys) {
      const Value* const at = fields.find(key);
      if (at != nullptr) fields.warn(*at, fmt::format("{}: has no effect with {}", key, thread.policy));
    }
  };
  if (thread.is_deadline()) warn({"priority", "nice"});
  if (!thread.is_deadline()) warn({"runtime", "deadline", "period"});
}

void read_policy(const Fields& fields, IsolatedThread& thread) {
  const Value* const at = fields.require("policy", "SCHED_FIFO, SCHED_RR, SCHED_DEADLINE, SCHED_OTHER, SCHED_BATCH or SCHED_IDLE");
  const auto policy = fields.choice("policy", known_policies);
  if (at == nullptr || !policy) return;
  thread.policy_at = at->mark;
  thread.policy = known_policies[*policy];
  warn_of_unused(fields, thread);
  if (thread.is_deadline()) {
    constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
    for (const std::string_view key : {"runtime", "deadline", "period"}) static_cast<void>(fields.require(key, "ns of SCHED_DEADLINE"));
    const auto runtime = whole(fields, "runtime", 1, most), deadline = whole(fields, "deadline", 1, most),
               period = whole(fields, "period", 1, most);
    if (!runtime || !deadline || !period) return;
    if (*runtime > *deadline || *deadline > *period)
      fields.error(*at,
                   fmt::format("runtime {}, deadline {} and period {}: Linux takes none but in this order", *runtime, *deadline, *period));
    thread.runtime = static_cast<std::uint64_t>(*runtime);
    thread.deadline = static_cast<std::uint64_t>(*deadline);
    thread.period = static_cast<std::uint64_t>(*period);
    return;
  }
  thread.nice = !thread.is_fixed() && fields.has("nice");
  if (thread.is_fixed() && fields.has("nice")) fields.warn(*fields.find("nice"), fmt::format("nice: has no effect with {}", thread.policy));
  const std::string_view key = thread.nice ? "nice" : "priority";
  static_cast<void>(fields.require(key, thread.is_fixed() ? "1 .. 99, the larger the more urgent" : "the nice value, -20 .. 19"));
  thread.priority = (thread.is_fixed() ? whole(fields, key, 1, 99) : whole(fields, key, -20, 19)).value_or(0);
}

IsolatedThread read_thread(const Value& value, bool group, io::Diagnostics& out) {
  IsolatedThread thread;
  thread.at = value.mark;
  const Fields fields(value, {}, out, group ? "callback_groups" : "non_ros_threads");
  if (!fields.usable()) return thread;
  static constexpr std::array<std::string_view, 10> keys{"id",       "name", "domain_id", "affinity", "policy",
                                                         "priority", "nice", "runtime",   "deadline", "period"};
  fields.allow_only(keys);
  thread.by_name = !group && fields.find("id") == nullptr;
  const std::string_view key = thread.by_name ? "name" : "id";
  if (group && fields.has("name")) fields.error(*fields.find("name"), "name: a callback group has an id");
  if (const Value* const id = fields.require(key, "what it is called when the prerun writes the template")) {
    thread.id = scalar_text(fields, key, *id);
    if (id->kind == Value::Kind::scalar && thread.id.empty()) fields.error(*id, fmt::format("{}: empty", key));
    if (group && !thread.id.empty()) read_id(fields, *id, thread);
  }
  if (const auto domain = whole(fields, "domain_id", 0, 1'000'000)) thread.domain = static_cast<std::uint64_t>(*domain);
  read_affinity(fields, thread);
  read_policy(fields, thread);
  return thread;
}

std::vector<IsolatedThread> read_threads(const Fields& top, std::string_view key, io::Diagnostics& out) {
  std::vector<IsolatedThread> threads;
  const Value* const list = top.find(key);
  if (list == nullptr || list->kind == Value::Kind::null) return threads;
  if (list->kind != Value::Kind::sequence) {
    out.error(list->mark, fmt::format("{}: a list of threads is expected, not {}", key, io::kind_text(*list)));
    return threads;
  }
  std::set<std::tuple<std::uint64_t, std::string, std::vector<std::pair<std::string, std::string>>>> seen;
  for (const Value* at = list->first(); at != list->next(); at = at->next()) {
    IsolatedThread& thread = threads.emplace_back(read_thread(*at, key == "callback_groups", out));
    std::vector<std::pair<std::string, std::string>> callbacks;  // an id is one with or without its waitables
    for (const IsolatedCallback& c : thread.callbacks) callbacks.emplace_back(c.kind, c.of);
    const std::string name = thread.node.empty() ? thread.id : thread.node;
    if (!name.empty() && !seen.emplace(thread.domain.value_or(0), name, std::move(callbacks)).second)
      out.error(at->mark, fmt::format("{} stands twice: the configurator takes the last one", io::quote(thread.id)));
  }
  return threads;
}

std::vector<std::pair<std::string, std::string>> read_scalars(const Fields& top, std::string_view key, io::Diagnostics& out) {
  std::vector<std::pair<std::string, std::string>> scalars;
  const Value* const value = top.find(key);
  if (value == nullptr || value->kind == Value::Kind::null) return scalars;
  const Fields fields(*value, {}, out, key);
  if (!fields.usable()) return scalars;
  for (const Fields::Field& field : fields.all()) scalars.emplace_back(field.key->text, scalar_text(fields, field.key->text, *field.value));
  return scalars;
}

std::string written(const std::string& text) { return io::is_plain(text) ? text : io::double_quoted(text); }

void add_scalars(std::string& out, const char* key, const std::vector<std::pair<std::string, std::string>>& scalars) {
  if (scalars.empty()) return;
  out += fmt::format("{}:\n", key);
  for (const auto& [name, value] : scalars) out += fmt::format("  {}: {}\n", written(name), written(value));
  out += '\n';
}

void add_thread(std::string& out, const IsolatedThread& thread) {
  out += fmt::format("  - {}: {}\n", thread.by_name ? "name" : "id", written(thread.id));
  if (thread.domain) out += fmt::format("    domain_id: {}\n", *thread.domain);
  out += thread.affinity.empty() ? "    affinity: ~\n" : "    affinity:\n";
  for (const std::uint32_t processor : thread.affinity) out += fmt::format("      - {}\n", processor);
  out += fmt::format("    policy: {}\n", thread.policy);
  if (thread.is_deadline()) {
    out += fmt::format("    runtime: {}\n    deadline: {}\n    period: {}\n", thread.runtime, thread.deadline, thread.period);
  } else {
    out += fmt::format("    {}: {}\n", thread.nice ? "nice" : "priority", thread.priority);
  }
}

}  // namespace

ThreadConfig read_thread_config(const std::filesystem::path& file, std::vector<io::Diagnostic>& warnings) {
  Bytes bytes(file, {});
  const std::string name = bytes.name();
  if (const auto kind = io::file_kind(bytes.head(looked_at_of_config), name); kind && kind->is != io::FileIs::thread_config)
    refuse(name, io::mixup(*kind, "no thread configuration of callback_isolated_executor"), 1, 1);
  const std::string text = bytes.rest(io::largest_file());
  io::Diagnostics out(name);
  constexpr std::string_view contents = "a thread configuration of callback_isolated_executor has `callback_groups`";
  const io::YamlDocument document(text, out, contents);
  const Fields top(document.root(), {}, out);
  out.throw_if_failed();
  static constexpr std::array<std::string_view, 4> keys{"hardware_info", "callback_groups", "non_ros_threads", "rt_throttling"};
  top.allow_only(keys);
  static_cast<void>(top.require("callback_groups", contents));
  ThreadConfig config;
  config.hardware = read_scalars(top, "hardware_info", out);
  config.throttling = read_scalars(top, "rt_throttling", out);
  config.groups = read_threads(top, "callback_groups", out);
  config.others = read_threads(top, "non_ros_threads", out);
  out.throw_if_failed();
  for (io::Diagnostic& warning : out.take_warnings()) warnings.push_back(std::move(warning));
  return config;
}

std::string format_thread_config(const ThreadConfig& config) {
  std::string out;
  add_scalars(out, "hardware_info", config.hardware);
  add_scalars(out, "rt_throttling", config.throttling);
  out += config.groups.empty() ? "callback_groups: []\n" : "callback_groups:\n";
  for (const IsolatedThread& thread : config.groups) add_thread(out, thread);
  if (!config.others.empty()) out += "\nnon_ros_threads:\n";
  for (const IsolatedThread& thread : config.others) add_thread(out, thread);
  return out;
}

}  // namespace rta::convert
