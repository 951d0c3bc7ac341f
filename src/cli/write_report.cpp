#include "write_report.hpp"

#include <sstream>

#include "evidence.hpp"

namespace rta::cli {

void print_report(const report::Format& format, const std::function<void(std::ostream&)>& print, std::ostream& out) {
  if (format.name == "text" && !evidence_in_text()) {
    print(out);
    return;
  }
  std::ostringstream text;
  print(text);
  out << report::with_evidence(std::move(text).str(), format.name, evidence());
}

}  // namespace rta::cli
