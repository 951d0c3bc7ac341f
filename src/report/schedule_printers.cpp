#include "schedule_printers.hpp"

#include <array>

#include "rta/report/format.hpp"

namespace rta::report {

template <>
std::span<const Printer<ScheduleReport>> printers() {
  static constexpr auto all = std::to_array<Printer<ScheduleReport>>({{"text", print_schedule_text},
                                                                      {"json", print_schedule_json},
                                                                      {"csv", print_schedule_csv},
                                                                      {"html", print_schedule_page},
                                                                      {"pdf", print_schedule_page}});
  return all;
}

}  // namespace rta::report
