#include "callback_names.hpp"

#include <algorithm>

#include "../names.hpp"

namespace rta::convert {

std::string node_of(const Ros2System& system, const Ros2Callback& c) {
  Ros2Id node = unknown_id;
  if (c.owned_by != unknown_id) {
    if (c.owner == Ros2Owner::timer) node = system.timers[c.owned_by].node;
    if (c.owner == Ros2Owner::subscription) node = system.subscriptions[c.owned_by].node;
    if (c.owner == Ros2Owner::service || c.owner == Ros2Owner::client) node = system.services[c.owned_by].node;
  }
  return node == unknown_id ? std::string() : system.nodes[node].name;
}

std::string topic_of(const Ros2System& system, const Ros2Callback& c) {
  if (c.owned_by == unknown_id) return {};
  if (c.owner == Ros2Owner::subscription) return system.subscriptions[c.owned_by].topic;
  if (c.owner == Ros2Owner::service || c.owner == Ros2Owner::client) return system.services[c.owned_by].name;
  return {};
}

std::string dotted(std::string_view path) {
  std::string out(path.substr(std::min(path.find_first_not_of('/'), path.size())));
  std::ranges::replace(out, '/', '.');
  return out;
}

std::string callback_name(const std::string& node, Ros2Owner owner, const std::string& topic) {
  std::string part = "callback";
  if (owner == Ros2Owner::timer) part = "timer";
  if (owner == Ros2Owner::subscription || owner == Ros2Owner::service || owner == Ros2Owner::client) {
    // What a node offers is called after it: `/filter/get` of `/filter` is `get`.
    const std::string own = node + "/";
    part = dotted(topic.starts_with(own) ? topic.substr(own.size()) : topic);
  }
  const std::string of = dotted(node);
  return one_word(of.empty() ? part : of + "." + part, "callback");
}

std::string short_name(const Ros2System& system, const Ros2Callback& c) {
  return callback_name(node_of(system, c), c.owner, topic_of(system, c));
}

}  // namespace rta::convert
