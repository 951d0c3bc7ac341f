#include "system.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace rta::convert {
namespace {

constexpr std::size_t most_roots_of_callback = 100'000, most_roots = 2'000'000;
constexpr std::size_t most_stamps = 500'000;   // messages that may be on their way at once
constexpr std::size_t deepest_queue = 10'000;  // of a subscription
constexpr std::size_t deepest_nesting = 1000;
constexpr std::size_t kept_beyond_depth = 16;            // messages that may be taken, and not started, when others come
constexpr std::int64_t longest_late_stamp = 20'000'000;  // ns

// Of two clocks whose difference is a time zone's, how much later `stamp` is than `time`.
std::int64_t later_by(std::int64_t stamp, std::int64_t time) {
  constexpr std::int64_t quarter = 900'000'000'000;
  const std::int64_t rest = (stamp % quarter - time % quarter + quarter) % quarter;
  return rest > quarter / 2 ? rest - quarter : rest;
}

void lessen(std::optional<std::int64_t>& least, std::int64_t value) { least = std::min(least.value_or(value), value); }

// `2.3.0`
std::optional<std::int64_t> major_of(std::string_view version) {
  std::int64_t major = 0;
  const auto [end, fault] = std::from_chars(version.data(), version.data() + version.size(), major);
  return fault == std::errc() && end != version.data() ? std::optional(major) : std::nullopt;
}

std::string full_name(std::string_view space, std::string_view name) {
  std::string full(space);
  if (!full.ends_with('/')) full += '/';
  return full.append(name);
}

}  // namespace

// What a handle stands for; a thing of which only the handle is known so far is made.
template <class Thing>
Ros2Id Ros2System::known(std::vector<Thing>& all, const Key& key) {
  const auto [at, fresh] = index_.emplace(key, static_cast<Ros2Id>(all.size()));
  if (fresh) all.emplace_back();
  return at->second;
}

// From now on the handle stands for another thing: handles are addresses, which come back.
template <class Thing>
Ros2Id Ros2System::anew(std::vector<Thing>& all, const Key& key) {
  const auto id = static_cast<Ros2Id>(all.size());
  index_[key] = id;
  all.emplace_back();
  return id;
}

Ros2Id Ros2System::host_of(std::string_view name) {
  const auto at = hosts_.find(name);
  return at != hosts_.end() ? at->second : hosts_.emplace(std::string(name), static_cast<Ros2Id>(hosts_.size())).first->second;
}

Ros2Id Ros2System::process_of(const Ros2Event& event) {
  const auto id = events_.number_if("vpid");
  if (!id) {
    events_.fail(
        fmt::format("event '{}' does not say in which process it was: record with the contexts vpid and vtid (lttng add-context "
                    "--userspace --type vpid --type vtid --type procname; ros2 trace adds them)",
                    event.name));
  }
  const auto [at, fresh] = process_index_.emplace(std::pair(host_of(event.host), *id), static_cast<Ros2Id>(processes.size()));
  if (fresh) processes.push_back({std::string(event.host), *id, {}});
  Ros2Process& process = processes[at->second];
  if (process.name.empty()) {
    if (const auto name = event.find("procname")) process.name = *name;
  }
  return at->second;
}

Ros2Id Ros2System::thread_at(Ros2Id host, std::int64_t id) {
  const auto [at, fresh] = thread_index_.emplace(std::pair(host, id), static_cast<Ros2Id>(threads.size()));
  if (fresh) {
    threads.push_back({host, id, 0});
    states_.emplace_back();
  }
  return at->second;
}

Ros2Id Ros2System::thread_of(const Ros2Event& event) {
  const auto id = events_.number_if("vtid");
  if (!id) {
    events_.fail(
        fmt::format("event '{}' does not say on which thread it was: record with the contexts vpid and vtid (lttng add-context "
                    "--userspace --type vpid --type vtid --type procname; ros2 trace adds them)",
                    event.name));
  }
  return thread_at(host_of(event.host), *id);
}

