#include "sched_reader.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <variant>

#include "../io/yaml_text.hpp"
#include "names.hpp"
#include "observed_system.hpp"
#include "pools.hpp"
#include "sched_events.hpp"
#include "sched_threads.hpp"

namespace rta::convert {
namespace {

// Priorities of the kernel: below it threads are of a real-time class, the smallest number the most urgent.
constexpr std::int64_t first_normal = 100;

class SchedReader {
 public:
  SchedReader(Bytes& bytes, const Options& options, Notes& notes) : options_(options), notes_(notes), events_(bytes, notes) {}

  Draft read() {
    while (const auto event = events_.next()) {
      std::visit([&](const auto& of) { threads_.take(of); }, *event);
    }
    const SchedThreads::Counts& counts = threads_.counts();
    if (counts.switches == 0) {
      refuse(notes_.file(),
             "no sched_switch is in the file, so that nothing tells when threads ran (trace-cmd record -e sched, perf sched record)");
    }
    if (counts.torn >= 2 && counts.torn * 100 >= counts.switches) {
      refuse(notes_.file(), fmt::format("{} of {} switches contradict what came before (a thread that did not run stops, or starts on two "
                                        "processors): events are missing; record with larger buffers",
                                        counts.torn, counts.switches));
    }
    threads_.forget();
    return draft();
  }

 private:
  [[nodiscard]] bool is_asked_for(const ObservedThread& t) const {
    return options_.threads.empty() || std::ranges::any_of(options_.threads, [&](const std::string& one) {
             const auto fits = [&](const std::string& name) { return one == name || ::fnmatch(one.c_str(), name.c_str(), 0) == 0; };
             const bool asked = one == fmt::format("{}", t.id) || fits(t.name) || std::ranges::any_of(t.former, fits);
             if (asked) notes_.uses("thread " + one);
             return asked;
           });
  }

  std::vector<const ObservedThread*> chosen() {
    std::vector<const ObservedThread*> out;
    std::size_t others = 0, never = 0;
    Wide of_others = 0;
    for (const ObservedThread& t : threads_.all()) {
      if (!is_asked_for(t)) {
        ++others;
        of_others += t.total;
      } else if (t.total == 0) {
        ++never;
      } else {
        out.push_back(&t);
      }
    }
    if (out.empty()) {
      std::string names;
      for (std::size_t i = 0; i < std::min<std::size_t>(threads_.all().size(), 12); ++i)
        names += fmt::format("{}{}", i == 0 ? "" : ", ", one_line(threads_.all()[i].name, 20));
      refuse(notes_.file(),
             fmt::format("--thread: no thread of that name or number ran (threads: {}{})", names, threads_.all().size() > 12 ? ", …" : ""));
    }
    if (others > 0) {
      notes_.assume(fmt::format("{} OTHER THREADS ARE LEFT OUT (--thread), which took {} of processors: NO BOUND COVERS THEM", others,
                                io::time_text(to_time(of_others))));
    }
    if (never > 0) notes_.assume(fmt::format("{} threads that never ran are left out", never));
    return out;
  }

  Draft draft() {
    Draft draft;
    draft.name = std::filesystem::path(notes_.file()).filename().string();
    const std::vector<const ObservedThread*> threads = chosen();
    add_pool(draft, threads);
    const bool replaces = std::ranges::all_of(threads, [](const ObservedThread* t) { return t->distance.has_value(); });
    UniqueNames names;
    for (const ObservedThread* t : threads) draft.dags.push_back(dag_of(*t, replaces, names));
    keep_recorded(draft, threads);
    tell();
    return draft;
  }

  // What the model is held against.
  static void keep_recorded(Draft& draft, const std::vector<const ObservedThread*>& threads) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const ObservedThread* t : threads) {
      if (!t->releases.empty()) first = std::min(first, std::ranges::min(t->releases));
    }
    for (std::size_t i = 0; i < threads.size(); ++i) {
      RecordedDag& recorded = draft.recorded.emplace_back();
      recorded.dag = draft.dags[i].name;
      recorded.length = Time(std::max(threads[i]->most, threads[i]->longest_cut));
      recorded.with_others = Time(threads[i]->longest);
      recorded.releases.reserve(threads[i]->releases.size());
      for (const std::int64_t release : threads[i]->releases) recorded.releases.emplace_back(release - first);
      std::ranges::sort(recorded.releases);
    }
  }

  void add_pool(Draft& draft, const std::vector<const ObservedThread*>& threads) {
    Options options = options_;
    if (options.processors.empty() && events_.processors() > 0) options.processors = {{"", events_.processors()}};
    const auto normal = static_cast<std::size_t>(std::ranges::count_if(threads, [](const ObservedThread* t) { return !is_real_time(*t); }));
    DraftPool pool = cpu_pool("cpu", options, notes_, normal == 0 ? Scheduler::fp : Scheduler::g_edf);
    const std::uint32_t given = std::get<CpuPool>(pool.pool.resource).processors;
    notes_.found(fmt::format("{} switches on {} processors within {}", threads_.counts().switches, threads_.counts().processors,
                             io::time_text(Time(*events_.now() - events_.first()))));
    if (!options_.processors.empty() && events_.processors() > 0 && given != events_.processors())
      notes_.assume(fmt::format("pool 'cpu' has {} processors, as --processors says; the recording is of {}", given, events_.processors()));
    pool.fixed_priority = normal < threads.size();
    const auto deadline =
        static_cast<std::size_t>(std::ranges::count_if(threads, [](const ObservedThread* t) { return has_deadline(*t); }));
    if (deadline > 0) {
      notes_.assume(
          fmt::format("{} of {} threads have the priority -1, which is SCHED_DEADLINE: Linux runs them before all others, by "
                      "deadlines and within budgets, WHICH ARE NOT IN THE TRACE",
                      deadline, threads.size()));
    }
    if (normal > deadline && !options_.scheduler) {
      notes_.assume(fmt::format(
          "{} of {} threads have no real-time priority: Linux shares processors among them fairly, which no scheduler of a task "
          "set does",
          normal - deadline, threads.size()));
    }
    draft.pools.push_back(std::move(pool));
  }

