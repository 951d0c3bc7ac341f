#include "diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace rta::io {
namespace {

constexpr std::size_t kept_for_sorting = 1000;

std::string about(Subject subject, std::string_view message) {
  return subject.kind.empty() ? std::string(message) : fmt::format("{} {}: {}", subject.kind, quote(subject.name), message);
}

std::string all_texts(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics) {
    if (!text.empty()) text += '\n';
    text += d.text();
  }
  return text;
}

}  // namespace

std::string Diagnostic::text() const {
  return line == 0 ? fmt::format("{}: {}", file, message) : fmt::format("{}:{}:{}: {}", file, line, column, message);
}

InputError::InputError(std::vector<Diagnostic> diagnostics) : UserError(all_texts(diagnostics)), diagnostics_(std::move(diagnostics)) {}

void Diagnostics::keep(Kept& kept, Mark at, std::string message) const {
  if (kept.count++ < kept_for_sorting) kept.first.push_back({file_, at.line, at.column, std::move(message)});
}

std::vector<Diagnostic> Diagnostics::in_file_order(Kept& kept, std::string_view what) const {
  std::stable_sort(kept.first.begin(), kept.first.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return std::tie(a.line, a.column) < std::tie(b.line, b.column); });
  constexpr std::size_t most = 20;  // one mistake in every node of a large file says no more than in twenty
  kept.first.resize(std::min(kept.first.size(), most));
  if (kept.count > kept.first.size()) kept.first.push_back({file_, 0, 0, fmt::format("{} more {}", kept.count - kept.first.size(), what)});
  return std::move(kept.first);
}

void Diagnostics::error(Mark at, std::string message) { keep(errors_, at, std::move(message)); }

void Diagnostics::error(Mark at, Subject subject, std::string_view message) { error(at, about(subject, message)); }

void Diagnostics::warn(Mark at, Subject subject, std::string_view message) { keep(warnings_, at, about(subject, message)); }

void Diagnostics::append_warnings(Diagnostics later) {
  for (Diagnostic& warning : later.warnings_.first) {
    if (warnings_.first.size() < kept_for_sorting) warnings_.first.push_back(std::move(warning));
  }
  warnings_.count += later.warnings_.count;
}

void Diagnostics::throw_if_failed() {
  if (failed()) throw InputError(in_file_order(errors_, "errors"));
}

std::vector<Diagnostic> Diagnostics::take_warnings() { return in_file_order(warnings_, "warnings"); }

std::string quote(std::string_view text) {
  constexpr std::size_t longest = 60;
  const bool cut = text.size() > longest;
  std::size_t length = std::min(text.size(), longest);
  // Never cut inside a UTF-8 sequence; bytes that are none have no begin to go back to.
  for (std::size_t back = 0; cut && back < 3 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U; ++back) --length;
  std::string result = "'";
  for (const char c : text.substr(0, length)) result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  if (cut) result += "…";
  return result + "'";
}

}  // namespace rta::io
