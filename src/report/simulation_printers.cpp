#include "simulation_printers.hpp"

#include <array>

#include "rta/report/format.hpp"

namespace rta::report {

template <>
std::span<const Printer<SimulationReport>> printers() {
  static constexpr auto all = std::to_array<Printer<SimulationReport>>({{"text", print_simulation_text},
                                                                        {"json", print_simulation_json},
                                                                        {"csv", print_simulation_csv},
                                                                        {"html", print_simulation_page},
                                                                        {"svg", print_simulation_figure},
                                                                        {"pdf", print_simulation_figure},
                                                                        {"png", print_simulation_figure}});
  return all;
}

}  // namespace rta::report
