// The one command of rta-analyze, which is built first: ./rta calls it while the whole program is not there.
#include <array>

#include "command.hpp"

namespace rta::cli {

std::span<const Command> commands() {
  static const std::array only{analyze_command()};
  return only;
}

}  // namespace rta::cli
