#include "zoomed_time.hpp"

namespace rta::report {

void add_zoomed_time(nlohmann::ordered_json& specification, double first, double last) {
  specification["signals"].push_back({{"name", "whole"}, {"value", {first, last}}});
  specification["signals"].push_back({{"name", "width"}, {"value", 900}});
  specification["signals"].push_back({{"name", "domainX"}, {"value", {first, last}}});
}

}  // namespace rta::report
