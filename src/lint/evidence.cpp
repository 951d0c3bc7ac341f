#include "evidence.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "call_table.hpp"
#include "expressions.hpp"

namespace rta::lint {
namespace {

constexpr std::array<std::string_view, 6> pinned_makers{"cudaMallocHost", "cudaHostAlloc",  "cudaMallocManaged",
                                                        "cuMemAllocHost", "cuMemHostAlloc", "cuMemAllocManaged"};

bool is_any(std::span<const std::string_view> names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

bool says_sleep(const Code& code, Range range) {
  return mentions(code, range, "cudaEventBlockingSync") || mentions(code, range, "CU_EVENT_BLOCKING_SYNC");
}

/// The index of the stream among a call's arguments, or of a launch's configuration; -1: it has none.
std::int32_t stream_argument(const Call& call) {
  if (call.kind == Call::Kind::launch) return 3;
  if (call.kind != Call::Kind::call) return -1;
  for (const CallRow* row : rows_for(plain_name(call.name))) {
    if (row->condition != Condition::stream) continue;
    return row->last ? static_cast<std::int32_t>(call.arguments.size()) - 1 : row->argument;
  }
  return -1;
}

// The innermost that is in sight: a local variable before a parameter before anything else of that name.
const Variable* variable_in_sight(const Unit& unit, std::string_view name, std::uint32_t token, bool local) {
  const auto variables = unit.variables();
  const auto first = std::ranges::lower_bound(variables, name, {}, &Variable::name);
  const auto last = std::ranges::upper_bound(variables, name, {}, &Variable::name);
  const std::span named(first, last);
  const std::uint32_t function = unit.function_at(token);
  const auto best = [&](auto&& wanted) {
    const Variable* found = nullptr;
    for (const Variable& variable : named) {
      if (wanted(variable) && variable.token <= token) found = &variable;
    }
    return found;
  };
  const Variable* found = nullptr;
  if (local) {
    found = best([&](const Variable& v) { return function != no_index && v.function == function && v.storage != Storage::parameter; });
    if (found == nullptr) found = best([&](const Variable& v) { return function != no_index && v.function == function; });
  }
  if (found == nullptr) {
    for (const Variable& variable : named) {
      if (variable.function == no_index && (variable.storage == Storage::container || variable.storage == Storage::device))
        found = &variable;
    }
  }
  return found;
}

}  // namespace

Evidence::Evidence(Units units) {
  for (const auto& unit : units) {
    read_calls(*unit, unit->code(), unit->calls());
    for (const MacroBody& macro : unit->macros()) {
      if (macro.macro->name == "CUDA_API_PER_THREAD_DEFAULT_STREAM") default_is_null_ = false;
      read_calls(*unit, macro.code, macro.calls);
    }
    for (const Token& token : unit->code().tokens()) {
      if (token.is("cudaDeviceScheduleBlockingSync") || token.is("cudaDeviceBlockingSync") || token.is("CU_CTX_SCHED_BLOCKING_SYNC") ||
          token.is("CU_CTX_BLOCKING_SYNC")) {
        streams_sleep_ = true;
      }
    }
    read_streams(*unit);
    read_declarations(*unit);
  }
}

// `void enqueueV2(int);` in a class of the program's own, which is none of TensorRT's then.
void Evidence::read_declarations(const Unit& unit) {
  constexpr std::array<std::string_view, 4> types{"auto", "bool", "int", "void"};
  const Code& code = unit.code();
  for (std::uint32_t i = 1; i < code.size(); ++i) {
    if (!code[i].is_name() || !code.is(i + 1, "(") || declared_.contains(code[i].text)) continue;
    const Token& before = code[i - 1];
    const bool type = before.is_name() && (!is_keyword(before.text) || is_any(types, before.text));
    if (!type) continue;
    for (const CallRow* row : rows_for(code[i].text)) {
      if (row->is_member) declared_.emplace(code[i].text);
    }
  }
}

void Evidence::read_calls(const Unit& unit, const Code& code, std::span<const Call> calls) {
  for (const Call& call : calls) {
    if (call.kind != Call::Kind::call || call.arguments.empty()) continue;
    const std::string_view name = plain_name(call.name);
    if (is_any(pinned_makers, name) || name.ends_with("HostRegister")) {
      const std::string_view memory =
          name.ends_with("HostRegister") ? pointee(code, call.arguments[0]).name : target(code, call.arguments[0]);
      if (!memory.empty()) pinned_.emplace(memory);
    } else if (name == "cudaEventCreate" || name == "cudaEventCreateWithFlags" || name == "cuEventCreate") {
      read_event(unit, code, call);
    } else if (name.ends_with("SetStream") && call.arguments.size() > 1 && !lint::is_null_stream(code, call.arguments[1])) {
      setters_[std::string(name)].emplace(variable(code, call.arguments[0]));
    } else if (name == "nppSetStream" && !lint::is_null_stream(code, call.arguments[0])) {
      setters_[std::string(name)];
    }
  }
}

void Evidence::read_event(const Unit& unit, const Code& code, const Call& call) {
  const std::string_view event = target(code, call.arguments[0]);
  if (event.empty()) return;
  bool sleeps = call.arguments.size() > 1 && says_sleep(code, call.arguments[1]);
  if (!sleeps && call.arguments.size() > 1 && &code == &unit.code()) {
    const std::string_view flags = variable(code, call.arguments[1]);
    sleeps = !flags.empty() && std::ranges::any_of(unit.initial_values(), [&](const InitialValue& value) {
      return value.name == flags && says_sleep(code, value.value);
    });
  }
  const auto [at, fresh] = events_.try_emplace(std::string(event), sleeps);
  if (!fresh) at->second = at->second && sleeps;
}

// A variable that stands for the NULL stream: every mention of its name, within its function or the file, is its declaration or the
// stream of some call.
void Evidence::read_streams(const Unit& unit) {
  const Code& code = unit.code();
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> named;  // tokens, by the names of candidates
  for (const InitialValue& value : unit.initial_values()) {
    const bool is_stream = value.type == "cudaStream_t" || value.type == "CUstream";
    if (is_stream && !value.value.empty() && lint::is_null_stream(code, value.value)) named[value.name];
  }
  if (named.empty()) return;
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (!code[i].is_name()) continue;
    if (const auto at = named.find(code[i].text); at != named.end()) at->second.push_back(i);
  }
  std::set<std::uint32_t> harmless;
  for (const Call& call : unit.calls()) {
    const std::int32_t index = stream_argument(call);
    if (index < 0 || static_cast<std::size_t>(index) >= call.arguments.size()) continue;
    const Range argument = stripped(code, call.arguments[static_cast<std::size_t>(index)]);
    if (argument.end == argument.begin + 1) harmless.insert(argument.begin);
  }
  for (const InitialValue& value : unit.initial_values()) {
    const auto at = named.find(value.name);
    if (at == named.end() || value.value.empty() || !lint::is_null_stream(code, value.value)) continue;
    const auto mine = [&](std::uint32_t token) { return value.function == no_index || unit.function_at(token) == value.function; };
    const bool unchanged = std::ranges::all_of(
        at->second, [&](std::uint32_t token) { return !mine(token) || token == value.token || harmless.contains(token); });
    if (!unchanged) continue;
    for (const std::uint32_t token : at->second) {
      if (mine(token) && token != value.token) null_streams_[&unit].insert(token);
    }
  }
}

bool Evidence::is_null_stream(const Unit& unit, Range argument) const {
  if (lint::is_null_stream(unit.code(), argument)) return true;
  const auto at = null_streams_.find(&unit);
  const Range bare = stripped(unit.code(), argument);
  return at != null_streams_.end() && bare.end == bare.begin + 1 && at->second.contains(bare.begin);
}

bool Evidence::sleeps(std::string_view event) const {
  const auto at = events_.find(event);
  return at != events_.end() && at->second;
}

std::optional<Storage> Evidence::storage(const Unit& unit, Range argument) const {
  Range bare = stripped(unit.code(), argument);
  const Code& code = unit.code();
  const bool of_range = bare.end == bare.begin + 5 && code.is(bare.begin + 1, ".") && code.is(bare.begin + 3, "(");  // `v.begin()`
  if (of_range) bare.end = bare.begin + 1;
  if (bare.end != bare.begin + 1 || !code[bare.begin].is_name()) return std::nullopt;
  const Variable* const found = variable_in_sight(unit, code[bare.begin].text, bare.begin, true);
  if (found == nullptr || found->storage == Storage::parameter) return std::nullopt;
  return found->storage;
}

std::optional<Range> Evidence::initial_value(const Unit& unit, Range argument) const {
  const Code& code = unit.code();
  const Range bare = stripped(code, argument);
  if (bare.end != bare.begin + 1) return std::nullopt;
  const std::uint32_t function = unit.function_at(bare.begin);
  for (const InitialValue& value : unit.initial_values()) {
    if (value.name == code[bare.begin].text && value.function == function && value.token < bare.begin && !value.value.empty())
      return value.value;
  }
  return std::nullopt;
}

std::optional<bool> Evidence::is_stream(const Unit& unit, Range argument) const {
  const Code& code = unit.code();
  const Range bare = stripped(code, argument);
  if (bare.end != bare.begin + 1 || !code[bare.begin].is_name()) return std::nullopt;
  const std::string_view name = code[bare.begin].text;
  const std::uint32_t function = unit.function_at(bare.begin);
  for (const InitialValue& value : unit.initial_values()) {
    if (value.name == name && (value.function == function || value.function == no_index))
      return value.type == "cudaStream_t" || value.type == "CUstream";
  }
  if (function != no_index) {
    for (const Parameter& parameter : unit.functions()[function].parameters) {
      if (parameter.name == name) return parameter.is_stream;
    }
  }
  if (const Variable* const found = variable_in_sight(unit, name, bare.begin, true); found != nullptr && found->storage != Storage::object)
    return false;
  return std::nullopt;
}

bool Evidence::is_pageable(const Unit& unit, Range argument) const {
  const Pointee memory = pointee(unit.code(), argument);
  if (memory.kind == Pointee::Kind::literal) return true;
  if (memory.kind == Pointee::Kind::unknown || pinned_.contains(memory.name)) return false;
  if (memory.kind == Pointee::Kind::address && memory.is_member) return false;
  const Variable* const found = variable_in_sight(unit, memory.name, argument.begin, !memory.is_member);
  if (found == nullptr) return false;
  return found->storage == Storage::container || (found->storage == Storage::object && memory.kind == Pointee::Kind::address);
}

bool Evidence::lacks_stream(const Unit& unit, Range handle, std::string_view setter) const {
  const auto given = setters_.find(setter);
  if (given == setters_.end()) return true;
  const std::string_view name = variable(unit.code(), handle);
  if (name.empty() || given->second.contains(name)) return false;
  // A handle that comes from the caller may have got its stream under another name.
  const std::uint32_t function = unit.function_at(handle.begin);
  if (function == no_index) return true;
  return std::ranges::none_of(unit.functions()[function].parameters, [&](const Parameter& p) { return p.name == name; });
}

bool Evidence::configures_no_stream(const Unit& unit, Range argument) const {
  const Code& code = unit.code();
  Range bare = stripped(code, argument);
  if (code.is(bare.begin, "&")) ++bare.begin;
  if (bare.end != bare.begin + 1) return false;
  const std::string_view name = code[bare.begin].text;
  const std::uint32_t function = unit.function_at(bare.begin);
  if (function == no_index) return false;
  const InitialValue* declared = nullptr;
  for (const InitialValue& value : unit.initial_values()) {
    const bool config = value.type == "cudaLaunchConfig_t" || value.type == "CUlaunchConfig";
    if (config && value.name == name && value.function == function && value.token < bare.begin) declared = &value;
  }
  if (declared == nullptr || declared->value.empty()) return false;  // without a value its stream is anything
  if (mentions(code, declared->value, "stream") || mentions(code, declared->value, "hStream")) return false;
  constexpr std::size_t before_stream = 3;
  const Range value = code.is(declared->value.begin, "{") ? Range{declared->value.begin + 1, declared->value.end - 1} : declared->value;
  if (code.split(value).size() > before_stream) return false;
  for (std::uint32_t k = declared->token + 1; k < unit.functions()[function].body.end; ++k) {
    if (!code.is(k, name) || k == bare.begin) continue;
    if (!code.is(k + 1, ".")) return false;
    if (!code.is(k + 2, "stream") && !code.is(k + 2, "hStream")) continue;
    std::uint32_t end = k + 4;
    while (end < code.size() && !code.is(end, ";")) end = code.match(end) + 1;
    if (!code.is(k + 3, "=") || !is_null_stream(unit, {k + 4, end})) return false;
  }
  return true;
}

}  // namespace rta::lint
