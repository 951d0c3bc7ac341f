#include "judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "call_table.hpp"
#include "expressions.hpp"
#include "libraries.hpp"

namespace rta::lint {
namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}

/// What the call does to others, as the end of a sentence; empty: nothing that is known.
std::string words_of(const Effects& effects) {
  std::vector<std::string> parts;
  if (effects.blocks_others == Answer::yes) parts.emplace_back("holds up other threads in the driver");
  if (effects.synchronises == Answer::yes) parts.emplace_back("keeps kernels of other streams from starting");
  if (effects.caller_waits == Answer::yes) parts.emplace_back("makes its caller wait");
  if (parts.empty() && effects.blocks_others == Answer::unclear) parts.emplace_back("may hold up other threads in the driver");
  return joined(parts);
}

/// The profile's answers for any of the names, the worst of them; nothing where it has none.
std::optional<Effects> measured(const DeviceProfile* profile, std::string_view names) {
  if (profile == nullptr) return std::nullopt;
  std::optional<Effects> worst;
  const auto join = [](Answer& into, Answer one) {
    if (one == Answer::yes || (one == Answer::unclear && into == Answer::no)) into = one;
  };
  while (!names.empty()) {
    const std::size_t bar = std::min(names.find('|'), names.size());
    if (const MeasuredCall* call = profile->find_call(names.substr(0, bar)); call != nullptr) {
      if (!worst) worst = Effects{Answer::no, Answer::no, Answer::no};
      join(worst->blocks_others, call->blocks_others);
      join(worst->synchronises, call->synchronises);
      join(worst->caller_waits, call->caller_waits);
    }
    names.remove_prefix(std::min(bar + 1, names.size()));
  }
  return worst;
}

bool refutes(const DeviceProfile& profile, rta::Rule rule) {
  const RuleVerdict* const verdict = profile.find(rule);
  return verdict != nullptr && verdict->state == RuleState::refuted;
}

/// Whether what was measured leaves nothing of the rule.
bool acquits(const DeviceProfile* profile, RuleId rule, const std::optional<Effects>& seen) {
  if (profile == nullptr) return false;
  const bool of_null_stream = rule == RuleId::null_stream || rule == RuleId::async_without_stream || rule == RuleId::blocking_stream;
  if (of_null_stream && refutes(*profile, rta::Rule::N1) && refutes(*profile, rta::Rule::N2)) return true;
  if (!seen) return false;
  if (of_null_stream) return seen->synchronises == Answer::no && seen->blocks_others == Answer::no;
  if (rule == RuleId::active_wait) return seen->caller_waits == Answer::no;
  return !seen->any(Answer::yes) && !seen->any(Answer::unclear);
}

/// `f(a, __VA_ARGS__)`.
bool mentions_variadic(const Call& call, const Code& code) {
  return std::ranges::any_of(call.arguments, [&](Range r) { return mentions(code, r, "__VA_ARGS__"); });
}

bool limits_client(const Code& code, Range text) {
  for (std::uint32_t k = text.begin; k < text.end; ++k) {
    const std::string_view token = code[k].text;
    if (token.find("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE") != std::string_view::npos) return true;
  }
  return false;
}

std::string_view direction_of(const Code& code, const Call& call) {
  for (const Range& argument : call.arguments) {
    for (std::uint32_t k = argument.begin; k < argument.end; ++k) {
      if (code.is(k, "cudaMemcpyHostToDevice")) return "H-D";
      if (code.is(k, "cudaMemcpyDeviceToHost")) return "D-H";
      if (code.is(k, "cudaMemcpyDeviceToDevice")) return "D-D";
    }
  }
  return "";
}

}  // namespace

enum class Judge::Stream : std::uint8_t { named, null, missing };

struct Judge::Question {
  std::string_view name;  // without suffixes of versions
  const Unit* unit = nullptr;
  const Code* code = nullptr;
  const Call* call = nullptr;      // null: only clang sees it
  const AstCall* clang = nullptr;  // null: clang was not asked

