// What `rta analyze` says of task sets of all kinds, as one line of digests each: so that two programs, or a program before and after a
// change, can be compared byte for byte.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "checker/law.hpp"
#include "rta/analysis/why.hpp"
#include "rta/generate/generator.hpp"
#include "rta/io/digest.hpp"
#include "rta/report/analysis_report.hpp"
#include "rta/report/format.hpp"
#include "support/dag_acceptance.hpp"

namespace rta::test::golden {

/// A task set and how it is analysed. The name says both, the same in every program.
struct Case {
  std::string name;
  std::string file;
  analysis::GivenOptions given;
};

/// Everything that is printed of one case.
struct Printed {
  std::string json;         // bounds, theorems, reasons
  std::string text;         // formulas of all nodes with their numbers, and all bounds taken apart
  std::string certificate;  // with what it does not carry

  bool operator==(const Printed&) const = default;
};

inline Printed printed(const Case& of) {
  Printed out;
  try {
    auto set = std::make_shared<const TaskSet>(io::parse_task_set(of.file, "set.yaml").task_set);
    analysis::Analysis analysis = analysis::analyze(set, analysis::options_of(of.given));
    const analysis::Proof& proof = analysis.proof;
    for (DagId d = 0; d < proof.dags.size(); ++d) {
      const Dag& dag = proof.task_set->dags()[d];
      analysis.explanations.push_back(analysis::explain(proof, dag.name()));
      for (const Node& node : dag.nodes()) analysis.explanations.push_back(analysis::explain(proof, dag.name() + "/" + node.name));
      if (proof.dags[d].bound) analysis.whys.push_back(analysis::why(proof, d));
    }
    const certificate::Certificate certificate = certificate::certificate_of(proof, *set, io::sha256(of.file));
    out.certificate = certificate.text;
    for (const std::string& bound : certificate.uncertified) out.certificate += "uncertified: " + bound + "\n";
    const report::AnalysisReport report{
        analysis, {.verbose = true, .colour = false}, report::Certification{"file", certificate.uncertified}};
    const auto in = [&](const char* format) {
      std::ostringstream stream;
      report::printer_of<report::AnalysisReport> (*report::format_named(format))(report, stream);
      return std::move(stream).str();
    };
    out.json = in("json");
    out.text = in("text");
  } catch (const UserError& error) {  // options that do not fit the set
    out.json = out.text = out.certificate = error.what();
  }
  return out;
}

inline bool is_named(const Printed& out, const std::string& theorem) {
  return out.json.find(fmt::format("\"theorem\": \"{}\"", theorem)) != std::string::npos;
}

inline std::string line_of(const Case& of) {
  const Printed out = printed(of);
  return fmt::format("{}\t{}\t{}\t{}", of.name, io::sha256(out.json), io::sha256(out.text), io::sha256(out.certificate));
}

inline std::string name_of(const analysis::GivenOptions& given) {
  std::string name;
  for (const auto& [option, value] : given) name += fmt::format(" --{} {}", option, value);
  return name;
}

/// DAGs on one CPU pool and sometimes an Orin-like GPU, so many that what precedes their nodes is counted for all at once in some.
inline TaskSet drawn_set(std::uint64_t seed) {
  Dice dice(seed);
  const bool many = dice.one_in(4);
  const auto kind = static_cast<DagKind>(dice.between(0, 2));
  generate::Recipe recipe = recipe_of({.m = static_cast<std::uint32_t>(dice.between(2, 8)),
                                       .percent = 5 * dice.between(6, 15),
                                       .kind = kind,
                                       .dags = static_cast<std::uint32_t>(many ? dice.between(33, 50) : dice.between(2, 8)),
                                       .nodes = static_cast<std::uint32_t>(many ? dice.between(1, 4) : dice.between(3, 12))});
  if (many) recipe.shapes = generate::Choice<generate::Shape>({{generate::Chain{}, 1}});
  auto& cpu = std::get<CpuPool>(recipe.pools[0].resource);
  cpu.scheduler = dice.pick(std::vector{Scheduler::g_edf, Scheduler::g_fl, Scheduler::fifo, Scheduler::fp});
  if (cpu.scheduler == Scheduler::fp) cpu.equals = dice.one_in(2) ? Equals::fifo : Equals::any;
  cpu.preemptive = cpu.scheduler == Scheduler::fifo || !dice.one_in(3);
  recipe.deadline = generate::Fraction{dice.between(1, 4), 1};
  if (dice.one_in(2)) recipe.jitter = generate::Fraction{dice.between(1, 12), 20};
  generate::Generator generator(recipe);
  generate::RandomSet drawn;
  generator.draw({.seed = seed, .point = 0, .index = 0}, drawn);
  return to_task_set(recipe, drawn, "drawn");
}

/// The same, and some edges are cuts.
inline TaskSet with_cuts(const TaskSet& set, std::uint64_t seed) {
  Dice dice(seed);
  std::vector<Dag> dags;
  for (const Dag& dag : set.dags()) {
    std::vector<Edge> edges(dag.edges().begin(), dag.edges().end());
    for (Edge& edge : edges) edge.cut = dice.one_in(3);
    dags.emplace_back(dag.name(), dag.period(), dag.deadline(), std::vector<Node>(dag.nodes().begin(), dag.nodes().end()), std::move(edges),
                      dag.attributes());
  }
  return {set.name(), std::vector<Pool>(set.pools().begin(), set.pools().end()), std::move(dags),
          std::vector<Chain>(set.chains().begin(), set.chains().end())};
}

inline TaskSet system_of_seed(std::uint64_t seed) {
  switch (seed % 8) {
    case 0:
    case 1: return random_set(seed / 8 * 2 + seed % 2);
    case 2: return in_microseconds(random_set(seed / 8), seed);
    case 3: return seed / 8 % 2 == 0 ? wide_set(seed) : with_late_releases(wide_set(seed), seed);
    case 4: return random_system(seed, {.non_preemptive = true, .fixed = true});
    case 5: return with_cuts(random_set(seed / 8), seed);
    default: return drawn_set(seed);
  }
}

/// Options as on the command line. Their number has no factor 2: so each meets all kinds of sets.
inline const std::vector<analysis::GivenOptions>& all_options() {
  static const std::vector<analysis::GivenOptions> all{{},
                                                       {{"release", "completion"}},
                                                       {{"release", "completion"}, {"path-bound", "T10n"}},
                                                       {{"release", "completion"}, {"path-bound", "T10v"}},
                                                       {{"release", "completion"}, {"path-bound", "T10g"}},
                                                       {{"release", "completion"}, {"fitting", "true"}},
                                                       {{"release", "completion"}, {"enough", "deadlines"}},
                                                       {{"release", "completion"}, {"priorities", "best"}},
                                                       {{"release", "completion"}, {"most-periods", "4"}},
                                                       {{"release", "completion"}, {"non-preemptive", "true"}},
                                                       {{"release", "completion"}, {"scheduler", "FP"}},
                                                       {{"release", "completion"}, {"scheduler", "FIFO"}, {"fitting", "true"}},
                                                       {{"release", "completion"}, {"scheduler", "G-FL"}},
                                                       {{"release", "segments"}},
                                                       {{"release", "segments"}, {"fitting", "true"}},
                                                       {{"release", "offsets"}},
                                                       {{"release", "early"}}};
  return all;
}

/// Whether they search, for which many DAGs take seconds.
inline bool searches(const analysis::GivenOptions& given) {
  return given.empty() || given.front().second == "segments" || given.back().first == "priorities";
}

/// Those of the seeds in [from, to), each with three of the options.
inline std::vector<Case> random_cases(std::uint64_t from, std::uint64_t to) {
  std::vector<Case> cases;
  for (std::uint64_t seed = from; seed < to; ++seed) {
    const TaskSet set = system_of_seed(seed);
    if (!is_writable(set)) continue;
    const std::string file = io::format_task_set(set);
    for (std::uint64_t i = 0; i < 3; ++i) {
      const auto& given = all_options()[(seed + 6 * i) % all_options().size()];
      if (set.dags().size() > 32 && searches(given)) continue;
      cases.push_back({fmt::format("seed {}{}", seed, name_of(given)), file, given});
    }
  }
  return cases;
}

/// The task sets of the repository.
inline std::vector<Case> kept_cases() {
  std::vector<Case> cases;
  std::vector<std::filesystem::path> files;
  for (const char* folder : {"tasksets/examples", "tasksets/literature"}) {
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(RTA_SOURCE_DIR) / folder)) {
      if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  for (const auto& path : files) {
    std::ostringstream stream;
    stream << std::ifstream(path).rdbuf();
    const std::string text = std::move(stream).str();
    for (const analysis::GivenOptions& given : {analysis::GivenOptions{}, {{"release", "completion"}}, {{"release", "segments"}}}) {
      cases.push_back({path.filename().string() + name_of(given), text, given});
    }
  }
  return cases;
}

/// What differs between the lines of two programs, one sentence for each case; the cases that one of them has alone do not count.
inline std::vector<std::string> differences(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  const auto parts_of = [](const std::string& line) {
    std::vector<std::string> parts;
    std::istringstream in(line);
    for (std::string part; std::getline(in, part, '\t');) parts.push_back(part);
    return parts;
  };
  std::map<std::string, std::vector<std::string>> known;
  for (const std::string& line : before) {
    auto parts = parts_of(line);
    if (parts.size() == 4) known[parts[0]] = parts;
  }
  std::vector<std::string> all;
  for (const std::string& line : after) {
    const auto parts = parts_of(line);
    const auto was = known.find(parts.at(0));
    if (was == known.end()) continue;
    std::string what;
    for (const auto& [i, part] : {std::pair<std::size_t, const char*>{1, " json"}, {2, " text"}, {3, " certificate"}}) {
      if (parts.at(i) != was->second.at(i)) what += part;
    }
    if (!what.empty()) all.push_back(parts[0] + ":" + what);
  }
  return all;
}

inline std::vector<std::string> lines_of_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline std::vector<std::string> lines_of(const std::vector<Case>& cases) {
  std::vector<std::string> lines;
  lines.reserve(cases.size());
  for (const Case& one : cases) lines.push_back(line_of(one));
  return lines;
}

/// The value of an environment variable; empty: it is not set.
inline std::string asked(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace rta::test::golden
