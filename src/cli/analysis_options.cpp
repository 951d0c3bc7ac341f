#include "analysis_options.hpp"

#include <oneapi/tbb/info.h>

#include <algorithm>
#include <boost/program_options/value_semantic.hpp>
#include <string>

#include "command.hpp"

namespace rta::cli {

namespace po = boost::program_options;

void add_analysis_options(po::options_description& options, std::span<const std::string_view> refused) {
  for (const analysis::OptionEntry& entry : analysis::option_table()) {
    if (std::ranges::find(refused, entry.name) != refused.end()) continue;
    const std::string name(entry.name);
    const std::string text(entry.text);
    if (entry.is_flag()) {
      options.add_options()(name.c_str(), po::bool_switch(), text.c_str());
    } else {
      options.add_options()(name.c_str(), po::value<std::string>()->value_name(std::string(entry.value)), text.c_str());
    }
  }
}

analysis::GivenOptions given_options(const po::variables_map& given) {
  analysis::GivenOptions options;
  for (const analysis::OptionEntry& entry : analysis::option_table()) {
    const std::string name(entry.name);
    if (given.count(name) == 0) continue;
    if (entry.is_flag()) {
      if (given[name].as<bool>()) options.emplace_back(name, "true");
      continue;
    }
    options.emplace_back(name, given[name].as<std::string>());
    try {
      analysis::Options checked;
      entry.set(checked, options.back().second);
    } catch (const UserError& error) {
      throw UsageError(std::string("--") + error.what());
    }
  }
  return options;
}

const analysis::OptionEntry* first_given_option(const po::variables_map& given) {
  const auto options = given_options(given);
  return options.empty() ? nullptr : analysis::find_option(options.front().first);
}

analysis::Options checked_options(const analysis::GivenOptions& given) {
  try {
    analysis::Options options = analysis::options_of(given);
    constexpr int most_threads = 8;  // where one of them finds a better choice, what the others tried is lost
    options.threads = static_cast<std::size_t>(std::min(most_threads, oneapi::tbb::info::default_concurrency()));
    return options;
  } catch (const UserError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace rta::cli
