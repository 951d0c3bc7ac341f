#include "variants_printers.hpp"

#include <array>

#include "rta/report/format.hpp"

namespace rta::report {

template <>
std::span<const Printer<VariantsReport>> printers() {
  static constexpr auto all =
      std::to_array<Printer<VariantsReport>>({{"text", print_variants_text}, {"json", print_variants_json}, {"csv", print_variants_csv}});
  return all;
}

}  // namespace rta::report
