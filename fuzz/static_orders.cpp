// The files of static schedules; what is read must read back equal from the form in which it is written.
#include <array>
#include <string>

#include "read.hpp"
#include "rta/static_order/graph_file.hpp"
#include "rta/static_order/schedule_file.hpp"
#include "targets.hpp"

namespace rta::fuzz {
namespace {

void graph(std::string_view content) {
  read([&] {
    const auto result = static_order::parse_graph(content, "input");
    const std::string text = static_order::format_graph(result.graph);
    expect(static_order::format_graph(static_order::parse_graph(text, "again").graph) == text, "a graph reads back equal");
  });
}

void schedule(std::string_view content) {
  read([&] {
    (void)static_order::is_schedule(content);
    const std::string text = static_order::format_schedule(static_order::parse_schedule(content, "input"));
    expect(static_order::format_schedule(static_order::parse_schedule(text, "again")) == text, "a schedule reads back equal");
  });
}

}  // namespace

std::span<const Target> static_orders() {
  static constexpr std::array<Target, 2> all{{{"graph", graph}, {"schedule", schedule}}};
  return all;
}

}  // namespace rta::fuzz
