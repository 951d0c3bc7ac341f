// The words for what is known of a set.
#include <algorithm>
#include <array>

#include "rta/sweep/set_analyzer.hpp"

namespace rta::sweep {
namespace {

constexpr std::array<std::string_view, 4> answers{"schedulable", "deadline-missed", "unbounded", "none"};

}  // namespace

std::string_view to_string(Answer answer) { return answers[static_cast<std::size_t>(answer)]; }

std::optional<Answer> answer_of(std::string_view text) {
  const auto* at = std::find(answers.begin(), answers.end(), text);
  if (at == answers.end()) return std::nullopt;
  return static_cast<Answer>(at - answers.begin());
}

}  // namespace rta::sweep
