// What algorithms of Thrust and CUB, and functions of NPP, break.
#include <fmt/format.h>

#include "expressions.hpp"
#include "judge.hpp"
#include "template_libraries.hpp"

namespace rta::lint {
namespace {

Hit hit_of(RuleId id, std::string message) {
  const lint::Rule& broken = rule(id);
  return {broken.id, broken.level, std::move(message), false};
}

constexpr std::string_view npp_setter = "nppSetStream";

Hit launch_by(std::string_view name) { return hit_of(RuleId::launch, fmt::format("{} launches kernels or copies", name)); }

/// A function of NPP that runs something, on the stream of nppSetStream, or, `_Ctx`, on one that it is given.
bool runs_by_npp(std::string_view name) {
  if (!name.starts_with("nppi") && !name.starts_with("npps")) return false;
  if (name.size() < 5 || name[4] < 'A' || name[4] > 'Z') return false;
  // Memory, sizes, tables and what runs on the CPU.
  for (const std::string_view idle : {"Malloc", "Free", "Get", "Init", "Host"}) {
    if (name.find(idle) != std::string_view::npos) return false;
  }
  return true;
}

bool speaks_of_streams(const Code& code, Range range) {
  for (std::uint32_t k = range.begin; k < range.end; ++k) {
    if (code[k].text.find("tream") != std::string_view::npos) return true;
  }
  return false;
}

/// A lambda, or an object that is made here: `Op{}`, `cub::Max()`.
bool makes_functor(const Code& code, Range range) {
  if (code.is(range.begin, "[")) return true;
  if (range.end < range.begin + 3 || speaks_of_streams(code, range)) return false;
  if (code.is(range.end - 1, "}")) return true;
  if (!code.is(range.end - 1, ")") || !code.is(range.end - 2, "(")) return false;
  for (std::uint32_t k = range.begin; k < range.end; ++k) {
    if (code.is(k, ".") || code.is(k, "->")) return false;  // `s.get()`
  }
  std::uint32_t name = range.end - 3;
  if (code.is(name, ">")) {
    for (name = range.begin; name < range.end && !code.is(name + 1, "<");) ++name;
  }
  const bool of_library = code.is(range.begin, "cub") || code.is(range.begin, "thrust") || code.is(range.begin, "cuda");
  const std::string_view text = code[name].text;
  return of_library || (!text.empty() && text.front() >= 'A' && text.front() <= 'Z');
}

/// A variable that is declared before with a type that is no stream's: `Op op;`.
bool is_functor(const Unit& unit, std::uint32_t token) {
  const Code& code = unit.code();
  const std::uint32_t function = unit.function_at(token);
  for (const Variable& variable : unit.variables()) {
    if (variable.name != code[token].text || variable.function != function || variable.storage != Storage::object) continue;
    if (variable.token == 0 || variable.token >= token) continue;
    const Token& type = code[variable.token - 1];
    return type.is_name() && !type.is("auto") && type.text.find("tream") == std::string_view::npos;
  }
  return false;
}

/// `void* p = nullptr;` before, and neither `&p` nor another value since: the first argument is no memory yet.
bool is_still_null(const Code& code, const Call& call) {
  const std::string_view name = variable(code, call.arguments[0]);
  if (name.empty()) return false;
  constexpr std::uint32_t farthest = 2'000;
  for (std::uint32_t k = call.begin; k > 0 && call.begin - k < farthest; --k) {
    if (!code.is(k - 1, name)) continue;
    if (code.is(k, "=")) return lint::is_null_stream(code, {k + 1, k + 2}) && code.is(k + 2, ";");
    if (k > 1 && code.is(k - 2, "&")) return false;
  }
  return false;
}

/// The word of the type of a function's parameter; empty where the range is none.
std::string_view type_of_parameter(const Unit& unit, Range argument) {
  const Code& code = unit.code();
  const Range bare = stripped(code, argument);
  const std::uint32_t f = bare.end == bare.begin + 1 ? unit.function_at(bare.begin) : no_index;
  if (f == no_index) return {};
  const Range head = unit.functions()[f].head;
  for (std::uint32_t k = head.begin + 1; k < head.end; ++k) {
    if (!code.is(k, code[bare.begin].text) || (!code.is(k + 1, ",") && !code.is(k + 1, ")"))) continue;
    std::uint32_t type = k - 1;
    while (type > head.begin && (code.is(type, "&") || code.is(type, "&&") || code.is(type, "const"))) --type;
    return code[type].text;
  }
  return {};
}

/// The first argument is a parameter whose type is a parameter of a template, and the second one is of another type: no two iterators.
bool is_template_policy(const Unit& unit, const Call& call) {
  if (call.arguments.size() < 2) return false;
  const std::string_view type = type_of_parameter(unit, call.arguments[0]);
  if (type.empty() || type == type_of_parameter(unit, call.arguments[1])) return false;
  const Code& code = unit.code();
  const Range head = unit.functions()[unit.function_at(call.token)].head;
  for (std::uint32_t k = head.begin; k < head.end; ++k) {
    if ((code.is(k, "typename") || code.is(k, "class")) && code.is(k + 1, type)) return true;
  }
  return false;
}

}  // namespace

std::vector<Hit> Judge::hits_of_template(const Unit& unit, const Code& code, const Call& call, const AstCall* clang) const {
  if (call.arguments.empty()) return {};
  return template_library_of(unit.library_names(), code, call) == TemplateLibrary::thrust ? hits_of_thrust(unit, code, call)
                                                                                          : hits_of_cub(unit, code, call, clang);
}

std::vector<Hit> Judge::hits_of_thrust(const Unit& unit, const Code& code, const Call& call) const {
  const Algorithm* const algorithm = algorithm_named(call.name);
  if (algorithm == nullptr) return {};
  const bool in_unit = &code == &unit.code();
  Policy policy = policy_of(code, call.arguments[0]);
  if ((policy.kind == Policy::Kind::none || policy.kind == Policy::Kind::unknown) && in_unit) {
    if (const auto value = evidence_.initial_value(unit, call.arguments[0])) policy = policy_of(code, *value);
  }
  if (policy.kind == Policy::Kind::none && in_unit && is_template_policy(unit, call)) policy.kind = Policy::Kind::unknown;
  if (policy.kind == Policy::Kind::host) return {};
  if (policy.kind == Policy::Kind::none && in_unit) {
    bool on_host = false;
    bool elsewhere = false;
    for (const Range& argument : call.arguments) {
      const auto storage = evidence_.storage(unit, argument);
      on_host = on_host || storage == Storage::container;
      elsewhere = elsewhere || (!storage && mentions(code, argument, "begin")) || storage == Storage::device;
    }
    if (on_host && !elsewhere) return {};
  }

  std::vector<Hit> hits;
  const bool null_given = !policy.stream.empty() && is_null_stream(unit, code, policy.stream);
  const bool waits = (policy.waits && policy.kind != Policy::Kind::unknown) || algorithm->returns;
  const std::string name = fmt::format("thrust::{}", call.name);
  if (policy.kind != Policy::Kind::unknown && (policy.stream.empty() || null_given)) {
    if (evidence_.default_is_null() && !acquits_null_stream()) {
      const std::string_view as = null_given ? "is given" : "names no stream and so runs on";
      hits.push_back(hit_of(RuleId::null_stream, fmt::format("{} {} the NULL stream{}: it and all blocking streams wait for each other",
                                                             name, as, waits ? ", and waits for it" : "")));
    }
  } else if (waits && !evidence_.streams_sleep()) {
    hits.push_back(hit_of(RuleId::active_wait, fmt::format("{} waits for its stream{}: it spins on a processor until the GPU is done", name,
                                                           algorithm->returns ? ", for what it returns" : "")));
  }
  if (algorithm->allocates && !policy.has_allocator) {
    Hit hit =
        hit_of(RuleId::allocation, name + " allocates temporary memory by cudaMalloc and frees it, unless its policy has an allocator");
    hit.level = Level::warning;
    hits.push_back(std::move(hit));
  }
  hits.push_back(launch_by(name));
  return hits;
}

std::vector<Hit> Judge::hits_of_cub(const Unit& unit, const Code& code, const Call& call, const AstCall* clang) const {
  // Without memory it only says how much it needs.
  if (lint::is_null_stream(code, call.arguments[0]) || is_still_null(code, call)) return {};
  const auto& devices = unit.library_names().devices;
  const std::string_view given = code[call.token - 2].text;
  const auto known = devices.find(given);
  const std::string name = fmt::format("cub::{}::{}", known == devices.end() ? given : known->second, call.name);
  if (!evidence_.default_is_null() || acquits_null_stream()) return {launch_by(name)};
  bool missing = false;
  if (clang != nullptr && clang->stream >= 0) {
    missing = clang->stream_argument != AstArgument::other;
  } else {
    Range last = call.arguments.back();
    if ((code.is(last.begin, "true") || code.is(last.begin, "false")) && call.arguments.size() > 1)
      last = call.arguments[call.arguments.size() - 2];
    const Range bare = stripped(code, last);
    const bool lone = bare.end == bare.begin + 1;
    const bool number = lone && !code[bare.begin].is_name();
    missing = number || lint::is_null_stream(code, last) || makes_functor(code, bare) ||
              (lone && &code == &unit.code() && is_functor(unit, bare.begin));
    if (lone && &code == &unit.code()) missing = missing || evidence_.is_stream(unit, last) == false || is_null_stream(unit, code, last);
  }
  if (!missing) return {launch_by(name)};
  return {hit_of(RuleId::null_stream,
                 fmt::format("{} names no stream and so runs on the NULL stream: it and all blocking streams wait for each other", name)),
          launch_by(name)};
}

std::vector<Hit> Judge::hits_of_npp(const Call& call) const {
  if (call.kind != Call::Kind::call || call.is_member || !runs_by_npp(call.name)) return {};
  std::vector<Hit> hits{launch_by(call.name)};
  if (!evidence_.default_is_null() || evidence_.is_set(npp_setter) || call.name.ends_with("_Ctx")) return hits;
  const lint::Rule& broken = rule(RuleId::library_stream);
  hits.push_back(hit_of(
      RuleId::library_stream,
      fmt::format("{} {}: nobody gives NPP a stream by {}; functions that end in _Ctx name theirs", call.name, broken.says, npp_setter)));
  return hits;
}

Hit Judge::library_launch(std::string_view name) { return launch_by(name); }

std::vector<Hit> Judge::growth(std::string_view vector, std::string_view call) const {
  Hit allocates = hit_of(RuleId::allocation, fmt::format("{} of {} may allocate device memory and free what it had", call, vector));
  allocates.level = Level::warning;
  std::vector<Hit> hits{std::move(allocates)};
  if (call == "reserve" || call == "shrink_to_fit") return hits;
  if (evidence_.default_is_null() && !acquits_null_stream()) {
    hits.push_back(hit_of(RuleId::null_stream,
                          fmt::format("{} of {} fills or copies on the NULL stream, and waits for it: it and all blocking streams wait for "
                                      "each other",
                                      call, vector)));
  }
  return hits;
}

Hit Judge::copy_to_host(std::string_view vector) {
  return hit_of(RuleId::sync_copy,
                fmt::format("{} is copied to the memory of the CPU on the NULL stream, and the copy waited for", vector));
}

Hit Judge::element_copy(std::string_view vector) {
  return hit_of(
      RuleId::sync_copy,
      fmt::format("an element of {} is read or written by the CPU: it is copied on the NULL stream, and the copy waited for", vector));
}

}  // namespace rta::lint
