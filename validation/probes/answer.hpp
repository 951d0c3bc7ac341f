// What a probe has found, as a line of JSON.
#pragma once

#include <algorithm>
#include <cstdint>
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
  unsigned wanted = 0;
  std::string reason;
  std::vector<std::pair<std::string, std::string>> figures;  // name -> JSON

  void count(Outcome outcome) {
    if (outcome == Outcome::no_scene) return;
    ++runs;
    if (outcome == Outcome::agrees) ++agreeing;
  }
  /// Yes where as many runs as were wanted all agreed.
  void decide() {
    text = agreeing < runs ? (agreeing == 0 ? "no" : "sometimes") : runs == 0 || runs < wanted ? "not possible here" : "yes";
    if ((runs == 0 || (agreeing == runs && runs < wanted)) && reason.empty())
      reason = "the scene came about in " + std::to_string(runs) + " of " + std::to_string(wanted) + " runs";
  }
  /// By how much the least clear run was as it was; ns.
  void margin(const std::vector<std::int64_t>& margins) {
    if (!margins.empty()) figure("least_margin_ns", *std::min_element(margins.begin(), margins.end()));
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
  answer.wanted += runs;
  for (unsigned i = 0; i < 3 * runs && answer.runs < before + runs; ++i) answer.count(scene(i));
}

template <class Numbers>
std::string json_list(const Numbers& numbers) {
  std::string list;
  for (const auto number : numbers) list += (list.empty() ? "" : ", ") + std::to_string(number);
  return "[" + list + "]";
}

}  // namespace probes