Ros2Id Ros2System::callback_of(Ros2Id process, std::int64_t address) {
  const Ros2Id id = known(callbacks, key(process, Kind_::callback, address));
  callbacks[id].process = process;
  callbacks[id].address = static_cast<std::uint64_t>(address);
  return id;
}

void Ros2System::owned(Ros2Id process, std::int64_t address, Ros2Owner owner, Ros2Id by) {
  Ros2Id id = callback_of(process, address);
  if (callbacks[id].owner != Ros2Owner::unknown && (callbacks[id].owner != owner || callbacks[id].owned_by != by)) {
    id = anew(callbacks, key(process, Kind_::callback, address));
    callbacks[id].process = process;
    callbacks[id].address = static_cast<std::uint64_t>(address);
  }
  callbacks[id].owner = owner;
  callbacks[id].owned_by = by;
}

void Ros2System::take(const Ros2Event& event) {
  if (event.name == "sched_switch") return take_switch(host_of(event.host));
  if (event.name.starts_with("sched_wak")) return take_wakeup(host_of(event.host));
  constexpr std::string_view of_ros = "ros2:", of_caret = "ros2_caret:";
  const bool caret = event.name.starts_with(of_caret);
  const std::string_view name = event.name.substr(caret ? of_caret.size() : of_ros.size());
  const Ros2Id process = process_of(event);
  if (take_initialisation(name, process) || take_structure(name, process)) return;
  const Ros2Id thread = thread_of(event);
  ThreadState& t = states_[thread];
  if (t.doing != Doing_::runs) {  // it does, as it says something: that it began to was lost, or another thread has its number
    if (t.doing != Doing_::unknown) ++ran_while_off;
    t.doing = Doing_::runs;
    t.since = events_.now();
  }
  if (name == "callback_start") {
    start(process, thread, events_.number_if("is_intra_process").value_or(0) != 0);
  } else if (name == "callback_end") {
    end(process, thread);
  } else if (name == "rcl_publish") {
    publish(process, thread, false);
  } else if (name == "rclcpp_intra_publish") {
    publish(process, thread, true);
  } else if (name == "rmw_publish") {  // with its stamp from Jazzy on
    if (const auto time = events_.number_if("timestamp")) stamp(thread, events_.number("message"), *time);
  } else if (name == "dds_bind_addr_to_stamp") {
    stamp(thread, events_.number("addr"), events_.number("source_stamp"));
  } else if (name == "rmw_take") {
    if (events_.number_if("taken").value_or(1) != 0) t.taken_stamp = events_.number("source_timestamp");
  } else if (name == "dispatch_subscription_callback") {
    t.taken_stamp = events_.number("source_stamp");
  } else if (name == "rclcpp_executor_wait_for_work") {
    ++threads[thread].polls;
  }
}

