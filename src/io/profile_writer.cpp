#include <fmt/format.h>

#include "company_record.hpp"
#include "interference_reader.hpp"
#include "rta/io/profile_file.hpp"
#include "yaml_text.hpp"

namespace rta::io {
namespace {

std::string limits_text(const DeviceLimits& limits) {
  std::string text = "limits:\n";
  const auto add = [&](std::string_view key, const std::string& value) { text += fmt::format("  {}: {}\n", key, value); };
  const auto number = [](std::uint64_t count) { return fmt::format("{}", count); };
  add("sms", number(limits.sms));
  add("threads", number(limits.threads_per_sm));
  add("threads_per_block", number(limits.threads_per_block));
  add("blocks", number(limits.blocks_per_sm));
  add("shared_memory", size_text(limits.shared_per_sm));
  add("shared_memory_per_block", size_text(limits.shared_per_block));
  add("shared_memory_reserved", size_text(limits.reserved_shared_per_block));
  add("registers", number(limits.registers_per_sm));
  if (limits.registers_per_block > 0) add("registers_per_block", number(limits.registers_per_block));
  add("copy_engines", number(limits.copy_engines));
  add("priority_levels", number(limits.priority_levels));
  if (limits.clock_khz > 0) add("clock_khz", number(limits.clock_khz));
  return text;
}

std::string rule_text(const RuleVerdict& verdict) {
  FlowMapping out;
  out.add("verdict", to_string(verdict.state));
  if (!verdict.variant.empty()) out.add("variant", in_quotes(verdict.variant));
  if (verdict.runs > 0) out.add_number("runs", verdict.runs).add_number("contradicting", verdict.contradicting);
  if (!verdict.evidence.empty()) out.add("evidence", in_quotes(verdict.evidence));
  if (!verdict.reason.empty()) out.add("reason", in_quotes(verdict.reason));
  return out.text();
}

std::string call_text(const MeasuredCall& call) {
  FlowMapping out;
  out.add("blocks_others", to_string(call.blocks_others)).add("synchronises", to_string(call.synchronises));
  return out.add("caller_waits", to_string(call.caller_waits)).add_number("samples", call.samples).text();
}

}  // namespace

std::string format_profile(const DeviceProfile& profile, const std::optional<MeasuredCompany>& company) {
  std::string text;
  if (!profile.device.empty()) text += fmt::format("device: {}\n", word(profile.device));
  const DeviceLimits& limits = profile.limits;
  text += fmt::format("product: {}\ncompute_capability: {}\n", in_quotes(limits.product), in_quotes(limits.compute_capability));
  if (!limits.driver.empty()) text += fmt::format("driver: {}\n", in_quotes(limits.driver));
  if (!limits.cuda.empty()) text += fmt::format("cuda: {}\n", in_quotes(limits.cuda));
  text += fmt::format("date: {}\n", in_quotes(profile.date));
  text += limits_text(limits);
  if (!profile.latencies.empty()) text += "latencies:\n";
  for (const Latency& latency : profile.latencies) {
    FlowMapping out;
    out.add("median", time_text(latency.median)).add("p99", time_text(latency.p99)).add("max", time_text(latency.max));
    text += fmt::format("  {}: {}\n", word(latency.name), out.add_number("samples", latency.samples).text());
  }
  text += profile.rules.empty() ? "rules: {}\n" : "rules:\n";
  for (const RuleVerdict& verdict : profile.rules) text += fmt::format("  {}: {}\n", to_string(verdict.rule), rule_text(verdict));
  if (!profile.calls.empty()) text += "calls:\n";
  for (const MeasuredCall& call : profile.calls) text += fmt::format("  {}: {}\n", in_quotes(call.name), call_text(call));
  if (profile.interference) text += fmt::format("interference: {}\n", interference_text(*profile.interference));
  if (company) text += company_record_text(*company);
  return text;
}

}  // namespace rta::io
