#include <array>

#include "optimization.hpp"
#include "rta/report/format.hpp"

namespace rta::report {

template <>
std::span<const Printer<Optimization>> printers() {
  static constexpr auto all = std::to_array<Printer<Optimization>>({{"text", print_optimization_text},
                                                                    {"json", print_optimization_json},
                                                                    {"html", print_optimization_page},
                                                                    {"pdf", print_optimization_page}});
  return all;
}

}  // namespace rta::report
