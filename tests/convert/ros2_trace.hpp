// Traces of ROS 2 in tests, as babeltrace2 prints them.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace rta::test {

/// Handles are numbers; times are in us after 10:00:00.
class Ros2Trace {
 public:
  explicit Ros2Trace(int process = 100) : process_(process), thread_(process) {}

  Ros2Trace& on(int thread) {
    thread_ = thread;
    return *this;
  }
  Ros2Trace& of(int process) {
    process_ = thread_ = process;
    return *this;
  }
  Ros2Trace& event(std::int64_t us, const std::string& name, const std::string& fields) {
    text += fmt::format("[{}] (+0.000001000) robot {}: {{ cpu_id = 1 }}, {{ vpid = {}, procname = \"p{}\", vtid = {} }}, {{ {} }}\n",
                        clock(us), name, process_, process_, thread_, fields);
    return *this;
  }
  Ros2Trace& kernel(std::int64_t us, const std::string& name, const std::string& fields) {
    text += fmt::format("[{}] (+0.000001000) robot {}: {{ cpu_id = 1 }}, {{ {} }}\n", clock(us), name, fields);
    return *this;
  }

  Ros2Trace& node(int handle, const std::string& name, const std::string& space = "/") {
    return event(0, "ros2:rcl_node_init",
                 fmt::format("node_handle = 0x{:X}, rmw_handle = 0x1, node_name = \"{}\", namespace = \"{}\"", handle, name, space));
  }
  Ros2Trace& publisher(int handle, int node, const std::string& topic) {
    return event(
        0, "ros2:rcl_publisher_init",
        fmt::format("publisher_handle = 0x{:X}, node_handle = 0x{:X}, rmw_publisher_handle = 0x2, topic_name = \"{}\", queue_depth = 10",
                    handle, node, topic));
  }
  /// The object of rclcpp has the handle + 1.
  Ros2Trace& subscription(int handle, int node, const std::string& topic, int callback, std::int64_t us = 0) {
    event(us, "ros2:rcl_subscription_init",
          fmt::format(
              "subscription_handle = 0x{:X}, node_handle = 0x{:X}, rmw_subscription_handle = 0x3, topic_name = \"{}\", queue_depth = 10",
              handle, node, topic));
    event(us, "ros2:rclcpp_subscription_init", fmt::format("subscription_handle = 0x{:X}, subscription = 0x{:X}", handle, handle + 1));
    return event(us, "ros2:rclcpp_subscription_callback_added",
                 fmt::format("subscription = 0x{:X}, callback = 0x{:X}", handle + 1, callback));
  }
  Ros2Trace& timer(int handle, int node, std::int64_t period_ns, int callback) {
    event(0, "ros2:rcl_timer_init", fmt::format("timer_handle = 0x{:X}, period = {}", handle, period_ns));
    event(0, "ros2:rclcpp_timer_callback_added", fmt::format("timer_handle = 0x{:X}, callback = 0x{:X}", handle, callback));
    return event(0, "ros2:rclcpp_timer_link_node", fmt::format("timer_handle = 0x{:X}, node_handle = 0x{:X}", handle, node));
  }
  Ros2Trace& start(std::int64_t us, int callback, int within = 0) {
    return event(us, "ros2:callback_start", fmt::format("callback = 0x{:X}, is_intra_process = {}", callback, within));
  }
  Ros2Trace& end(std::int64_t us, int callback) { return event(us, "ros2:callback_end", fmt::format("callback = 0x{:X}", callback)); }
  Ros2Trace& publish(std::int64_t us, int publisher) {
    return event(us, "ros2:rcl_publish", fmt::format("publisher_handle = 0x{:X}, message = 0x7F", publisher));
  }
  /// With the stamp of Jazzy.
  Ros2Trace& stamped(std::int64_t us, int publisher, std::int64_t stamp) {
    publish(us, publisher);
    return event(us, "ros2:rmw_publish", fmt::format("rmw_publisher_handle = 0x2, message = 0x7F, timestamp = {}", stamp));
  }
  Ros2Trace& take(std::int64_t us, std::int64_t stamp) {
    return event(us, "ros2:rmw_take", fmt::format("rmw_subscription_handle = 0x3, message = 0x8, source_timestamp = {}, taken = 1", stamp));
  }

  std::string text;

 private:
  static std::string clock(std::int64_t us) {
    const std::int64_t s = us / 1'000'000;
    return fmt::format("{:02}:{:02}:{:02}.{:06}000", 10 + s / 3600, s / 60 % 60, s % 60, us % 1'000'000);
  }

  int process_, thread_;
};

/// A timer of 100 ms in /sensor (callback 0xA1) that publishes /scan after 4 ms and ends after 5 ms; /filter (0xB1) takes it 0.5 ms later
/// for 3 ms, the second time for 2 ms. One thread.
inline Ros2Trace chain() {
  Ros2Trace trace;
  trace.node(0x10, "sensor").node(0x20, "filter").publisher(0x11, 0x10, "/scan");
  trace.timer(0xA0, 0x10, 100'000'000, 0xA1).subscription(0xB0, 0x20, "/scan", 0xB1);
  for (const std::int64_t at : {1000, 101'000}) {
    trace.start(at, 0xA1).publish(at + 4000, 0x11).end(at + 5000, 0xA1);
    trace.start(at + 5500, 0xB1).end(at + (at == 1000 ? 8500 : 7500), 0xB1);
  }
  return trace;
}

}  // namespace rta::test
