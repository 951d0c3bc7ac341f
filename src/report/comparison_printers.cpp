#include "comparison_printers.hpp"

#include <array>

#include "rta/report/format.hpp"

namespace rta::report {

template <>
std::span<const Printer<ComparisonReport>> printers() {
  static constexpr auto all = std::to_array<Printer<ComparisonReport>>({{"text", print_comparison_text},
                                                                        {"json", print_comparison_json},
                                                                        {"csv", print_comparison_csv},
                                                                        {"html", print_comparison_page},
                                                                        {"svg", print_comparison_figure},
                                                                        {"pdf", print_comparison_figure},
                                                                        {"png", print_comparison_figure}});
  return all;
}

}  // namespace rta::report
