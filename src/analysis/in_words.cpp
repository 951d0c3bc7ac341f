#include "in_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace rta::analysis::fifo {

std::string decimal(double value) {
  std::string text = fmt::format("{:.6f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::size_t first_of(std::span<const std::uint32_t> class_of, std::size_t c) {
  return static_cast<std::size_t>(std::find(class_of.begin(), class_of.end(), c) - class_of.begin());
}

std::string blocks_in_words(const Configuration& x, std::span<const std::uint32_t> class_of) {
  std::vector<std::string> parts;
  for (std::size_t c = 0; c < x.size(); ++c) {
    if (x[c] > 0) parts.push_back(fmt::format("{} {} of task #{}", x[c], x[c] == 1 ? "block" : "blocks", first_of(class_of, c)));
  }
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text.empty() ? "no block" : text;
}

}  // namespace rta::analysis::fifo
