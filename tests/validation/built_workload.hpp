// Builds and runs generated workloads in a folder of their own.
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "process/tool.hpp"
#include "rta/trace/reader.hpp"
#include "rta/validation/machine.hpp"
#include "rta/validation/workload.hpp"
#include "support/folder.hpp"

namespace rta::test {

/// The records of a trace, by kind.
struct ReadTrace {
  trace::Header header;
  std::vector<trace::DagRecord> dags;
  std::vector<trace::JobRecord> jobs;
  std::vector<trace::RunRecord> runs;
  std::vector<trace::BlockRecord> blocks;
  std::vector<trace::CopyRecord> copies;
  std::vector<trace::CheckRecord> checks;
  bool complete = false;
  std::uint64_t lost = 0;
};

inline ReadTrace read_trace(const std::filesystem::path& path) {
  std::ifstream file(path);
  trace::Reader reader(file, path.string());
  ReadTrace read;
  read.header = reader.header();
  while (const auto record = reader.next()) {
    if (const auto* dag = std::get_if<trace::DagRecord>(&*record)) read.dags.push_back(*dag);
    if (const auto* job = std::get_if<trace::JobRecord>(&*record)) read.jobs.push_back(*job);
    if (const auto* run = std::get_if<trace::RunRecord>(&*record)) read.runs.push_back(*run);
    if (const auto* block = std::get_if<trace::BlockRecord>(&*record)) read.blocks.push_back(*block);
    if (const auto* copy = std::get_if<trace::CopyRecord>(&*record)) read.copies.push_back(*copy);
    if (const auto* check = std::get_if<trace::CheckRecord>(&*record)) read.checks.push_back(*check);
  }
  read.complete = reader.complete();
  read.lost = reader.lost_records();
  return read;
}

/// Generates and builds with warnings as errors.
inline void build_workload(const analysis::Proof& proof, const std::filesystem::path& folder) {
  validation::write_workload(validation::generate_workload(proof, "text"), folder);
  const auto built =
      process::run_tool({"make", "-C", folder.string(), "CXXFLAGS=-O1 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"});
  INFO(built.text);
  REQUIRE(built.status == 0);
}

/// Runs it for a short time; 0 or 1 (invalid: a loaded machine) are both fine, 2 is not.
inline ReadTrace run_workload(const std::filesystem::path& folder, std::vector<std::string> options) {
  const auto trace = folder / "trace.jsonl";
  std::vector<std::string> words{(folder / "workload").string(), "--output", trace.string()};
  words.insert(words.end(), options.begin(), options.end());
  const auto ran = process::run_tool(words);
  INFO(ran.text);
  REQUIRE((ran.status == 0 || ran.status == 1));
  return read_trace(trace);
}

}  // namespace rta::test
