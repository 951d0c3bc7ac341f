#include "zoomed_time.hpp"

#include <utility>

namespace rta::report {
namespace {

constexpr const char* signals = R"json([
  {"name": "whole"},
  {"name": "width", "value": 900},
  {"name": "down", "value": null, "on": [{"events": "mousedown", "update": "xy()"}, {"events": "window:mouseup", "update": "null"}]},
  {"name": "held", "value": null, "on": [{"events": "mousedown", "update": "slice(domainX)"}]},
  {"name": "moved", "value": 0, "on": [{"events": [{"source": "window", "type": "mousemove", "consume": true,
    "between": [{"type": "mousedown"}, {"source": "window", "type": "mouseup"}]}], "update": "down ? down[0] - x() : 0"}]},
  {"name": "anchor", "value": 0, "on": [{"events": "wheel", "update": "invert('x', x())"}]},
  {"name": "zoom", "value": 1, "on": [{"events": "wheel!", "force": true, "update": "pow(1.001, event.deltaY * pow(16, event.deltaMode))"}]},
  {"name": "domainX", "update": "whole", "on": [
    {"events": {"signal": "moved"}, "update": "held ? [held[0] + span(held) * moved / width, held[1] + span(held) * moved / width] : domainX"},
    {"events": {"signal": "zoom"}, "update": "[anchor + (domainX[0] - anchor) * zoom, anchor + (domainX[1] - anchor) * zoom]"},
    {"events": "dblclick", "update": "whole"}]}])json";

}  // namespace

void add_zoomed_time(nlohmann::ordered_json& specification, double first, double last) {
  auto added = nlohmann::ordered_json::parse(signals);
  added[0]["value"] = {first, last};
  for (auto& signal : added) specification["signals"].push_back(std::move(signal));
}

}  // namespace rta::report
