// The commands of rta.
#include <array>

#include "command.hpp"

namespace rta::cli {

std::span<const Command> commands() {
  static const std::array all{init_command(),      analyze_command(),  simulate_command(), convert_command(), generate_command(),
                              sweep_command(),     plot_command(),     workload_command(), run_command(),     compare_command(),
                              calibrate_command(), examine_command(),  compile_command(),  draw_command(),    lint_command(),
                              record_command(),    optimize_command(), diff_command()};
  return all;
}

}  // namespace rta::cli
