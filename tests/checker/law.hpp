// What the laws of certificates share.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "certified.hpp"
#include "rta/analysis/option_table.hpp"
#include "support/random_system.hpp"

namespace rta::test {

struct Verified {
  std::uint64_t certificates = 0;
  std::uint64_t bounds = 0;
  std::map<std::string, std::uint64_t> by_theorem;
  std::string broken;  // the first system with a bound that is not verified

  [[nodiscard]] std::string text() const {
    std::string text = fmt::format("{} certificates, {} bounds", certificates, bounds);
    for (const auto& [theorem, count] : by_theorem) text += fmt::format(", {} {}", theorem, count);
    return text;
  }
};

/// Options as on the command line: what the system is analysed with.
inline const std::vector<analysis::GivenOptions>& analyses() {
  static const std::vector<analysis::GivenOptions> all{{{"release", "offsets"}},
                                                       {{"release", "completion"}},
                                                       {{"release", "segments"}},
                                                       {{"release", "early"}},
                                                       {{"release", "offsets"}, {"refine", "none"}, {"gpu-bound", "T5"}},
                                                       {{"release", "offsets"}, {"refine", "demand"}, {"gpu-bound", "T6a"}},
                                                       {{"release", "offsets"}, {"refine", "carry"}},
                                                       {{"release", "offsets"}, {"cpu-bound", "T3"}},
                                                       {{"release", "offsets"}, {"cpu-bound", "T4"}},
                                                       {{"release", "completion"}, {"priorities", "node"}}};
  return all;
}

inline bool has_preemptive_priorities(const TaskSet& set) {
  for (const Pool& pool : set.pools()) {
    const auto* cpu = std::get_if<CpuPool>(&pool.resource);
    if (cpu != nullptr && cpu->preemptive && has_priority_points(*cpu)) return true;
  }
  return false;
}

inline void verify(const TaskSet& set, const analysis::GivenOptions& given, const std::string& name, Verified& verified) {
  const Certified made = certified(set, analysis::options_of(given));
  ++verified.certificates;
  for (const analysis::DagProof& dag : made.proof.dags) {
    for (const analysis::NodeProof& node : dag.nodes) {
      if (!node.bound) continue;
      ++verified.bounds;
      ++verified.by_theorem[std::string(to_string(node.bound->basis.theorem))];
    }
  }
  std::string why = first_refused(made.file, made.certificate.text);
  for (const std::string& bound : made.certificate.uncertified) {
    if (!bound.ends_with("(T10a)") && !bound.ends_with("(T10v)") && !bound.ends_with("(T10c)") && !bound.ends_with("(T11)"))
      why += "uncertified: " + bound;
  }
  if (why.empty() || !verified.broken.empty()) return;
  verified.broken = fmt::format("{}: {}\n{}\n{}", name, why, made.file, made.certificate.text);
}

/// One system, by three of the analyses.
inline void verify(std::uint64_t seed, Verified& verified) {
  const TaskSet set = random_system(seed, {.non_preemptive = seed % 2 == 0});
  if (!is_writable(set)) return;
  for (std::uint64_t i = 0; i < 3; ++i) {
    const auto& given = analyses()[(seed + i * 7) % analyses().size()];
    if (given.back().second == "node" && !has_preemptive_priorities(set)) continue;
    std::string name = fmt::format("seed {}", seed);
    for (const auto& [option, value] : given) name += fmt::format(" --{} {}", option, value);
    verify(set, given, name, verified);
  }
}

}  // namespace rta::test
