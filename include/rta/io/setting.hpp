// Values that take the place of a task-set file's: "what if the GPU had 8 SMs?"
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rta::io {

/// `place=value`: the place in the file, keys and names joined by dots (`platform.gpu.sms`, `dags.camera.nodes.detect.C`), without
/// `platform`, `dags` or `tasks` where that leaves no doubt (`gpu.sms`, `camera.T`); the value as it would stand in the file.
struct Setting {
  std::string place;
  std::string value;
};

/// The settings that `place=values` asks for, one for each of its values: separated by commas, `8,16,32`, or whole numbers of one unit
/// from, to and by, `2..16`, `10..40 ms`, `10..40:5 ms`. Commas in brackets and quotes separate nothing. Throws `UserError` for what
/// has no `=`, no place, no value, a range that does not rise or more than 10,000 values.
[[nodiscard]] std::vector<Setting> read_settings(std::string_view text);

}  // namespace rta::io
