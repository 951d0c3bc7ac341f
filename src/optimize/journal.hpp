// What a search has judged, on disk: the same search goes on from there.
#pragma once

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "optimize/search.hpp"

namespace rta::optimize {

/// What must be the same for a score to be worth something, by name: the file's SHA-256, the options of the analysis, the version.
using Setting = std::pair<std::string, std::string>;

/// JSON Lines: the settings, then a line per selection that was judged. A line that was not finished does not count.
class Journal {
 public:
  /// Reads what is there and goes on behind it; begins one where there is none. Throws `UserError` for a file that is none, and names the
  /// setting that differs with both values; std::system_error where it cannot be written.
  Journal(std::filesystem::path path, const std::vector<Setting>& settings);

  [[nodiscard]] const Scores& scores() const { return scores_; }
  /// Throws std::system_error when it could not be written.
  void add(const io::Selection& selection, const std::optional<Score>& score);

 private:
  /// False where nothing of it is of use.
  bool read(const std::vector<Setting>& settings);
  void append(const std::string& line);

  std::filesystem::path path_;
  Scores scores_;
  std::ofstream out_;
};

}  // namespace rta::optimize
