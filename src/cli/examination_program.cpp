#include "examination_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "examination_results.hpp"
#include "rta/examine/limits_file.hpp"
#include "rta/examine/reproduction.hpp"
#include "rta/io/experiment_file.hpp"
#include "rta/validation/machine.hpp"

namespace rta::cli {

examine::Examination examination_of(const DeviceLimits& limits, const std::string& groups, const std::vector<std::string>& experiments) {
  std::vector<examine::Probe> probes;
  probes.reserve(experiments.size());
  for (const std::string& file : experiments) {
    const auto read = io::parse_experiment(content_of(file), file);
    probes.push_back(examine::reproduction(std::filesystem::path(file).stem().string(), read.experiment, limits));
  }
  return examine::Examination(limits, groups, std::move(probes));
}
std::vector<validation::ProbeProgram> probe_programs(const examine::Examination& examination) {
  std::vector<validation::ProbeProgram> all;
  for (std::size_t p = 0; p < examination.probes(); ++p) {
    const examine::Probe& probe = examination.judge(p).probe();
    const bool non_blocking =
        std::ranges::any_of(probe.experiment.operations(), [](const Operation& o) { return o.stream.starts_with(non_blocking_prefix); });
    all.push_back({probe.name, probe.experiment, validation::ProcessLayout::threads,
                   non_blocking ? validation::StreamKind::non_blocking : validation::StreamKind::blocking});
  }
  return all;
}

void write_examination(const examine::Examination& examination, bool measures, const std::vector<std::string>& interference,
                       const std::filesystem::path& folder) {
  const auto probes = probe_programs(examination);
  std::vector<validation::GeneratedFile> files = validation::examination_source(probes);
  std::string names, measured, parts;
  for (const validation::ProbeProgram& probe : probes) {
    files.push_back({"experiments/" + probe.name + ".yaml", io::format_experiment(probe.experiment)});
    names += " " + probe.name;
  }
  if (measures) {
    for (const std::string_view measure : validation::measures()) measured += " " + std::string(measure);
  }
  for (const std::string& part : interference) parts += " " + part;
  files.push_back({"scale.json", examine::format_limits(examination.limits())});
  files.push_back({"examine-all.sh", fmt::format(R"sh(#!/bin/sh
# Builds the program and runs all probes and measurements. Options go to `examine` (e.g. --device 1). Then, anywhere:
#   rta examine --traces traces -o DIR
set -e
cd "$(dirname "$0")"
make{3}
mkdir -p traces
cp scale.json traces/
./examine --limits "$@" > traces/limits.json
for probe in{0}; do
  ./examine --probe "$probe" --repeat {2} --output traces "$@"
done
for measure in{1}; do
  ./examine --measure "$measure" --repeat {2} --output "traces/measure-$measure.jsonl" "$@" || echo "$measure could not be measured" >&2
done
for part in{4}; do
  ./interference "$part" --output "traces/interference-$part.json" || echo "interference: $part could not be measured" >&2
done
)sh",
                                                 names, measured, probe_batch, parts.empty() ? "" : " examine interference", parts)});
  validation::write_files(files, folder);
}

bool ExaminationProgram::build(std::span<const validation::ProbeProgram> probes, validation::Built earlier, bool interference) const {
  validation::write_files(validation::examination_source(probes), folder_.path(), earlier);
  std::vector<std::string> words{"make", "-f", "Makefile", "NVCC=" + validation::find_nvcc()};
  if (interference) words.insert(words.end(), {"-j2", "examine", "interference"});
  const auto built = process::run_tool(words, folder_.descriptor());
  if (built.status == 0) return true;
  if (!stop_.made()) {
    std::cerr << built.text
              << (!built.started ? "rta: make is missing (Debian: make and g++)\n" : "rta: the examination could not be built\n");
  }
  return false;
}

process::ToolOutput ExaminationProgram::run(std::vector<std::string> words) const {
  words.insert(words.begin(), "./examine");
  words.insert(words.end(), {"--device", fmt::format("{}", gpu_)});
  if (allow_settings_) words.emplace_back("--allow-settings");
  return process::run_tool(words, folder_.descriptor());
}

process::ToolOutput ExaminationProgram::run_interference(std::vector<std::string> words) const {
  words.insert(words.begin(), {"./interference", "--device", fmt::format("{}", gpu_)});
  return process::run_tool(words, folder_.descriptor());
}

}  // namespace rta::cli
