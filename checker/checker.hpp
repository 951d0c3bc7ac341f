// Every statement of a certificate, verified or not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace checker {

struct Verdict {
  std::size_t line = 0;
  std::string statement;
  bool verified = false;
  std::string why;  // not
};

struct Outcome {
  std::vector<Verdict> verdicts;
  std::vector<std::string> assumptions;  // what a run must do, and the file does not say

  [[nodiscard]] std::size_t refused() const;
};

/// Throws `BadInput` where one of the two files cannot be read, with `task set: ` or `certificate: ` and the place.
[[nodiscard]] Outcome check(std::string_view task_set, std::string_view certificate);

}  // namespace checker
