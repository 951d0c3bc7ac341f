#include "sweep_printers.hpp"

#include <array>

#include "rta/report/format.hpp"

namespace rta::report {

template <>
std::span<const Printer<sweep::Results>> printers() {
  static constexpr auto all =
      std::to_array<Printer<sweep::Results>>({{"text", print_sweep_text}, {"csv", print_sweep_csv}, {"html", print_sweep_page}});
  return all;
}

}  // namespace rta::report
