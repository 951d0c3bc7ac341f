#include "simulation_results.hpp"

#include "write_report.hpp"

namespace rta::cli {

namespace po = boost::program_options;

Results::Results(const po::variables_map& given, const std::vector<Target>& all_targets, const trace::Header& header,
                 const trace::Labels& labels)
    : targets_(all_targets), traces_(given, header, labels) {
  for (const Target& target : targets_) files_.push_back(target.path ? std::make_unique<io::NewFile>(*target.path) : nullptr);
}

void Results::write(const report::SimulationReport& report) {
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    if (files_[i] == nullptr) continue;
    print_report(
        *targets_[i].format, [&](std::ostream& out) { report::printer_of<report::SimulationReport> (*targets_[i].format)(report, out); },
        files_[i]->stream());
    files_[i]->close();
  }
  traces_.publish();
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    if (files_[i] != nullptr) {
      files_[i]->publish();
    } else {
      write_report<report::SimulationReport>(targets_[i], report);
    }
  }
}

}  // namespace rta::cli