// What stands behind handles.
bool Ros2System::take_initialisation(std::string_view name, Ros2Id process) {
  const auto node = [&] { return known(nodes, key(process, Kind_::node, events_.number("node_handle"))); };
  if (name == "rcl_init") {
    rcl_major = std::max(rcl_major, major_of(events_.text("version")));
  } else if (name == "rcl_node_init") {
    const Key handle = key(process, Kind_::node, events_.number("node_handle"));
    const std::string full = full_name(events_.text("namespace"), events_.text("node_name"));
    Ros2Id id = known(nodes, handle);
    if (!nodes[id].name.empty() && nodes[id].name != full) id = anew(nodes, handle);
    nodes[id].name = full;
  } else if (name == "rcl_publisher_init") {
    const Key handle = key(process, Kind_::publisher, events_.number("publisher_handle"));
    const std::string_view topic = events_.text("topic_name");
    Ros2Id id = known(publishers, handle);
    if (!publishers[id].topic.empty() && publishers[id].topic != topic) id = anew(publishers, handle);
    publishers[id].topic = topic;
  } else if (name == "rcl_subscription_init") {
    const Key handle = key(process, Kind_::subscription, events_.number("subscription_handle"));
    const std::string_view topic = events_.text("topic_name");
    const Ros2Id of = node();
    Ros2Id id = known(subscriptions, handle);
    if (!subscriptions[id].topic.empty() && (subscriptions[id].topic != topic || subscriptions[id].node != of)) {
      id = anew(subscriptions, handle);
    }
    Ros2Subscription& s = subscriptions[id];
    if (s.topic.empty()) subscriptions_of_[std::string(topic)].push_back(id);
    const auto depth = events_.number_if("queue_depth").value_or(1);
    s = {process, std::string(topic), of, static_cast<std::size_t>(std::clamp<std::int64_t>(depth, 1, deepest_queue))};
  } else if (name == "rclcpp_subscription_init") {
    const Key handle = key(process, Kind_::object, events_.number("subscription"));
    const Ros2Id subscription = known(subscriptions, key(process, Kind_::subscription, events_.number("subscription_handle")));
    Ros2Id id = known(objects_, handle);
    if (objects_[id].to != unknown_id && objects_[id].to != subscription) id = anew(objects_, handle);
    objects_[id].to = subscription;
  } else if (name == "rclcpp_subscription_callback_added") {
    const auto at = index_.find(key(process, Kind_::object, events_.number("subscription")));
    if (at != index_.end()) owned(process, events_.number("callback"), Ros2Owner::subscription, objects_[at->second].to);
  } else if (name == "rcl_service_init" || name == "rcl_client_init") {
    const bool client = name == "rcl_client_init";
    const Key handle = key(process, client ? Kind_::client : Kind_::service, events_.number(client ? "client_handle" : "service_handle"));
    const std::string_view service = events_.text("service_name");
    Ros2Id id = known(services, handle);
    if (!services[id].name.empty() && services[id].name != service) id = anew(services, handle);
    services[id].name = service;
    services[id].node = node();
  } else if (name == "rclcpp_service_callback_added") {
    owned(process, events_.number("callback"), Ros2Owner::service,
          known(services, key(process, Kind_::service, events_.number("service_handle"))));
  } else if (name == "rcl_timer_init") {
    const Key handle = key(process, Kind_::timer, events_.number("timer_handle"));
    const std::int64_t period = events_.number("period");
    Ros2Id id = known(timers, handle);
    if (timers[id].period && *timers[id].period != period) id = anew(timers, handle);
    timers[id].period = period;
  } else if (name == "rclcpp_timer_callback_added") {
    owned(process, events_.number("callback"), Ros2Owner::timer, known(timers, key(process, Kind_::timer, events_.number("timer_handle"))));
  } else if (name == "rclcpp_timer_link_node") {
    timers[known(timers, key(process, Kind_::timer, events_.number("timer_handle")))].node = node();
  } else if (name == "rclcpp_callback_register") {
    callbacks[callback_of(process, events_.number("callback"))].symbol = events_.text("symbol");
  } else {
    return false;
  }
  return true;
}

// CARET's events of executors and callback groups.
bool Ros2System::take_structure(std::string_view name, Ros2Id process) {
  const auto group = [&] { return known(groups, key(process, Kind_::group, events_.number("callback_group_addr"))); };
  const auto executor = [&] {
    const Ros2Id id = known(executors, key(process, Kind_::executor, events_.number("executor_addr")));
    executors[id].process = process;
    return id;
  };
  const auto collector = [&] { return known(collectors_, key(process, Kind_::collector, events_.number("entities_collector_addr"))); };
  if (name == "construct_executor") {
    executors[executor()].type = events_.text("executor_type_name");
  } else if (name == "construct_static_executor") {
    const Ros2Id id = executor();
    executors[id].type = events_.text("executor_type_name");
    collectors_[collector()].to = id;
  } else if (name == "add_callback_group") {
    const Ros2Id id = group();
    groups[id] = {executor(), unknown_id, std::string(events_.text("group_type_name"))};
  } else if (name == "add_callback_group_static_executor" || name == "callback_group_to_executor_entity_collector") {
    const Ros2Id id = group();
    groups[id] = {unknown_id, collector(), std::string(events_.text("group_type_name"))};
  } else if (name == "executor_entity_collector_to_executor") {
    const Ros2Id id = executor();
    collectors_[collector()].to = id;
  } else if (name == "callback_group_add_timer") {
    group_of[{Ros2Owner::timer, known(timers, key(process, Kind_::timer, events_.number("timer_handle")))}] = group();
  } else if (name == "callback_group_add_subscription") {
    group_of[{Ros2Owner::subscription, known(subscriptions, key(process, Kind_::subscription, events_.number("subscription_handle")))}] =
        group();
  } else if (name == "callback_group_add_service") {
    group_of[{Ros2Owner::service, known(services, key(process, Kind_::service, events_.number("service_handle")))}] = group();
  } else if (name == "callback_group_add_client") {
    group_of[{Ros2Owner::client, known(services, key(process, Kind_::client, events_.number("client_handle")))}] = group();
  } else {
    return false;
  }
  return true;
}

