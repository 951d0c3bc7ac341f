// What a probe has found, as a line of JSON.
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "common/trace_file.hpp"

namespace probes {

/// So many agreeing runs confirm a rule, as those of `rta examine`.
constexpr unsigned runs_of_a_rule = 33;

/// The scene of a probe cannot be set up here, for this reason.
struct NotPossible {
  std::string reason;
};

/// Of one run.
enum class Outcome { agrees, contradicts, no_scene };

struct Answer {
  std::string text;  // yes, no, sometimes, not possible here
  unsigned agreeing = 0;
  unsigned runs = 0;  // in which the scene came about
  std::string reason;
  std::vector<std::pair<std::string, std::string>> figures;  // name -> JSON

  void count(Outcome outcome) {
    if (outcome == Outcome::no_scene) return;
    ++runs;
    if (outcome == Outcome::agrees) ++agreeing;
  }
  /// Yes where all runs agreed.
  void decide() {
    text = runs == 0 ? "not possible here" : agreeing == runs ? "yes" : agreeing == 0 ? "no" : "sometimes";
    if (runs == 0 && reason.empty()) reason = "the scene did not come about";
  }
  void figure(const std::string& name, const std::string& json) { figures.emplace_back(name, json); }
  void figure(const std::string& name, std::int64_t value) { figures.emplace_back(name, std::to_string(value)); }

  [[nodiscard]] std::string json(const std::string& probe, const std::string& question) const {
    using common::json_string;
    std::string line = "{\"probe\": " + json_string(probe) + ", \"question\": " + json_string(question) +
                       ", \"answer\": " + json_string(text) + ", \"agreeing\": " + std::to_string(agreeing) +
                       ", \"runs\": " + std::to_string(runs) + ", \"reason\": " + json_string(reason) + ", \"figures\": {";
    for (std::size_t f = 0; f < figures.size(); ++f)
      line += (f == 0 ? "" : ", ") + json_string(figures[f].first) + ": " + figures[f].second;
    return line + "}}";
  }
};

/// Plays a scene until it has come about `runs` times, at most three times as often.
template <class Play>
void play(unsigned runs, Answer& answer, Play scene) {
  const unsigned before = answer.runs;
  for (unsigned i = 0; i < 3 * runs && answer.runs < before + runs; ++i) answer.count(scene(i));
}

template <class Numbers>
std::string json_list(const Numbers& numbers) {
  std::string list;
  for (const auto number : numbers) list += (list.empty() ? "" : ", ") + std::to_string(number);
  return "[" + list + "]";
}

}  // namespace probes
