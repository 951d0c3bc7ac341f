// CARET's architecture.yaml: the paths that its user named.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "../notes.hpp"

namespace rta::convert {

/// A node on a path: the topic by which data comes in, and the one by which it goes out. Empty: the path begins, or ends, there.
struct Ros2Hop {
  std::string node, subscribes, publishes;
};
struct Ros2Path {
  std::string name;
  std::vector<Ros2Hop> hops;  // one at least
};

/// Throws `io::InputError` with the places of what is wrong. What else the file says is told in `notes`.
[[nodiscard]] std::vector<Ros2Path> read_architecture(const std::filesystem::path& file, Notes& notes);

}  // namespace rta::convert
