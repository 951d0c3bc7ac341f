#include "waiting_line.hpp"

#include <fmt/format.h>

#include <iostream>

namespace rta::cli {

WaitingLine::~WaitingLine() {
  if (written_) std::cerr << "\r\033[K" << std::flush;
}

void WaitingLine::show(std::string_view what) {
  const auto now = Clock::now();
  if (!shown_ || now - start_ < std::chrono::seconds(1) || (written_ && now - last_ < std::chrono::milliseconds(200))) return;
  last_ = now;
  written_ = true;
  std::cerr << fmt::format("\r\033[K{}, {:.0f} s", what, std::chrono::duration<double>(now - start_).count()) << std::flush;
}

}  // namespace rta::cli
