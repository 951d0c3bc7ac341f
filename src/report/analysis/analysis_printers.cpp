#include "analysis_printers.hpp"

#include <array>

#include "rta/report/format.hpp"

namespace rta::report {

template <>
std::span<const Printer<AnalysisReport>> printers() {
  static constexpr auto all = std::to_array<Printer<AnalysisReport>>({{"text", print_analysis_text},
                                                                      {"json", print_analysis_json},
                                                                      {"csv", print_analysis_csv},
                                                                      {"html", print_analysis_page},
                                                                      {"pdf", print_analysis_page},
                                                                      {"md", print_analysis_markdown},
                                                                      {"junit", print_analysis_junit}});
  return all;
}

}  // namespace rta::report