  [[nodiscard]] bool is_call() const { return call != nullptr && call->kind == Call::Kind::call; }
  [[nodiscard]] bool is_mention() const { return call != nullptr && call->kind == Call::Kind::mention; }
  /// The argument, where there are tokens and that many; else empty.
  [[nodiscard]] Range argument(std::int32_t index) const {
    if (call == nullptr || index < 0 || static_cast<std::size_t>(index) >= call->arguments.size()) return {};
    return call->arguments[static_cast<std::size_t>(index)];
  }
  /// Tokens of a macro's body are judged by what they say themselves: variables have no declaration there.
  [[nodiscard]] bool in_unit() const { return unit != nullptr && code == &unit->code(); }
};

Judge::Judge(const Evidence& evidence, const DeviceProfile* profile) : evidence_(evidence), profile_(profile) {}

bool Judge::is_null_stream(const Unit& unit, const Code& code, Range argument) const {
  return &code == &unit.code() ? evidence_.is_null_stream(unit, argument) : lint::is_null_stream(code, argument);
}

std::vector<Hit> Judge::hits_on_device(const Unit& unit, const Call& call) const {
  if (call.kind == Call::Kind::launch) {
    const lint::Rule& broken = rule(RuleId::device_launch);
    return {{broken.id, broken.level, fmt::format("{} {}", call.name, broken.says), true}};
  }
  std::vector<Hit> found = answer({plain_name(call.name), &unit, &unit.code(), &call, nullptr});
  std::erase_if(found, [](const Hit& hit) {
    return hit.rule != RuleId::device_launch && hit.rule != RuleId::dependent_launch && hit.rule != RuleId::conditional_graph;
  });
  return found;
}

Judge::Stream Judge::stream_of(const Question& question, const CallRow& row) const {
  const bool of_tokens = question.is_call();
  const Code* const code = question.code;
  // Where every thread has a default stream of its own, only this name means the NULL stream.
  if (!evidence_.default_is_null()) {
    const bool legacy = of_tokens && mentions(*code, question.argument(row.argument), "cudaStreamLegacy");
    return legacy ? Stream::null : Stream::named;
  }
  if (question.clang != nullptr && question.clang->stream >= 0) {
    if (question.clang->stream_argument == AstArgument::missing) return Stream::missing;
    if (question.clang->stream_argument == AstArgument::null) return Stream::null;
  }
  if (!of_tokens) return Stream::named;
  const auto count = static_cast<std::int32_t>(question.call->arguments.size());
  const std::int32_t index = row.last ? std::max<std::int32_t>(count - 1, row.argument) : row.argument;
  if (count <= index) {
    // What a macro's parameters and its `...` stand for is not known.
    const bool unpacked = std::ranges::any_of(question.call->arguments, [&](Range r) { return mentions(*code, r, "..."); });
    return unpacked || mentions_variadic(*question.call, *code) ? Stream::named : Stream::missing;
  }
  const Range given = question.argument(index);
  if (question.unit == nullptr) return Stream::named;  // of a record, which has no source
  return is_null_stream(*question.unit, *code, given) ? Stream::null : Stream::named;
}

bool Judge::holds(const Question& question, const CallRow& row) const {
  const Code* const code = question.code;
  const bool of_tokens = question.is_call();
  const Range given = question.argument(row.argument);
  switch (row.condition) {
    case Condition::mention:
    // A function that is handed on does elsewhere what it does here.
    case Condition::always: return true;
    case Condition::stream: return !question.is_mention() && stream_of(question, row) != Stream::named;
    case Condition::default_flags: return of_tokens && is_default_flag(*code, given);
    case Condition::carveout:
      return of_tokens && (mentions(*code, given, "cudaFuncAttributePreferredSharedMemoryCarveout") ||
                           mentions(*code, given, "CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT"));
    case Condition::pageable: return of_tokens && question.in_unit() && copies_pageable(question, row);
    case Condition::spinning_stream: return !question.is_mention() && !evidence_.streams_sleep();
    case Condition::spinning_event: return of_tokens && !evidence_.sleeps(variable(*code, given));
    case Condition::polling: return of_tokens && question.call->polls;
    case Condition::client_limit: return of_tokens && limits_client(*code, given);
    case Condition::launch_config:
      return of_tokens && question.in_unit() && evidence_.default_is_null() && evidence_.configures_no_stream(*question.unit, given);
  }
  return false;
}

