// What the user is told of a trace of ROS 2 as a whole: what is in it, and what bounds rest on.
#pragma once

#include <string>
#include <vector>

#include "../notes.hpp"
#include "callback_names.hpp"
#include "events.hpp"

namespace rta::convert {

struct Ros2Read {
  const Ros2System& system;
  const std::vector<Ros2Id>& kept;        // callbacks that count
  const std::vector<std::string>& names;  // of callbacks
};

void tell_what_was_found(const Ros2Events& events, const Ros2Read& read, Notes& notes);
/// `edges`: messages of some callback release another one.
void tell_what_is_assumed(const Ros2Events& events, const Ros2Read& read, bool edges, Notes& notes);
/// Of topics that `--leave-out-topic` names; throws `io::InputError` for a name that is none of the trace.
void tell_left_out_topics(const std::vector<std::string>& left_out, const Ros2Read& read, Notes& notes);

}  // namespace rta::convert
