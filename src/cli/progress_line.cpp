#include "progress_line.hpp"

#include <unistd.h>

#include <iostream>

#include "io/shown_text.hpp"

namespace rta::cli {
namespace {

constexpr std::string_view from_the_start = "\r\033[K";

}  // namespace

bool shows_progress(const boost::program_options::variables_map& given) {
  return !given["quiet"].as<bool>() && ::isatty(STDERR_FILENO) != 0;
}

ProgressLine::~ProgressLine() {
  if (written_) std::cerr << io::Sent{from_the_start} << std::flush;
}

void ProgressLine::say(std::string_view what) {
  if (!shown_) return;
  last_ = Clock::now();
  written_ = true;
  std::cerr << io::Sent{from_the_start} << what << std::flush;
}

double ProgressLine::elapsed() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

bool ProgressLine::is_due() const {
  if (!shown_) return false;
  const auto now = Clock::now();
  return now - start_ >= after_ && (!written_ || now - last_ >= std::chrono::milliseconds(200));
}

}  // namespace rta::cli
