#include "time_style.hpp"

#include <boost/program_options/value_semantic.hpp>

namespace rta::cli {

namespace po = boost::program_options;

void add_digits_option(po::options_description& options) {
  options.add_options()("all-digits", po::bool_switch(),
                        "show bounds and response times with all their digits, not three rounded up; JSON and CSV always do");
}

report::TimeStyle time_style(const po::variables_map& given, std::string_view text) {
  return {io::usual_time_unit(text), given.count("all-digits") != 0 && given["all-digits"].as<bool>()};
}

}  // namespace rta::cli
