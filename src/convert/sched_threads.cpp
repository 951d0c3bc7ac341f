#include "sched_threads.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace rta::convert {
namespace {

constexpr std::size_t most_threads = 1'000'000;

}  // namespace

void SchedThreads::take(const SchedGap& /*gap*/) {
  if (counts_.switches > 0) ++counts_.gaps;
  forget();
}

void SchedThreads::take(const SchedSwitch& event) {
  ++counts_.switches;
  Processor& processor = cpus_.try_emplace(event.cpu, Processor{begin_.value_or(events_.first()), {}}).first->second;
  if (event.before.id != 0) {
    ObservedThread& t = thread(event.before);
    stop(t, event.cpu, processor.last, event.state);
    if (t.doing == Doing::ready && t.stopped_ready) processor.ready.push_back(static_cast<std::size_t>(&t - threads_.data()));
  }
  if (event.after.id != 0) start(thread(event.after), event.cpu);
  processor.last = now();
  hold(processor, event.cpu, event.after.id == 0);
}

// Who is ready while its processor idles is held back, as by the limit for real-time threads: it counts as execution.
void SchedThreads::hold(Processor& processor, std::uint32_t cpu, bool idles) {
  std::erase_if(processor.ready, [&](std::size_t i) {
    const ObservedThread& t = threads_[i];
    return t.doing != Doing::ready || !t.stopped_ready || t.cpu != cpu;
  });
  for (const std::size_t i : processor.ready) {
    if (!idles) {
      end_hold(threads_[i]);
    } else if (!threads_[i].held_since) {
      threads_[i].held_since = now();
    }
  }
}
void SchedThreads::end_hold(ObservedThread& t) const {
  if (!t.held_since) return;
  count(t, *t.held_since);
  t.held = checked_add(t.held, now() - *t.held_since);
  t.held_since.reset();
}

ObservedThread& SchedThreads::thread(const SchedWho& who) {
  const auto [at, fresh] = index_.emplace(who.id, threads_.size());
  if (!fresh) {
    // Numbers are used again; threads that are given a name are at work.
    const ObservedThread& known = threads_[at->second];
    if (known.name != who.name && (known.doing == Doing::sleeps || known.doing == Doing::unknown)) at->second = threads_.size();
  }
  if (at->second == threads_.size()) {
    if (threads_.size() == most_threads) events_.fail(fmt::format("the trace is of more than {} threads", most_threads));
    threads_.emplace_back();
    threads_.back().id = who.id;
    threads_.back().name = who.name;
    threads_.back().priority = who.priority;
  }
  ObservedThread& of = threads_[at->second];
  if (of.name != who.name) {
    of.former.insert(of.name);
    of.name = who.name;
  }
  of.changed_priority = of.changed_priority || of.priority != who.priority;
  of.priority = std::max(of.priority, who.priority);
  return of;
}

void SchedThreads::release(ObservedThread& t, std::int64_t time) {
  if (t.release) t.distance = std::min(t.distance.value_or(time - *t.release), time - *t.release);
  t.release = time;
  t.open = true;
  t.cut = false;
  t.ran = 0;
}
// A job whose release is not in the recording.
void SchedThreads::begin_cut(ObservedThread& t) {
  if (!t.open) t.ran = 0;
  t.open = t.cut = true;
}
// A clock that shows no more than its unit may have shown this much less.
void SchedThreads::count(ObservedThread& t, std::int64_t from) const {
  t.ran = checked_add(t.ran, checked_add(now() - from, events_.unit() > 1 ? events_.unit() : 0));
}

void SchedThreads::take(const SchedWakeup& wakeup) {
  const auto& [who, first_half] = wakeup;
  if (who.id == 0) return;
  ObservedThread& t = thread(who);
  const bool same = t.half && !first_half;
  t.half = first_half;
  if (t.doing == Doing::waits) {
    count(t, t.since);
    ++counts_.waits;
  } else if (t.doing == Doing::sleeps || t.doing == Doing::unknown) {
    release(t, now());
  } else {
    if (same) return;
    // It may have come between the thread's decision to sleep and the switch.
    if (t.doing == Doing::runs) t.pending = now();
    // It had not: the thread had noticed that one before it slept.
    if (t.by_pending) t.release = now();
    return;
  }
  t.doing = Doing::ready;
}

void SchedThreads::start(ObservedThread& t, std::uint32_t cpu) {
  end_hold(t);
  switch (t.doing) {
    case Doing::sleeps:
      release(t, now());
      ++counts_.unwoken;
      break;
    case Doing::unknown: begin_cut(t); break;
    case Doing::waits:
      count(t, t.since);
      ++counts_.waits;
      break;
    case Doing::runs:
      ++counts_.torn;
      begin_cut(t);
      break;
    case Doing::ready: break;
  }
  t.by_pending = false;
  t.doing = Doing::runs;
  t.cpu = cpu;
  t.since = now();
}

// `idle_until`: since when no switch on that processor is known.
void SchedThreads::stop(ObservedThread& t, std::uint32_t cpu, std::int64_t idle_until, char state) {
  if (t.doing == Doing::runs && t.cpu == cpu) {
    count(t, t.since);
  } else {
    if (t.doing != Doing::unknown) ++counts_.torn;
    end_hold(t);
    begin_cut(t);
    count(t, idle_until);
  }
  t.since = now();
  t.cpu = cpu;
  t.stopped_ready = state == 'R';
  if (state == 'R') {
    t.doing = Doing::ready;
  } else if (state == 'D') {
    t.doing = Doing::waits;
    t.pending.reset();
  } else {
    end(t, t.cut);
    t.doing = Doing::sleeps;
    if (t.pending) {
      release(t, *t.pending);
      t.pending.reset();
      t.by_pending = true;
      t.doing = Doing::ready;
    }
  }
}

void SchedThreads::end(ObservedThread& t, bool cut) {
  if (!t.open) return;
  t.open = false;
  t.total = checked_add(t.total, t.ran);
  if (cut) {
    t.longest_cut = std::max(t.longest_cut, t.ran);
    return;
  }
  t.least = t.jobs == 0 ? t.ran : std::min(t.least, t.ran);
  t.most = std::max(t.most, t.ran);
  t.sum += t.ran;
  ++t.jobs;
  if (!t.release) return;
  t.longest = std::max(t.longest, t.since - *t.release);  // `since`: it has just stopped
  if (t.releases.size() < most_kept_releases) t.releases.push_back(*t.release);
}

// From here on nothing is known of what threads do.
void SchedThreads::forget() {
  if (!events_.now()) return;
  for (ObservedThread& t : threads_) {
    end_hold(t);
    if (t.doing == Doing::runs || t.doing == Doing::waits) count(t, t.since);
    end(t, true);
    t.doing = Doing::unknown;
    t.release.reset();
    t.pending.reset();
    t.by_pending = t.half = false;
  }
  counts_.processors = std::max(counts_.processors, cpus_.size());
  cpus_.clear();
  begin_ = now();
}

}  // namespace rta::convert
