// Results with their evidence.
#pragma once

#include <functional>
#include <ostream>
#include <type_traits>

#include "output.hpp"

namespace rta::cli {

/// What `print` prints in that format; with its evidence, which text has where it is asked for (--evidence).
void print_report(const report::Format& format, const std::function<void(std::ostream&)>& print, std::ostream& out);

/// Writes a report to the target, as print_report does. Throws std::system_error when it cannot be written.
template <class Report>
void write_report(const Target& target, const std::type_identity_t<Report>& what) {
  write(target, [&](std::ostream& out) {
    print_report(
        *target.format, [&](std::ostream& to) { report::printer_of<Report> (*target.format)(what, to); }, out);
  });
}

}  // namespace rta::cli
