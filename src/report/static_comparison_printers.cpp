#include "static_comparison_printers.hpp"

#include <array>

#include "rta/report/format.hpp"

namespace rta::report {

template <>
std::span<const Printer<StaticComparisonReport>> printers() {
  static constexpr auto all = std::to_array<Printer<StaticComparisonReport>>({{"text", print_static_comparison_text},
                                                                              {"json", print_static_comparison_json},
                                                                              {"csv", print_static_comparison_csv},
                                                                              {"html", print_static_comparison_page},
                                                                              {"pdf", print_static_comparison_page}});
  return all;
}

}  // namespace rta::report
