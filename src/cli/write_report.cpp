#include "write_report.hpp"

#include <algorithm>
#include <sstream>

#include "evidence.hpp"
#include "figure.hpp"
#include "io/shown_text.hpp"
#include "printed_page.hpp"

namespace rta::cli {

void require_converters(const std::vector<Target>& targets, Drawn drawn) {
  if (std::ranges::none_of(targets, [](const Target& target) { return is_converted(target.format->name); })) return;
  if (drawn == Drawn::page) {
    require_browser();
  } else {
    require_converter();
  }
}

void print_report(const report::Format& format, const std::function<void(std::ostream&)>& print, std::ostream& out, Drawn drawn) {
  if (format.name == "text") {
    io::ShownText buffer(out.rdbuf());
    std::ostream shown(&buffer);
    print(shown);
    if (evidence_in_text()) shown << report::with_evidence({}, format.name, evidence());
    if (!shown) out.setstate(std::ios::badbit);
    return;
  }
  std::ostringstream text;
  print(text);
  const bool page = drawn == Drawn::page && is_converted(format.name);
  const std::string whole = report::with_evidence(std::move(text).str(), page ? "html" : format.name, evidence());
  if (page) {
    out << printed_page(whole);
  } else {
    out << (is_converted(format.name) ? converted(whole, format.name) : whole);
  }
}

}  // namespace rta::cli
