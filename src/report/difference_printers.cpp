#include "difference_printers.hpp"

#include <array>

#include "rta/report/format.hpp"

namespace rta::report {

template <>
std::span<const Printer<DifferenceReport>> printers() {
  static constexpr auto all = std::to_array<Printer<DifferenceReport>>({{"text", print_difference_text},
                                                                        {"json", print_difference_json},
                                                                        {"csv", print_difference_csv},
                                                                        {"html", print_difference_page},
                                                                        {"pdf", print_difference_page},
                                                                        {"md", print_difference_markdown}});
  return all;
}

}  // namespace rta::report
