// What callbacks of ROS 2 belong to, and what they are called.
#pragma once

#include <string>
#include <string_view>

#include "system.hpp"

namespace rta::convert {

/// Empty: not in the trace.
[[nodiscard]] std::string node_of(const Ros2System& system, const Ros2Callback& c);
/// Of a subscription; of services and clients the service. Empty: of others, or not in the trace.
[[nodiscard]] std::string topic_of(const Ros2System& system, const Ros2Callback& c);
/// `/left/camera` is `left.camera`.
[[nodiscard]] std::string dotted(std::string_view path);
/// The name of a callback of that node; `topic`: of a service or client the service.
[[nodiscard]] std::string callback_name(const std::string& node, Ros2Owner owner, const std::string& topic);
/// `filter_node.topic1`, `sensor.timer`; several callbacks may have one.
[[nodiscard]] std::string short_name(const Ros2System& system, const Ros2Callback& c);

}  // namespace rta::convert
