// One line of a certificate.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

namespace rta::certificate {

template <class... Values>
void line(std::string& out, fmt::format_string<Values...> format, Values&&... values) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Values>(values)...);
  out += '\n';
}

}  // namespace rta::certificate
