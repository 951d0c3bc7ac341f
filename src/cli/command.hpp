// A subcommand of `rta`: one text for its options serves --help, the manual page and the guide.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <span>
#include <string>
#include <vector>

#include "rta/model/error.hpp"

namespace rta::cli {

/// Exit statuses of the program (the same for every subcommand).
enum ExitStatus : int { yes = 0, no = 1, bad_input = 2, internal_error = 3 };

/// A command line that can be tried in a checkout.
struct Example {
  const char* line;
  const char* what;  // it does, or shows
};

struct Command {
  const char* name;
  const char* arguments;  // e.g. "FILE"; shown after the name
  const char* summary;    // one line
  const char* details;    // paragraphs; what it does, what it prints, its exit status
  boost::program_options::options_description (*options)();
  /// Number of positional arguments that it takes; they arrive as `arguments`.
  int positional;
  ExitStatus (*run)(const boost::program_options::variables_map& options, const std::vector<std::string>& arguments);
  /// How many more it may take.
  int optional = 0;
  std::vector<Example> examples = {};
};

/// The command line is wrong; the message says what is allowed.
class UsageError : public UserError {
 public:
  using UserError::UserError;
};

/// Its own options and those that every command has.
[[nodiscard]] boost::program_options::options_description options_of(const Command& command);

[[nodiscard]] std::span<const Command> commands();

[[nodiscard]] const Command& analyze_command();
[[nodiscard]] const Command& calibrate_command();
[[nodiscard]] const Command& compare_command();
[[nodiscard]] const Command& compile_command();
[[nodiscard]] const Command& convert_command();
[[nodiscard]] const Command& diff_command();
[[nodiscard]] const Command& draw_command();
[[nodiscard]] const Command& examine_command();
[[nodiscard]] const Command& generate_command();
[[nodiscard]] const Command& init_command();
[[nodiscard]] const Command& lint_command();
[[nodiscard]] const Command& optimize_command();
[[nodiscard]] const Command& plot_command();
[[nodiscard]] const Command& record_command();
[[nodiscard]] const Command& run_command();
[[nodiscard]] const Command& simulate_command();
[[nodiscard]] const Command& sweep_command();
[[nodiscard]] const Command& workload_command();

}  // namespace rta::cli