bool Judge::copies_pageable(const Question& question, const CallRow& row) const {
  const std::string_view direction = row.argument >= 0 ? direction_of(*question.code, *question.call) : "";
  const auto pageable = [&](std::int8_t index, std::string_view other_way) {
    if (index < 0 || direction == other_way || direction == "D-D") return false;
    const Range given = question.argument(index);
    return !given.empty() && evidence_.is_pageable(*question.unit, given);
  };
  return pageable(row.source, "D-H") || pageable(row.target, "H-D");
}

std::optional<Hit> Judge::by_row(const Question& question, const CallRow& row) const {
  if (!holds(question, row)) return std::nullopt;
  RuleId id = row.rule;
  if (row.condition == Condition::stream && question.name.ends_with("Async") && stream_of(question, row) == Stream::missing)
    id = RuleId::async_without_stream;
  const std::optional<Effects> seen = measured(profile_, row.measured);
  if (acquits(profile_, id, seen)) {
    ++acquitted_;
    return std::nullopt;
  }
  const Effects effects = seen.value_or(row.effects);
  const lint::Rule& broken = rule(id);
  Hit hit{id, broken.level, {}, row.everywhere || broken.scope == Scope::all};
  // Where nobody knows for sure that it does harm.
  if ((id == RuleId::free || id == RuleId::allocation) && !effects.any(Answer::yes)) hit.level = Level::warning;
  const std::string_view says = row.says.empty() ? broken.says : row.says;
  hit.message = fmt::format("{} {}", question.name, says);
  const bool tells = id == RuleId::free || id == RuleId::allocation || id == RuleId::sync_memset || (seen && seen->any(Answer::yes));
  if (const std::string words = words_of(effects); tells && !words.empty() && row.condition != Condition::mention) {
    hit.message += fmt::format(": it {}", words);
    if (seen) hit.message += fmt::format(" (measured on {})", profile_->limits.product);
  }
  if (question.is_mention() && row.condition == Condition::always)
    hit.message += ", wherever the function is called that is handed on here";
  return hit;
}

std::vector<Hit> Judge::answer(const Question& question) const {
  std::vector<Hit> hits;
  const auto add = [&](Hit hit) {
    const bool known = std::ranges::any_of(hits, [&](const Hit& other) { return other.rule == hit.rule; });
    if (!known) hits.push_back(std::move(hit));
  };
  const bool member = question.call != nullptr && question.call->is_member;
  for (const CallRow* row : rows_for(question.name)) {
    if (row->is_member != member && row->condition != Condition::mention) continue;
    if (row->is_member && evidence_.declares(question.name)) continue;
    if (auto hit = by_row(question, *row)) add(*std::move(hit));
  }
  if (profile_ == nullptr || question.is_mention() || member) return hits;
  // What the table does not list, but was seen to hold others up.
  const std::string_view direction = question.call == nullptr ? "" : direction_of(*question.code, *question.call);
  const std::string name(question.name);
  const auto seen = measured(profile_, direction.empty() ? name : fmt::format("{}|{} {}", name, name, direction));
  const bool told = std::ranges::any_of(hits, [](const Hit& hit) { return hit.level == Level::error; });
  if (seen && !told && (seen->blocks_others == Answer::yes || seen->synchronises == Answer::yes)) {
    const lint::Rule& broken = rule(RuleId::measured_blocking);
    add({broken.id, broken.level, fmt::format("{} {} (measured on {})", name, words_of(*seen), profile_->limits.product), false});
  }
  return hits;
}

