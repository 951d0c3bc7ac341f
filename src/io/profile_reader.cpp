#include <fmt/format.h>

#include <array>
#include <limits>

#include "company_record.hpp"
#include "fields.hpp"
#include "file.hpp"
#include "file_kind.hpp"
#include "interference_reader.hpp"
#include "rta/io/profile_file.hpp"

namespace rta::io {
namespace {

constexpr std::array<std::string_view, 12> profile_keys{"device",       "product", "compute_capability", "driver", "cuda",
                                                        "date",         "limits",  "latencies",          "rules",  "calls",
                                                        "interference", "company"};
constexpr std::array<std::string_view, 12> limit_keys{"sms",
                                                      "threads",
                                                      "threads_per_block",
                                                      "blocks",
                                                      "shared_memory",
                                                      "shared_memory_per_block",
                                                      "shared_memory_reserved",
                                                      "registers",
                                                      "registers_per_block",
                                                      "copy_engines",
                                                      "priority_levels",
                                                      "clock_khz"};
constexpr std::array<std::string_view, 4> latency_keys{"median", "p99", "max", "samples"};
constexpr std::array<std::string_view, 6> rule_keys{"verdict", "variant", "runs", "contradicting", "evidence", "reason"};
constexpr std::array<std::string_view, 4> call_keys{"blocks_others", "synchronises", "caller_waits", "samples"};
constexpr std::array<std::string_view, 3> answers{"no", "yes", "unclear"};
constexpr std::array<std::string_view, 3> states{"untested", "confirmed", "refuted"};
constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();

// A text of any length; empty when the key is absent or wrong (then reported).
std::string text_of(const Fields& fields, std::string_view key) {
  const Value* const value = fields.find(key);
  if (value == nullptr || value->kind == Value::Kind::rejected) return {};
  if (value->kind == Value::Kind::scalar) return std::string(value->text);
  fields.error(*value, fmt::format("{}: a text is expected, not {}", key, kind_text(*value)));
  return {};
}

std::string required_text(const Fields& fields, std::string_view key, std::string_view hint) {
  (void)fields.require(key, hint);
  return text_of(fields, key);
}

std::uint32_t count_of(const Fields& fields, std::string_view key, std::string_view hint, std::uint32_t least) {
  (void)fields.require(key, hint);
  return static_cast<std::uint32_t>(fields.integer(key, least, std::numeric_limits<std::uint32_t>::max()).value_or(least));
}

void read_limits(const Value& value, Diagnostics& out, DeviceLimits& limits) {
  const Fields fields(value, {"", ""}, out, "limits");
  if (!fields.usable()) return;
  fields.allow_only(limit_keys);
  limits.sms = count_of(fields, "sms", "the number of SMs", 1);
  limits.threads_per_sm = count_of(fields, "threads", "the G-threads of an SM", 1);
  limits.threads_per_block = count_of(fields, "threads_per_block", "the most threads of a block", 1);
  limits.blocks_per_sm = count_of(fields, "blocks", "the most blocks of an SM", 1);
  limits.shared_per_sm = fields.size("shared_memory", 0).value_or(0);
  limits.shared_per_block = fields.size("shared_memory_per_block", 0).value_or(0);
  limits.reserved_shared_per_block = fields.size("shared_memory_reserved", 0).value_or(0);
  limits.registers_per_sm = fields.integer("registers", 0, most).value_or(0);
  limits.registers_per_block = fields.integer("registers_per_block", 1, most).value_or(0);
  limits.copy_engines = count_of(fields, "copy_engines", "the number of copy engines", 0);
  limits.priority_levels = count_of(fields, "priority_levels", "the number of stream priorities", 1);
  limits.clock_khz = fields.integer("clock_khz", 0, most).value_or(0);
  if (limits.threads_per_block > limits.threads_per_sm && fields.has("threads_per_block")) {
    fields.error(*fields.find("threads_per_block"),
                 fmt::format("threads_per_block: {} are more than an SM has ({})", limits.threads_per_block, limits.threads_per_sm));
  }
}

Time time_of(const Fields& fields, std::string_view key) {
  (void)fields.require(key, "a time, e.g. 3 us");
  return to_time(fields.time(key, nullptr, 0).value_or(0));
}

void read_latencies(const Value& value, Diagnostics& out, DeviceProfile& profile) {
  const Fields all(value, {"", ""}, out, "latencies");
  for (const Fields::Field& field : all.all()) {
    const Fields fields(*field.value, {"latency", field.key->text}, out);
    if (const auto fault = name_fault(field.key->text)) all.error(*field.key, *fault);
    if (!fields.usable()) continue;
    fields.allow_only(latency_keys);
    Latency latency{std::string(field.key->text), time_of(fields, "median"), time_of(fields, "p99"), time_of(fields, "max"), 0};
    (void)fields.require("samples", "how many observations there were");
    latency.samples = fields.integer("samples", 1, most).value_or(1);
    if (latency.median > latency.p99 || latency.p99 > latency.max) fields.error(*field.value, "needs median <= p99 <= max");
    profile.latencies.push_back(std::move(latency));
  }
}

void read_rules(const Value& value, Diagnostics& out, DeviceProfile& profile) {
  std::array<std::string_view, rule_count> names;
  for (std::size_t i = 0; i < rule_count; ++i) names[i] = to_string(rules()[i]);
  const Fields all(value, {"", ""}, out, "rules");
  all.allow_only(names);
  for (const Fields::Field& field : all.all()) {
    const auto rule = rule_named(field.key->text);
    if (!rule) continue;
    const Fields fields(*field.value, {"rule", field.key->text}, out);
    if (!fields.usable()) continue;
    fields.allow_only(rule_keys);
    RuleVerdict verdict;
    verdict.rule = *rule;
    (void)fields.require("verdict", "confirmed, refuted or untested");
    if (const auto state = fields.choice("verdict", states)) verdict.state = static_cast<RuleState>(*state);
    verdict.variant = text_of(fields, "variant");
    verdict.evidence = text_of(fields, "evidence");
    verdict.reason = text_of(fields, "reason");
    verdict.runs = fields.integer("runs", 0, most).value_or(0);
    verdict.contradicting = fields.integer("contradicting", 0, verdict.runs).value_or(0);
    profile.rules.push_back(std::move(verdict));
  }
}

Answer answer_of(const Fields& fields, std::string_view key) {
  (void)fields.require(key, "yes, no or unclear");
  const auto choice = fields.choice(key, answers);
  return choice ? static_cast<Answer>(*choice) : Answer::unclear;
}

void read_calls(const Value& value, Diagnostics& out, DeviceProfile& profile) {
  const Fields all(value, {"", ""}, out, "calls");
  for (const Fields::Field& field : all.all()) {
    const Fields fields(*field.value, {"call", field.key->text}, out);
    if (!fields.usable()) continue;
    fields.allow_only(call_keys);
    MeasuredCall call{std::string(field.key->text), answer_of(fields, "blocks_others"), answer_of(fields, "synchronises"),
                      answer_of(fields, "caller_waits"), 0};
    (void)fields.require("samples", "how many observations there were");
    call.samples = fields.integer("samples", 1, most).value_or(1);
    profile.calls.push_back(std::move(call));
  }
}

}  // namespace

ProfileFile parse_profile_file(std::string_view text, const std::string& name) {
  Diagnostics out(name);
  if (text.size() > largest_file()) out.error({}, too_large());
  out.throw_if_failed();
  if (const auto kind = file_kind(text, name); kind && kind->is != FileIs::device_profile)
    out.error({1, 1}, mixup(*kind, "no device profile"));
  out.throw_if_failed();
  const YamlTree tree(text, out);
  out.throw_if_failed();
  if (tree.root() == nullptr || tree.root()->kind == Value::Kind::null) {
    out.error({1, 1}, "the file is empty: a device profile has `product`, `limits` and `rules`");
    out.throw_if_failed();
  }
  ProfileFile file;
  DeviceProfile& profile = file.profile;
  const Fields top(*tree.root(), {}, out);
  top.allow_only(profile_keys);
  if (const auto device = top.name("device")) {
    profile.device = *device;
    if (find_device(profile.device) == nullptr)
      top.error(*top.find("device"), fmt::format("device: no built-in device is called {}", quote(*device)));
  }
  profile.limits.product = required_text(top, "product", "the device's full name");
  profile.limits.compute_capability = required_text(top, "compute_capability", "e.g. \"9.0\"");
  profile.limits.driver = text_of(top, "driver");
  profile.limits.cuda = text_of(top, "cuda");
  profile.date = required_text(top, "date", "when it was examined, e.g. \"2026-01-31\"");
  if (const Value* const limits = top.require("limits", "what the device has")) read_limits(*limits, out, profile.limits);
  if (const Value* const latencies = top.find("latencies")) read_latencies(*latencies, out, profile);
  if (const Value* const rules = top.require("rules", "the verdicts")) read_rules(*rules, out, profile);
  if (const Value* const calls = top.find("calls")) read_calls(*calls, out, profile);
  if (const Value* const interference = top.find("interference")) profile.interference = read_interference(top, *interference);
  if (const Value* const company = top.find("company")) file.company = read_company_record(top, *company);
  out.throw_if_failed();
  return file;
}

ProfileFile read_profile_file(const std::filesystem::path& path) {
  const std::string name = path == "-" ? "<stdin>" : path.string();
  return parse_profile_file(read_file(path, name), name);
}

DeviceProfile parse_profile(std::string_view text, const std::string& name) { return parse_profile_file(text, name).profile; }
DeviceProfile read_profile(const std::filesystem::path& path) { return read_profile_file(path).profile; }

}  // namespace rta::io
