#include "findings_printers.hpp"

#include <array>

#include "rta/report/format.hpp"

namespace rta::report {

template <>
std::span<const Printer<std::vector<validation::Finding>>> printers() {
  static constexpr auto all =
      std::to_array<Printer<std::vector<validation::Finding>>>({{"text", print_findings_text}, {"json", print_findings_json}});
  return all;
}

}  // namespace rta::report