void Ros2System::change(ThreadState& t, Doing_ doing) const {
  const std::int64_t passed = events_.now() - t.since;
  if (t.doing == Doing_::ready) t.ready += passed;
  if (t.doing == Doing_::asleep) t.asleep += passed;
  t.doing = doing;
  t.since = events_.now();
}

void Ros2System::take_switch(Ros2Id host) {
  ++switches;
  const auto mark = [&](std::int64_t id, Doing_ doing) {
    if (id == 0) return;
    const auto at = thread_index_.find({host, id});
    if (at == thread_index_.end()) return;
    ++switches_seen;
    change(states_[at->second], doing);
  };
  constexpr std::int64_t preempted = 256;  // TASK_REPORT_MAX
  const std::int64_t state = events_.number("prev_state");
  mark(events_.number("prev_tid"), state == 0 || state == preempted ? Doing_::ready : Doing_::asleep);
  mark(events_.number("next_tid"), Doing_::runs);
}

// Its wait for a processor begins, and its wait for others ends.
void Ros2System::take_wakeup(Ros2Id host) {
  const auto at = thread_index_.find({host, events_.number("tid")});
  if (at != thread_index_.end() && states_[at->second].doing == Doing_::asleep) change(states_[at->second], Doing_::ready);
}

// What released the job that a callback begins; none: no callback of the trace.
std::optional<Ros2System::Publication> Ros2System::released_by(const Ros2Callback& c, ThreadState& t, bool within) {
  if (c.owner != Ros2Owner::subscription || c.owned_by == unknown_id) return std::nullopt;
  std::optional<Publication> found;
  if (!within && exact_links && t.taken_stamp) {
    const auto at = by_stamp_.find(*t.taken_stamp);
    if (at != by_stamp_.end()) found = at->second;
  } else if (c.owned_by < queues_.size()) {
    auto& queue = within ? queues_[c.owned_by].within : queues_[c.owned_by].between;
    if (!within && t.taken_stamp) {
      // The middleware stamped it when it was published: by a clock that is that of the events, but for its zone.
      constexpr std::int64_t earliest = -5'000'000, latest = 50'000'000;
      const auto distance = [&](const Publication& p) { return std::abs(later_by(*t.taken_stamp, p.time)); };
      const auto at = std::ranges::min_element(queue, {}, distance);
      if (at != queue.end() && later_by(*t.taken_stamp, at->time) >= earliest && later_by(*t.taken_stamp, at->time) <= latest) {
        found = *at;
        queue.erase(queue.begin(), at + 1);
      }
    } else {
      while (queue.size() > subscriptions[c.owned_by].depth) queue.pop_front();  // KEEP_LAST
      if (!queue.empty()) {
        found = queue.front();
        queue.pop_front();
      }
    }
  }
  if (found) {
    const std::int64_t delay = events_.now() - found->time;
    least_delay = messages == 0 ? delay : std::min(least_delay, delay);
    most_delay = std::max(most_delay, delay);
    sum_of_delays += delay;
    ++messages;
  }
  return found && found->by_callback ? found : std::nullopt;
}