  static bool has_deadline(const ObservedThread& t) { return t.priority == -1; }
  static bool is_real_time(const ObservedThread& t) { return t.priority >= 0 && t.priority < first_normal; }

  DraftDag dag_of(const ObservedThread& t, bool replaces, UniqueNames& names) {
    DraftDag dag;
    dag.name = names.unique(one_word(t.name, "thread"));
    notes_.found(fmt::format("'{}' is thread {}, '{}': {} whole jobs", dag.name, t.id, one_line(t.name, 40), t.jobs));
    for (const std::string& name : t.former) notes_.found(fmt::format("'{}' was called '{}' before", dag.name, one_line(name, 40)));
    std::optional<std::int64_t> distance = t.distance;
    if (distance && *distance <= (events_.unit() > 1 ? events_.unit() : 0)) {
      notes_.assume(fmt::format("DAG '{}': releases are so close that the clock of the file, which shows {}, does not tell how far apart",
                                dag.name, io::time_text(Time(events_.unit()))));
      if (options_.period && replaces) {
        set_period(events_.unit(), replaces, dag, options_, notes_);
      } else {
        notes_.assume(fmt::format("DAG '{}': T is one tick of that clock (--period)", dag.name));
        dag.T = Time(events_.unit());
        dag.D = options_.deadline;
        notes_.uses("deadline");
      }
    } else {
      if (distance && events_.unit() > 1) *distance -= events_.unit();
      set_period(distance, replaces, dag, options_, notes_);
    }
    if (t.jobs == 0) {
      notes_.assume(
          fmt::format("DAG '{}': no whole job of it is in the recording: C is what it ran within it, AND MAY BE LONGER", dag.name));
    } else if (t.longest_cut > t.most) {
      notes_.assume(fmt::format("DAG '{}': a job that the recording cuts off ran longest: C is what is in the recording, AND MAY BE LONGER",
                                dag.name));
    }
    if (t.held > 0) {
      notes_.assume(
          fmt::format("DAG '{}': thread {}, '{}', was ready for {} in all while its processor idled (the limit for real-time "
                      "threads, kernel.sched_rt_runtime_us, does that): it counts as execution",
                      dag.name, t.id, one_line(t.name, 40), io::time_text(Time(t.held))));
    }
    if (t.changed_priority)
      notes_.assume(fmt::format(
          "DAG '{}': its thread had several priorities; the least urgent one counts, and how it delays others while it has a more "
          "urgent one IS IN NO BOUND",
          dag.name));
    if (is_real_time(t)) dag.priority = first_normal - 1 - t.priority;
    const std::int64_t most = std::max(t.most, t.longest_cut);
    DraftNode node;
    node.node.name = "run";
    node.node.pool = 0;
    node.node.demand = CpuDemand{Time(most)};
    node.node.sequential = true;
    if (t.jobs > 0 && t.least < most) {
      const Wide mode = 3 * t.sum / static_cast<Wide>(t.jobs) - t.least - most;
      node.node.variation = Variation{Time(t.least), to_time(std::clamp<Wide>(mode, t.least, most))};
    }
    dag.add(std::move(node));
    return dag;
  }

  void tell() {
    notes_.assume(
        "a job of a thread lasts from its wakeup until it sleeps; C is its longest time on processors, without that in which others "
        "preempted it, and with the interrupts that came between; min and mode are for simulations alone");
    notes_.assume("every thread may run on every processor: affinities are not in the trace");
    notes_.assume("what threads wait for one another for is not in the trace: each is a DAG of its own");
    if (threads_.counts().waits > 0)
      notes_.assume(
          fmt::format("{} waits in state D (page faults, disks) are part of their jobs and count as execution", threads_.counts().waits));
    if (threads_.counts().unwoken > 0)
      notes_.assume(
          fmt::format("{} times no wakeup is in the trace: the job is taken to be released when it starts", threads_.counts().unwoken));
    if (threads_.counts().gaps > 0) {
      notes_.warn({notes_.file(), 0, 0,
                   fmt::format("events are missing in {} places: jobs beside them are cut off, and others may have taken longer",
                               threads_.counts().gaps)});
    }
    if (threads_.counts().torn > 0)
      notes_.assume(fmt::format("{} of {} switches contradict what came before: their jobs count as far as they are known",
                                threads_.counts().torn, threads_.counts().switches));
    if (events_.unit() > 1) {
      notes_.assume(
          fmt::format("the clock of the file shows {}: each time on a processor counts as so much longer, and T as so much shorter",
                      io::time_text(Time(events_.unit()))));
    }
  }

  const Options& options_;
  Notes& notes_;
  SchedEvents events_;
  SchedThreads threads_{events_};
};

}  // namespace

Draft read_sched(Bytes& bytes, const Options& options, Notes& notes) { return SchedReader(bytes, options, notes).read(); }

}  // namespace rta::convert
