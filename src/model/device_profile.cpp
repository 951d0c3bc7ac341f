#include "rta/model/device_profile.hpp"

#include <algorithm>

namespace rta {
namespace {

// Units of allocation changed with compute capability 8.0 (CUDA Occupancy Calculator, as the built-in table).
bool is_before_8(const std::string& capability) { return capability.size() > 1 && capability[1] == '.' && capability[0] < '8'; }

}  // namespace

DeviceLimits limits_of(const Device& device) {
  DeviceLimits limits;
  limits.product = device.product;
  limits.compute_capability = device.compute_capability;
  const SmResources& sm = device.gpu.sm;
  limits.sms = device.gpu.sms;
  limits.threads_per_sm = sm.threads;
  limits.threads_per_block = sm.threads_per_block;
  limits.blocks_per_sm = sm.blocks;
  limits.shared_per_sm = sm.shared_memory.value_or(0);
  limits.reserved_shared_per_block = device.gpu.allocation.reserved_shared_memory;
  limits.shared_per_block = device.gpu.launch.shared_memory.value_or(0);
  limits.registers_per_sm = sm.registers.value_or(0);
  limits.registers_per_block = device.gpu.launch.registers_per_block.value_or(0);
  limits.copy_engines = device.copy_engines;
  limits.priority_levels = 2;
  return limits;
}

GpuPool gpu_pool(const DeviceLimits& limits) {
  GpuPool pool;
  pool.sms = limits.sms;
  pool.sm.threads = limits.threads_per_sm;
  pool.sm.threads_per_block = limits.threads_per_block;
  pool.sm.blocks = limits.blocks_per_sm;
  if (limits.shared_per_sm > 0) pool.sm.shared_memory = limits.shared_per_sm;
  if (limits.registers_per_sm > 0) pool.sm.registers = limits.registers_per_sm;
  pool.launch = launch_limits(limits.compute_capability);
  if (limits.shared_per_block > 0) pool.launch.shared_memory = limits.shared_per_block;
  if (limits.registers_per_block > 0 && limits.compute_capability != capability_of_two_parts) {
    pool.launch.registers_per_block = limits.registers_per_block;
  }
  pool.allocation = {32, is_before_8(limits.compute_capability) ? 256U : 128U, limits.reserved_shared_per_block, 256,
                     register_parts(limits.compute_capability)};
  return pool;
}

EnginePool engine_pool(const DeviceLimits& limits) { return {std::clamp(limits.copy_engines, 1U, 2U)}; }

std::string_view to_string(RuleState state) {
  switch (state) {
    case RuleState::confirmed: return "confirmed";
    case RuleState::refuted: return "refuted";
    case RuleState::untested: return "untested";
  }
  return "";
}

std::string_view to_string(Answer answer) {
  switch (answer) {
    case Answer::no: return "no";
    case Answer::yes: return "yes";
    case Answer::unclear: return "unclear";
  }
  return "";
}

const RuleVerdict* DeviceProfile::find(Rule rule) const {
  const auto at = std::ranges::find(rules, rule, &RuleVerdict::rule);
  return at == rules.end() ? nullptr : &*at;
}

const Latency* DeviceProfile::find_latency(std::string_view name) const {
  const auto at = std::ranges::find(latencies, name, &Latency::name);
  return at == latencies.end() ? nullptr : &*at;
}

const MeasuredCall* DeviceProfile::find_call(std::string_view name) const {
  const auto at = std::ranges::find(calls, name, &MeasuredCall::name);
  return at == calls.end() ? nullptr : &*at;
}

}  // namespace rta
