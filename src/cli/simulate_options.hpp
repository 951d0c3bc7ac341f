// Options of `rta simulate`, and what they say.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "command.hpp"
#include "rta/io/new_file.hpp"
#include "rta/simulate/options.hpp"
#include "rta/trace/writer.hpp"

namespace rta::cli {

/// Of numbers that are simulated with.
inline constexpr std::uint64_t most_number = std::numeric_limits<std::int64_t>::max();

[[nodiscard]] boost::program_options::options_description simulate_options();

// Each throws `UsageError` with what is allowed.

/// Names of traces tell their format, and no file is named twice.
void require_files(const boost::program_options::variables_map& given);
/// No option is without effect beside the others. `page`: some output is an HTML page.
void require_effect(const boost::program_options::variables_map& given, bool page);
void require_effect_on_experiment(const boost::program_options::variables_map& given);
[[nodiscard]] Time duration_option(const boost::program_options::variables_map& given);
/// The limit, and so much real time from now where the option is given.
[[nodiscard]] Limit limited(const Limit& limit, const boost::program_options::variables_map& given, const char* name);
/// One per DAG.
[[nodiscard]] std::vector<Time> phases_option(const boost::program_options::variables_map& given, const TaskSet& set);
/// Of nodes that have one of their own, `others` of the others; empty where none has.
[[nodiscard]] PerNode<simulate::Execution> node_execution_option(const boost::program_options::variables_map& given, const TaskSet& set,
                                                                 simulate::Execution others);
/// All but duration, phases and times of single nodes; --time-limit goes with `limit`.
[[nodiscard]] simulate::Options common_options(const boost::program_options::variables_map& given, const Limit& limit);

struct Window {
  Time from, to;
};
/// --window, or `standard`.
[[nodiscard]] Window window_option(const boost::program_options::variables_map& given, Window standard);

[[nodiscard]] simulate::Detail trace_level(const boost::program_options::variables_map& given);

/// The files of --trace, which observers write while the simulation runs.
class Traces {
 public:
  /// Throws std::system_error for a file that cannot be written.
  Traces(const boost::program_options::variables_map& given, const trace::Header& header, const trace::Labels& labels);
  void add_to(std::vector<simulate::Observer*>& observers) const;
  /// Throws std::system_error for a file that could not be written to its end.
  void finish(bool complete);
  /// Gives the files their names, in place of older ones.
  void publish();

 private:
  std::vector<std::unique_ptr<io::NewFile>> files_;
  std::vector<std::unique_ptr<trace::Writer>> traces_;
  std::vector<std::unique_ptr<trace::ChromeWriter>> chromes_;
};

}  // namespace rta::cli
