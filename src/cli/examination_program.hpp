// The program that plays probes and measures: written for another machine, or built and run on this one.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "process/own_folder.hpp"
#include "process/signals.hpp"
#include "process/tool.hpp"
#include "rta/examine/examination.hpp"
#include "rta/validation/examination.hpp"

namespace rta::cli {

/// Runs of a probe or a measurement at a time: a few more than a sequential test needs.
inline constexpr unsigned probe_batch = 40;

/// Of the rules in these groups, with the experiments in these files as further probes, named as their files. Throws `io::InputError`.
[[nodiscard]] examine::Examination examination_of(const DeviceLimits& limits, const std::string& groups,
                                                  const std::vector<std::string>& experiments);
/// What the program plays for each probe of an examination.
[[nodiscard]] std::vector<validation::ProbeProgram> probe_programs(const examine::Examination& examination);

/// The program, its probes and a script that runs all of it, into `folder`. `measures`: the script measures, too; `interference`: and these
/// parts of the interference of blocks.
void write_examination(const examine::Examination& examination, bool measures, const std::vector<std::string>& interference,
                       const std::filesystem::path& folder);

/// The program `examine` on this machine.
class ExaminationProgram {
 public:
  /// `stop`: nothing is said of a build that ends by it.
  ExaminationProgram(process::OwnFolder folder, unsigned gpu, bool allow_settings, const process::StopRequest& stop)
      : folder_(std::move(folder)), gpu_(gpu), allow_settings_(allow_settings), stop_(stop) {}

  /// False where it could not be built; standard error says why. `earlier`: what was built in the folder before. `interference`: with the
  /// program of that name, beside it.
  [[nodiscard]] bool build(std::span<const validation::ProbeProgram> probes, validation::Built earlier, bool interference) const;
  /// In its folder: paths among the words are absolute.
  [[nodiscard]] process::ToolOutput run(std::vector<std::string> words) const;
  /// The program `interference`, likewise.
  [[nodiscard]] process::ToolOutput run_interference(std::vector<std::string> words) const;

 private:
  process::OwnFolder folder_;
  unsigned gpu_;
  bool allow_settings_;
  const process::StopRequest& stop_;
};

}  // namespace rta::cli
