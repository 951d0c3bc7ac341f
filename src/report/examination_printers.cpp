#include "examination_printers.hpp"

#include <array>

#include "rta/report/format.hpp"

namespace rta::report {

template <>
std::span<const Printer<ExaminationReport>> printers() {
  static constexpr auto all = std::to_array<Printer<ExaminationReport>>(
      {{"text", print_examination_text}, {"json", print_examination_json}, {"html", print_examination_page}});
  return all;
}

}  // namespace rta::report
