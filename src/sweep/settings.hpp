// What a sweep file says, setting by setting: whether one sweep extends another.
#pragma once

#include <string>
#include <string_view>

namespace rta::sweep {

/// How the analyses of one file stand to those of another that it extends.
enum class Analyses { same, others };

struct Extension {
  std::string refusal;  // the first setting that forbids it, with both values; empty: the results of the one file can be extended
  Analyses analyses = Analyses::same;
};

/// Whether what was computed for the file `there` holds for the file `here`, too: all settings are the same but `sweep.seed` and
/// `sweep.sets` (the command line may replace them, so they are compared elsewhere), and every analysis of `there` is one of `here`, with
/// the same options. Analyses may be added, and stand in any order. Comments do not count.
[[nodiscard]] Extension extension_of(std::string_view there, std::string_view here);

}  // namespace rta::sweep