void Ros2System::start(Ros2Id process, Ros2Id thread, bool within) {
  const Ros2Id id = callback_of(process, events_.number("callback"));
  Ros2Callback& c = callbacks[id];
  ThreadState& t = states_[thread];
  const std::int64_t now = events_.now();
  count_waiting(now - longest_late_stamp);
  if (!t.open.empty() && (t.gaps != events_.gaps() || t.open.size() >= deepest_nesting)) {  // ends were lost
    for (Job& job : t.open) cut(job, thread);
    t.open.clear();
  }
  if (t.open.empty()) t.gaps = events_.gaps();
  if (!t.open.empty()) {
    ++c.nested;
    t.open.back().around = true;
  }
  ++c.starts;
  if (c.last_start) lessen(c.distance, now - *c.last_start);
  if (!c.first_start) c.first_start = now;
  c.last_start = now;
  if (std::ranges::find(c.threads, thread) == c.threads.end()) c.threads.push_back(thread);
  if (threads[thread].polls > 0) {
    if (c.last_thread == thread && c.last_poll == threads[thread].polls) ++c.twice;
    c.last_thread = thread;
    c.last_poll = threads[thread].polls;
  }
  Job job;
  job.callback = id;
  job.start = now;
  job.ready = t.ready;
  job.asleep = t.asleep;
  const bool left_out = c.owner == Ros2Owner::subscription && c.owned_by != unknown_id && leaves_out(subscriptions[c.owned_by].topic);
  if (const auto publication = left_out ? std::nullopt : released_by(c, t, within)) {
    job.root = publication->root;
  } else {
    if (c.kept_roots < most_roots_of_callback && roots.size() < most_roots) {
      ++c.kept_roots;
      job.root = static_cast<Ros2Id>(roots.size());
      roots.push_back({id, now, now, false});
    }
    if (left_out) {
      count_outside(c, now, t.taken_stamp);
    } else if (c.owner == Ros2Owner::subscription && t.taken_stamp) {
      waiting_.push_back({*t.taken_stamp, now, id, job.root});
    } else {
      count_outside(c, now, std::nullopt);
    }
  }
  t.taken_stamp.reset();
  t.open.push_back(std::move(job));
}

void Ros2System::count_outside(Ros2Callback& c, std::int64_t start, std::optional<std::int64_t> stamp) {
  ++c.released_outside;
  if (c.last_outside && start > *c.last_outside) lessen(c.distance_outside, start - *c.last_outside);
  c.last_outside = start;
  if (!stamp) return;
  if (c.last_stamp && *stamp > *c.last_stamp) lessen(c.distance_outside, *stamp - *c.last_stamp);
  c.last_stamp = stamp;
}

void Ros2System::count_waiting(std::int64_t until) {
  for (; !waiting_.empty() && waiting_.front().start <= until; waiting_.pop_front()) {
    const Waiting& job = waiting_.front();
    count_outside(callbacks[job.callback], job.start, job.stamp);
  }
}

void Ros2System::cut(Job& job, Ros2Id thread) {
  Ros2Callback& c = callbacks[job.callback];
  ++cut_jobs;
  const ThreadState& t = states_[thread];
  const std::int64_t ready = t.ready + (t.doing == Doing_::ready ? events_.now() - t.since : 0) - job.ready;
  // Around others it may have ended long ago, and its end was lost.
  if (t.gaps == events_.gaps() && !job.around) c.longest_cut = std::max(c.longest_cut, events_.now() - job.start - ready);
  if (job.root != unknown_id) roots[job.root].cut = true;
}

