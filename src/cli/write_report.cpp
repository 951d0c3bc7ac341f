#include "write_report.hpp"

#include <sstream>

#include "evidence.hpp"
#include "figure.hpp"

namespace rta::cli {

void print_report(const report::Format& format, const std::function<void(std::ostream&)>& print, std::ostream& out) {
  if (format.name == "text" && !evidence_in_text()) {
    print(out);
    return;
  }
  std::ostringstream text;
  print(text);
  const std::string whole = report::with_evidence(std::move(text).str(), format.name, evidence());
  out << (is_converted(format.name) ? converted(whole, format.name) : whole);
}

}  // namespace rta::cli