std::vector<Hit> Judge::hits(const Unit& unit, const Code& code, const Call& call, const AstCall* clang) const {
  if (call.kind == Call::Kind::construction) {
    // `thrust::device_vector<int> v(n);`
    Call named = call;
    named.kind = Call::Kind::mention;
    return answer({unit.is_device_vector(call.name) ? "device_vector" : plain_name(call.name), &unit, &code, &named, clang});
  }
  if (call.kind != Call::Kind::launch) {
    std::vector<Hit> found = answer({plain_name(call.name), &unit, &code, &call, clang});
    for (Hit& hit : hits_of_npp(call)) found.push_back(std::move(hit));
    if (call.kind != Call::Kind::call || call.is_member || call.arguments.empty()) return found;
    if (const Library* library = library_of(plain_name(call.name)); library != nullptr && &code == &unit.code()) {
      found.push_back(library_launch(plain_name(call.name)));
      if (evidence_.default_is_null() && evidence_.lacks_stream(unit, call.arguments[0], library->setter)) {
        const lint::Rule& broken = rule(RuleId::library_stream);
        found.push_back({broken.id, broken.level,
                         fmt::format("{} {}: nobody gives this handle a stream by {}", plain_name(call.name), broken.says, library->setter),
                         false});
      }
    }
    return found;
  }
  std::vector<Hit> hits;
  const lint::Rule& null = rule(RuleId::null_stream);
  const bool missing = call.arguments.size() < 4;
  const bool given_null = !missing && is_null_stream(unit, code, call.arguments[3]);
  const bool legacy = !missing && mentions(code, call.arguments[3], "cudaStreamLegacy");
  const std::optional<Effects> seen = measured(profile_, "kernel NULL stream");
  if ((missing || given_null) && (evidence_.default_is_null() || legacy)) {
    if (acquits(profile_, RuleId::null_stream, seen)) {
      ++acquitted_;
    } else {
      hits.push_back({null.id, null.level, fmt::format("the launch of {} {}", call.name, null.says), false});
    }
  }
  const lint::Rule& launch = rule(RuleId::launch);
  hits.push_back({launch.id, launch.level, fmt::format("a job launches {}", call.name), false});
  return hits;
}

std::vector<Hit> Judge::hits_of_record(std::string_view name) const {
  Call call;
  call.name = name;
  const Code nothing;
  std::vector<Hit> found = answer({name, nullptr, &nothing, &call, nullptr});
  // What the arguments decide, records decide.
  std::erase_if(found, [](const Hit& hit) {
    return hit.rule == RuleId::null_stream || hit.rule == RuleId::async_without_stream || hit.rule == RuleId::active_wait;
  });
  return found;
}

bool Judge::waits(std::string_view name) const {
  return std::ranges::any_of(rows_for(name), [&](const CallRow* row) {
    const bool waiting = row->condition == Condition::spinning_stream || row->condition == Condition::spinning_event;
    return waiting && !acquits(profile_, row->rule, measured(profile_, row->measured));
  });
}

bool Judge::asks(std::string_view name) const {
  return std::ranges::any_of(rows_for(name), [](const CallRow* row) { return row->condition == Condition::polling; });
}

bool Judge::acquits_null_stream() const {
  return acquits(profile_, RuleId::null_stream, measured(profile_, "cudaMemsetAsync NULL stream|kernel NULL stream"));
}
bool Judge::acquits_blocking_streams() const { return acquits(profile_, RuleId::blocking_stream, std::nullopt); }
bool Judge::acquits_pageable() const {
  return acquits(profile_, RuleId::pageable_copy, measured(profile_, "cudaMemcpyAsync H-D pageable|cudaMemcpyAsync D-H pageable"));
}

std::vector<Hit> Judge::hits(const AstCall& call) const { return answer({plain_name(call.name), nullptr, nullptr, nullptr, &call}); }

}  // namespace rta::lint