void Ros2System::end(Ros2Id process, Ros2Id thread) {
  const Ros2Id id = callback_of(process, events_.number("callback"));
  ThreadState& t = states_[thread];
  const auto same = [&](const Job& job) { return job.callback == id; };
  const auto at = std::find_if(t.open.rbegin(), t.open.rend(), same);
  if (at == t.open.rend()) {
    ++begun_before;
    return;
  }
  while (!same(t.open.back())) {  // its end was lost
    ++torn;
    cut(t.open.back(), thread);
    t.open.pop_back();
  }
  const Job job = std::move(t.open.back());
  t.open.pop_back();
  Ros2Callback& c = callbacks[id];
  const std::int64_t wall = events_.now() - job.start, length = wall - (t.ready - job.ready);
  c.least = c.jobs == 0 ? length : std::min(c.least, length);
  c.most = std::max(c.most, length);
  c.most_wall = std::max(c.most_wall, wall);
  c.most_preempted = std::max(c.most_preempted, wall - length);
  c.sum += length;
  c.waited += t.asleep - job.asleep;
  ++c.jobs;
  if (job.root != unknown_id) roots[job.root].end = std::max(roots[job.root].end, events_.now());
  std::map<std::string_view, Ros2Output> outputs;
  for (const Published& of : job.published) {
    Ros2Output& output = outputs[publishers[of.publisher].topic];
    output.beyond += of.between;
    output.within += std::max(of.between, of.within);  // a message may be handed on both ways
  }
  for (const auto& [topic, output] : outputs) {
    Ros2Output& most = c.outputs[std::string(topic)];
    most.beyond = std::max(most.beyond, output.beyond);
    most.within = std::max(most.within, output.within);
  }
}

void Ros2System::publish(Ros2Id process, Ros2Id thread, bool within) {
  const Ros2Id id = known(publishers, key(process, Kind_::publisher, events_.number("publisher_handle")));
  ThreadState& t = states_[thread];
  t.publication = {false, unknown_id, events_.now()};
  if (!t.open.empty()) {
    Job& job = t.open.back();
    t.publication.by_callback = true;
    t.publication.root = job.root;
    auto at = std::ranges::find(job.published, id, &Published::publisher);
    if (at == job.published.end()) at = job.published.insert(at, Published{id});
    ++(within ? at->within : at->between);
  }
  if (!within) t.written = static_cast<std::uint64_t>(events_.number("message"));
  if (!within && exact_links) return;
  const auto of_topic = subscriptions_of_.find(publishers[id].topic);
  if (of_topic == subscriptions_of_.end()) return;
  if (queues_.size() < subscriptions.size()) queues_.resize(subscriptions.size());
  for (const Ros2Id s : of_topic->second) {
    if (within && subscriptions[s].process != process) continue;
    auto& queue = within ? queues_[s].within : queues_[s].between;
    if (queue.size() == subscriptions[s].depth + kept_beyond_depth) queue.pop_front();
    queue.push_back(t.publication);
  }
}

void Ros2System::stamp(Ros2Id thread, std::int64_t message, std::int64_t time) {
  ThreadState& t = states_[thread];
  if (t.written != static_cast<std::uint64_t>(message)) return;  // a reply of a service, or of another layer
  exact_links = true;
  t.written.reset();
  // What has taken it already: how long the jobs lasted to which that belongs is not known.
  std::erase_if(waiting_, [&](const Waiting& job) {
    if (job.stamp != time) return false;
    if (t.publication.by_callback) {
      for (const Ros2Id root : {job.root, t.publication.root}) {
        if (root != unknown_id) roots[root].cut = true;
      }
    }
    return t.publication.by_callback;
  });
  if (!by_stamp_.insert_or_assign(time, t.publication).second) return;
  stamps_.push_back(time);
  if (stamps_.size() <= most_stamps) return;
  by_stamp_.erase(stamps_.front());
  stamps_.pop_front();
}

bool topic_fits(const std::string& one, const std::string& topic) { return one == topic || ::fnmatch(one.c_str(), topic.c_str(), 0) == 0; }

bool Ros2System::leaves_out(const std::string& topic) const {
  return !topic.empty() && std::ranges::any_of(left_out_, [&](const std::string& one) { return topic_fits(one, topic); });
}

void Ros2System::finish() {
  count_waiting(std::numeric_limits<std::int64_t>::max());
  for (Ros2Id thread = 0; thread < states_.size(); ++thread) {
    for (Job& job : states_[thread].open) cut(job, thread);
    states_[thread].open.clear();
  }
  for (Ros2Group& group : groups) {
    if (group.collector != unknown_id) group.executor = collectors_[group.collector].to;
  }
}

}  // namespace rta::convert
