#include "workload_options.hpp"

#include <boost/program_options/value_semantic.hpp>

#include "choice.hpp"

namespace rta::cli {

namespace po = boost::program_options;

void add_release_option(po::options_description& options) {
  options.add_options()("release", po::value<std::string>()->value_name("HOW")->default_value("offsets"),
                        "when nodes are released: offsets (as the analysis chose them), early (as soon as predecessors end; consecutive "
                        "jobs stay a period apart on GPUs, engines and workers), completion (when the last predecessor ends) or segments "
                        "(on completion inside segments that are released at offsets)");
}

validation::Release chosen_release(const po::variables_map& given) {
  constexpr Choice<validation::Release> releases[] = {{"offsets", validation::Release::offsets},
                                                      {"early", validation::Release::early},
                                                      {"completion", validation::Release::completion},
                                                      {"segments", validation::Release::segments}};
  return chosen("release", given["release"].as<std::string>(), releases);
}

}  // namespace rta::cli
