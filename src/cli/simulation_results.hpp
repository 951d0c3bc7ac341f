// What `rta simulate` writes.
#pragma once

#include <memory>
#include <vector>

#include "output.hpp"
#include "rta/io/new_file.hpp"
#include "rta/report/simulation_report.hpp"
#include "simulate_options.hpp"

namespace rta::cli {

/// In a page, which is to stay below 3 MB.
inline constexpr std::size_t most_bars = 6'000;

/// Files are opened before anything is simulated and get their names when all of them are whole: a simulation that fails leaves older
/// ones as they were.
class Results {
 public:
  Results(const boost::program_options::variables_map& given, const std::vector<Target>& all_targets, const trace::Header& header,
          const trace::Labels& labels);

  [[nodiscard]] Traces& traces() { return traces_; }
  void write(const report::SimulationReport& report);

 private:
  const std::vector<Target>& targets_;
  std::vector<std::unique_ptr<io::NewFile>> files_;
  Traces traces_;
};

}  // namespace rta::cli
