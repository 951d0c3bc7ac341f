// Options of `rta simulate`, and what they say.
#pragma once

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "rta/simulate/options.hpp"
#include "rta/trace/writer.hpp"
#include "simulated_system.hpp"

namespace rta::cli {

[[nodiscard]] boost::program_options::options_description simulate_options();

// Each throws `UsageError` with what is allowed.
[[nodiscard]] Time time_option(const boost::program_options::variables_map& given, const char* name);
[[nodiscard]] std::uint64_t number_option(const boost::program_options::variables_map& given, const char* name, std::uint64_t most);
/// One per DAG.
[[nodiscard]] std::vector<Time> phases_option(const boost::program_options::variables_map& given, const TaskSet& set);
/// All but duration and phases. --search or --time-limit set the deadline; `stop` ends a run early.
[[nodiscard]] simulate::Options common_options(const boost::program_options::variables_map& given, std::stop_token stop);

struct Window {
  Time from, to;
};
/// --window, or from 0 to `standard`.
[[nodiscard]] Window window_option(const boost::program_options::variables_map& given, Time standard);

/// The files of --trace, which observers write while the simulation runs.
class Traces {
 public:
  /// Throws std::system_error for a file that cannot be written.
  Traces(const boost::program_options::variables_map& given, const trace::Header& header, const trace::Labels& labels);
  void add_to(std::vector<simulate::Observer*>& observers) const;
  /// Throws std::system_error for a file that could not be written to its end.
  void finish(bool complete);

 private:
  std::vector<std::unique_ptr<std::ofstream>> files_;
  std::vector<std::string> paths_;
  std::vector<std::unique_ptr<trace::Writer>> traces_;
  std::vector<std::unique_ptr<trace::ChromeWriter>> chromes_;
};

}  // namespace rta::cli
