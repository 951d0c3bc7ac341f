// `rta analyze` of several task sets at once: files, folders of them, and values of --set in place of theirs.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <string>
#include <vector>

#include "command.hpp"
#include "rta/analysis/analyze.hpp"
#include "rta/io/setting.hpp"

namespace rta::cli {

/// That may follow the first.
inline constexpr int most_files = 10'000;

struct Variant {
  std::string file;  // `-`: standard input
  std::vector<io::Setting> settings;
};

void add_set_option(boost::program_options::options_description& all);

/// What stands for the file in messages.
[[nodiscard]] std::string shown_name(const std::string& file);

/// Every file, of folders those that end in .yaml or .yml, with every combination of values. Throws `UsageError` for more than 10,000, a
/// folder without such files, and an output that is one of them.
[[nodiscard]] std::vector<Variant> variants_of(const boost::program_options::variables_map& given,
                                               const std::vector<std::string>& arguments);

/// A line for each. Files that are no task sets are told on standard error and have a line all the same; then the exit status is
/// `bad_input`. Throws `UsageError` for options that make sense of one task set alone.
[[nodiscard]] ExitStatus analyze_variants(const boost::program_options::variables_map& given, const std::vector<Variant>& variants,
                                          analysis::Options options);

}  // namespace rta::cli
