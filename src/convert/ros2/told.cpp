#include "told.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "rta/io/time_text.hpp"

namespace rta::convert {
namespace {

// `75.196642 ms`
std::string in_ms(std::int64_t ns) { return fmt::format("{}.{:06} ms", ns / 1'000'000, ns % 1'000'000); }

std::string described(const Ros2System& system, const Ros2Callback& c) {
  const std::string node = node_of(system, c);
  const std::string of = node.empty() ? std::string() : " of " + node;
  switch (c.owner) {
    case Ros2Owner::timer: return "the timer" + of;
    case Ros2Owner::subscription: return fmt::format("the subscription{} to {}", of, topic_of(system, c));
    case Ros2Owner::service: return fmt::format("the service {}{}", topic_of(system, c), of);
    case Ros2Owner::client: return fmt::format("the client{} of {}", of, topic_of(system, c));
    case Ros2Owner::unknown: break;
  }
  return fmt::format("a callback at 0x{:X}{}", c.address, c.symbol.empty() ? std::string() : ", " + one_line(c.symbol, 80));
}

std::string list_of(const std::set<std::string>& names) {
  constexpr std::size_t most = 30;
  std::string list;
  std::size_t shown = 0;
  for (const std::string& name : names) {
    if (shown++ == most) return list + ", …";
    list += (list.empty() ? "" : ", ") + one_line(name, 60);
  }
  return list.empty() ? "none" : list;
}

}  // namespace

void tell_what_was_found(const Ros2Events& events, const Ros2Read& read, Notes& notes) {
  const Ros2System& system = read.system;
  std::size_t topics = 0;
  std::set<std::string> seen;
  for (const Ros2Publisher& p : system.publishers) topics += p.topic.empty() || !seen.insert(p.topic).second ? 0U : 1U;
  notes.found(fmt::format("{} events within {}: {} process{}, {} nodes, {} topics with publishers", events.count(),
                          in_ms(events.now() - events.first()), system.processes.size(), system.processes.size() == 1 ? "" : "es",
                          system.nodes.size(), topics));
  for (const Ros2Id id : read.kept) {
    const Ros2Callback& c = system.callbacks[id];
    notes.found(fmt::format("'{}' is {}: {} whole job{}{}", read.names[id], described(system, c), c.jobs, c.jobs == 1 ? "" : "s",
                            c.jobs == 0 ? std::string() : fmt::format(" of {} to {}", in_ms(c.least), in_ms(c.most))));
  }
  if (system.messages > 0) {
    notes.found(fmt::format("{} messages were followed from publication to callback ({}): {} to {}, {} on average", system.messages,
                            system.exact_links ? "by their stamps" : "in the order of their topics", in_ms(system.least_delay),
                            in_ms(system.most_delay), in_ms(to_time(system.sum_of_delays / static_cast<Wide>(system.messages)).count())));
  }
}

void tell_what_is_assumed(const Ros2Events& events, const Ros2Read& read, bool edges, Notes& notes) {
  const Ros2System& system = read.system;
  const bool scheduled = system.switches_seen > 0;
  Wide waited = 0;
  for (const Ros2Id id : read.kept) {
    const Ros2Callback& c = system.callbacks[id];
    waited += c.waited;
    if (c.outputs.contains(std::string())) {
      notes.assume(
          fmt::format("'{}' publishes on a topic that the trace does not name (its publisher's initialisation is not in it): WHAT "
                      "ITS MESSAGES RELEASE IS NO PART OF ITS DAG",
                      read.names[id]));
    }
    if (c.owner == Ros2Owner::unknown) {
      notes.assume(
          fmt::format("'{}': nothing tells what this callback is for (its initialisation is not in the trace: record from "
                      "before the nodes start): it is a DAG of its own",
                      read.names[id]));
    }
    if (c.jobs == 0) {
      notes.assume(fmt::format("'{}': no whole job of it is in the trace: C is what it ran within it, AND MAY BE LONGER", read.names[id]));
    } else if (c.longest_cut > c.most) {
      notes.assume(
          fmt::format("'{}': a job that the trace cuts off ran longest: C is what is in the trace, AND MAY BE LONGER", read.names[id]));
    }
  }
  if (system.ran_while_off > 0) {
    notes.assume(
        fmt::format("C is the longest time from start to end of a callback, WITH WHAT PREEMPTED IT: {} events are of threads that "
                    "sched_switch has off their processors, so that switches were lost, or threads have other numbers there (a container)",
                    system.ran_while_off));
  } else if (scheduled) {
    notes.assume(
        "C is the longest time from start to end of a callback, without that in which its thread was ready and did not run; min and "
        "mode are for simulations alone");
  } else {
    notes.assume(
        fmt::format("C is the longest time from start to end of a callback, WITH WHAT PREEMPTED IT, as {}; min and mode are for "
                    "simulations alone",
                    system.switches > 0 ? "threads have other numbers in the kernel's events than in those of ROS 2 (a container)"
                                        : "no sched_switch is in the trace (ros2 trace -k sched_switch sched_waking)"));
  }
  if (waited > 0) {
    notes.assume(
        fmt::format("callbacks waited for {} in all for others than a processor (the GPU, files, locks, sleep): that holds their "
                    "executors, and counts as execution",
                    io::time_text(to_time(waited))));
  }
  notes.assume(
      "each executor's threads have processors of their own: what runs there beside callbacks is in no bound, nor what the "
      "executor, the middleware and the kernel take between callbacks");
  notes.assume(
      "a message is in its queue when the callback that publishes it ends, and a queue holds all that waits: what the middleware "
      "takes, and messages that it drops, are in no bound");
  if (edges) {
    notes.assume(
        "each message counts as a job of each subscription to its topic, as often as any job of the callback published: what "
        "some jobs alone publish counts always");
  }
  if (system.begun_before > 0) notes.assume(fmt::format("{} jobs that had begun before the trace are left out", system.begun_before));
  if (events.gaps() > 0) {
    notes.warn({notes.file(), 0, 0,
                fmt::format("the tracer lost events in {} places (larger buffers lose none): jobs beside them are cut off, and others "
                            "may have taken longer or led to more",
                            events.gaps())});
  }
  if (system.torn > 0)
    notes.assume(fmt::format("{} events contradict what came before: their jobs count as far as they are known", system.torn));
}

void tell_left_out_topics(const std::vector<std::string>& left_out, const Ros2Read& read, Notes& notes) {
  if (left_out.empty()) return;
  const Ros2System& system = read.system;
  std::set<std::string> topics;
  for (const Ros2Publisher& p : system.publishers) topics.insert(p.topic);
  for (const Ros2Subscription& s : system.subscriptions) topics.insert(s.topic);
  topics.erase(std::string());
  for (const std::string& one : left_out) {
    if (std::ranges::any_of(topics, [&](const std::string& topic) { return topic_fits(one, topic); })) continue;
    refuse(notes.file(), fmt::format("--leave-out-topic {}: no topic is called so (there are: {})", one_line(one, 60), list_of(topics)));
  }
  for (const std::string& topic : topics) {
    if (!system.leaves_out(topic)) continue;
    std::size_t writers = 0;
    std::string readers;
    for (const Ros2Id id : read.kept) {
      const Ros2Callback& c = system.callbacks[id];
      if (c.outputs.contains(topic)) ++writers;
      if (c.owner != Ros2Owner::subscription || topic_of(system, c) != topic) continue;
      readers += fmt::format("{}'{}' ({} job{})", readers.empty() ? "" : ", ", read.names[id], c.starts, c.starts == 1 ? "" : "s");
    }
    notes.assume(fmt::format("topic '{}' IS LEFT OUT (--leave-out-topic): {}", one_line(topic, 60),
                             readers.empty()
                                 ? "no callback that counts takes its messages"
                                 : fmt::format("messages of {} callback{} on it are no edges, and what takes them is a DAG of its "
                                               "own, with the least distance of its starts as T: {}",
                                               writers, writers == 1 ? "" : "s", readers)));
  }
}

}  // namespace rta::convert
