// Results with their evidence.
#pragma once

#include <functional>
#include <ostream>
#include <type_traits>
#include <vector>

#include "output.hpp"

namespace rta::cli {

/// What makes a .pdf or a .png: of a figure another drawer, of a page a browser.
enum class Drawn { figure, page };
/// Reports that no format has as a figure are printed as pages.
template <class Report>
[[nodiscard]] Drawn drawn_as() {
  return report::printer_of<Report>(*report::format_named("svg")) != nullptr ? Drawn::figure : Drawn::page;
}
/// Throws `UserError` where what one of the targets needs is missing, so that nobody waits for a result in vain.
void require_converters(const std::vector<Target>& targets, Drawn drawn);

/// What `print` prints in that format; with its evidence, which text has where it is asked for (--evidence).
void print_report(const report::Format& format, const std::function<void(std::ostream&)>& print, std::ostream& out,
                  Drawn drawn = Drawn::figure);

/// Writes a report to the target, as print_report does. Throws std::system_error when it cannot be written.
template <class Report>
void write_report(const Target& target, const std::type_identity_t<Report>& what) {
  write(target, [&](std::ostream& out) {
    print_report(
        *target.format, [&](std::ostream& to) { report::printer_of<Report> (*target.format)(what, to); }, out, drawn_as<Report>());
  });
}

}  // namespace rta::cli
