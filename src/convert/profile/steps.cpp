#include "steps.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "job_events.hpp"

namespace rta::convert {
namespace {

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  a ^= b + 0x9E3779B97F4A7C15ULL + (a << 6U) + (a >> 2U);
  return a * 0xBF58476D1CE4E5B9ULL;
}

using StreamKey = std::pair<std::int64_t, std::int64_t>;  // context, stream

class StepReader {
 public:
  StepReader(const OrderedProfile& ordered, const JobFamily& family, const Job& job, const Options& options)
      : ordered_(ordered),
        profile_(ordered.profile()),
        family_(family),
        job_(job),
        options_(options),
        events_(events_of(ordered, family, job, out_.unclear)) {
    main_thread_ = job.thread;
    for (std::size_t i = 0; i < events_.all.size() && main_thread_ == no_index; ++i) {
      if (events_.all[i].call != no_index && events_.all[i].operations > 0) main_thread_ = events_.all[i].thread;
    }
    // A step of its thread before each launch or wait; a copy that its thread waits for has one behind it, too.
    out_.steps.reserve(events_.all.size() + events_.operations.size());
  }

  JobSteps read() {
    if (main_thread_ != no_index) {
      cpu_[main_thread_].thread = main_thread_;
      cpu_[main_thread_].cut = job_.start;
    }
    for (event_ = 0; event_ < events_.all.size(); ++event_) take(events_.all[event_]);
    end_threads();
    for (const Step& step : out_.steps) {
      if (!step.on_cpu) end_ = std::max(end_, profile_.operations[step.operation].end);
    }
    out_.preempted = length_of(std::move(held_up_));
    out_.recorded = std::max<std::int64_t>(end_ - job_.start - out_.preempted, 0);
    return std::move(out_);
  }

 private:
  using Interval = std::pair<std::int64_t, std::int64_t>;
  // How far a thread has come.
  struct Cpu {
    std::uint32_t thread = 0;
    std::uint32_t role = 0;             // its number in the job
    std::int64_t cut = 0;               // its next step begins here
    std::vector<std::uint32_t> before;  // steps that its next one follows
    std::uint32_t last = no_index;      // its last step
    bool waited = false;                // its last event was a wait
    std::int64_t last_end = 0;          // of its last call
  };
  struct Launched {
    std::uint32_t event;
    std::uint32_t step;
  };
  // What one call launched: the steps after whose end none of the others began.
  struct Together {
    std::vector<std::uint32_t> last;
    std::int64_t last_start;
  };
  // What the next operation of every stream of a context follows.
  struct Barrier {
    std::size_t number = 0;
    std::vector<std::uint32_t> steps;
  };

  [[nodiscard]] const GpuOperation& operation(std::uint32_t step) const { return profile_.operations[out_.steps[step].operation]; }
  [[nodiscard]] std::uint32_t first_of(const JobEvent& e) const { return events_.operations[e.first_operation]; }
  [[nodiscard]] std::int64_t end_of(std::uint32_t step) const { return operation(step).end; }
  [[nodiscard]] StreamKey key_of(std::uint32_t o) const { return {profile_.operations[o].context, profile_.operations[o].stream}; }

  void take(const JobEvent& e) {
    switch (e.kind) {
      case CallKind::record_event: return;
      case CallKind::stream_waits: stream_waits(e); return;
      default: break;
    }
    if (e.operations > 0) {
      launch(e);
    } else {
      wait(e, waited_for(e));
    }
  }

  void launch(const JobEvent& e) {
    std::uint32_t by = no_index;
    const bool blocks = blocks_until_done(e);
    if (e.thread != no_index) by = cpu_step(e, blocks ? e.start : e.end);
    if (e.operations > 1) {
      launch_together(e, by);
      return;
    }
    const std::uint32_t step = gpu_step(first_of(e), by);
    if (blocks) wait(e, {step});
  }

  // A CUDA graph, which comes whole behind what its stream had been given: which one that is of those that its operations ran on is not
  // recorded.
  void launch_together(const JobEvent& e, std::uint32_t by) {
    out_.unclear.graph += e.operations;
    std::map<StreamKey, std::vector<std::uint32_t>> before;
    for (const std::uint32_t o : events_.launched_by(e)) {
      const StreamKey key = key_of(o);
      if (!before.contains(key)) before.emplace(key, followed_by(key, profile_.operations[o].start));
    }
    Together together{{}, std::numeric_limits<std::int64_t>::min()};
    std::int64_t first_end = std::numeric_limits<std::int64_t>::max();
    std::vector<std::uint32_t> steps;
    for (const std::uint32_t o : events_.launched_by(e)) {
      const GpuOperation& one = profile_.operations[o];
      const std::uint32_t step = add_gpu_step(o, by, static_cast<std::uint32_t>(together_.size() + 1));
      steps.push_back(step);
      for (const auto& [key, sources] : before) {
        for (const std::uint32_t source : sources) {
          // Nothing of its launch had ended: it waited for what was there before.
          if (key == key_of(o) || (one.start < first_end && end_of(source) <= one.start)) out_.edges.emplace_back(source, step);
        }
      }
      first_end = std::min(first_end, one.end);
      together.last_start = std::max(together.last_start, one.start);
    }
    for (const std::uint32_t step : steps) {
      if (end_of(step) > together.last_start) together.last.push_back(step);
      streams_[key_of(out_.steps[step].operation)].push_back({static_cast<std::uint32_t>(event_), step});
    }
    together_.push_back(std::move(together));
  }

  // A copy that the thread itself carries out, or waits for.
  [[nodiscard]] bool blocks_until_done(const JobEvent& e) const {
    if (e.call == no_index || e.operations != 1) return false;
    const GpuOperation& o = profile_.operations[first_of(e)];
    return o.kind == GpuOperation::Kind::copy && o.end <= e.end + profile_.resolution && (e.kind == CallKind::copies || o.pageable);
  }

  // The CPU step of the event's thread that ends at `end`.
  std::uint32_t cpu_step(const JobEvent& e, std::int64_t end) {
    Cpu& cpu = begun(e.thread);
    // By what it launches: which call does may not be in the file.
    const std::uint32_t step = add_cpu_step(cpu, end, mixed(1, likeness_of(first_of(e))));
    cpu.waited = false;
    cpu.last_end = e.end;
    return step;
  }

  std::uint32_t add_cpu_step(Cpu& cpu, std::int64_t end, std::uint64_t likeness) {
    Step step;
    step.on_cpu = true;
    step.thread = cpu.role;
    step.likeness = mixed(likeness, cpu.role);
    step.start = cpu.cut;
    step.duration = std::max<std::int64_t>(end - cpu.cut, 0) - preempted(cpu.thread, cpu.cut, end);
    const auto index = static_cast<std::uint32_t>(out_.steps.size());
    out_.steps.push_back(step);
    for (const std::uint32_t before : cpu.before) out_.edges.emplace_back(before, index);
    cpu.before = {index};
    cpu.cut = std::max(cpu.cut, end);
    cpu.last = index;
    end_ = std::max(end_, end);
    return index;
  }

  // How long others ran in the thread's place.
  std::int64_t preempted(std::uint32_t thread, std::int64_t from, std::int64_t to) {
    if (thread >= profile_.preempted.size()) return 0;
    const auto& all = profile_.preempted[thread];
    std::int64_t sum = 0;
    for (auto at = std::ranges::upper_bound(all, from, {}, &Interval::second); at != all.end() && at->first < to; ++at) {
      held_up_.emplace_back(std::max(at->first, from), std::min(at->second, to));
      sum += held_up_.back().second - held_up_.back().first;
    }
    return sum;
  }

  // Of intervals, of which several may be at once.
  static std::int64_t length_of(std::vector<Interval> all) {
    std::ranges::sort(all);
    std::int64_t sum = 0, until = std::numeric_limits<std::int64_t>::min();
    for (const auto& [start, end] : all) {
      if (end > until) sum += end - std::max(start, until);
      until = std::max(until, end);
    }
    return sum;
  }

  // A thread begins where the job's own thread was.
  Cpu& begun(std::uint32_t thread) {
    const auto [at, fresh] = cpu_.emplace(thread, Cpu{});
    if (!fresh) return at->second;
    at->second.thread = thread;
    at->second.role = static_cast<std::uint32_t>(cpu_.size() - 1);
    at->second.cut = job_.start;
    if (const auto main = cpu_.find(main_thread_); main != cpu_.end() && main->second.last != no_index) {
      at->second.cut = main->second.cut;
      at->second.before = {main->second.last};
    }
    return at->second;
  }

  [[nodiscard]] std::uint64_t likeness_of(std::uint32_t o) const {
    const GpuOperation& operation = profile_.operations[o];
    const auto kind =
        static_cast<std::uint64_t>(operation.kind) * 4 + (operation.direction ? 1 + static_cast<std::uint64_t>(*operation.direction) : 0);
    const std::uint64_t priority = operation.priority ? 1 + std::uint64_t{*operation.priority} : 0;
    const std::uint64_t likeness = mixed(mixed(mixed(mixed(2, operation.name), kind), operation.H), priority);
    return operation.green == 0 ? likeness : mixed(likeness, static_cast<std::uint64_t>(operation.green));
  }

  std::uint32_t add_gpu_step(std::uint32_t o, std::uint32_t by, std::uint32_t launch) {
    const GpuOperation& operation = profile_.operations[o];
    Step step;
    step.operation = o;
    step.likeness = likeness_of(o);
    step.launch = launch;
    step.timed = operation.timed;
    step.start = operation.start;
    step.duration = operation.end - operation.start;
    const auto index = static_cast<std::uint32_t>(out_.steps.size());
    out_.steps.push_back(step);
    if (by != no_index) out_.edges.emplace_back(by, index);
    return index;
  }

  std::uint32_t gpu_step(std::uint32_t o, std::uint32_t by) {
    const StreamKey key = key_of(o);
    const std::vector<std::uint32_t> before = followed_by(key, profile_.operations[o].start);
    const std::uint32_t step = add_gpu_step(o, by, 0);
    for (const std::uint32_t source : before) out_.edges.emplace_back(source, step);
    streams_[key].push_back({static_cast<std::uint32_t>(event_), step});
    return step;
  }

  // A step, and of what was launched together with it all that ended last and by `time`: a launch is waited for whole.
  void add_whole(std::vector<std::uint32_t>& sources, std::uint32_t step, std::int64_t time) const {
    sources.push_back(step);
    const std::uint32_t launch = out_.steps[step].launch;
    if (launch == 0) return;
    for (const std::uint32_t last : together_[launch - 1].last) {
      if (last != step && end_of(last) <= time) sources.push_back(last);
    }
  }

  // What the next operation of a stream, which begins at `start`, follows.
  std::vector<std::uint32_t> followed_by(const StreamKey& key, std::int64_t start) {
    std::vector<std::uint32_t> sources;
    if (const auto stream = streams_.find(key); stream != streams_.end()) add_whole(sources, stream->second.back().step, start);
    follow_the_null_stream(key, start, sources);
    if (const auto waiting = stream_waits_for_.find(key); waiting != stream_waits_for_.end()) {
      sources.insert(sources.end(), waiting->second.begin(), waiting->second.end());
      stream_waits_for_.erase(waiting);
    }
    if (const auto barrier = barriers_.find(key.first); barrier != barriers_.end()) {
      if (passed_[key] != barrier->second.number) sources.insert(sources.end(), barrier->second.steps.begin(), barrier->second.steps.end());
      passed_[key] = barrier->second.number;
    }
    return sources;
  }

  [[nodiscard]] const StreamInfo* info(const StreamKey& key) const {
    const auto at = profile_.streams.find({family_.process, key.first, key.second});
    return at == profile_.streams.end() ? nullptr : &at->second;
  }
  [[nodiscard]] bool is_null(const StreamKey& key) const { return ordered_.null_stream(family_.process, key.first) == key.second; }
  [[nodiscard]] bool is_blocking(const StreamKey& key) const {
    const StreamInfo* const known = info(key);
    return known != nullptr && known->blocking ? *known->blocking : options_.blocking_streams;
  }
  void follow_the_null_stream(const StreamKey& key, std::int64_t start, std::vector<std::uint32_t>& sources) const {
    const bool null = is_null(key);
    if (!null && !is_blocking(key)) return;
    for (const auto& [other, launched] : streams_) {
      if (other.first != key.first || other == key || launched.empty()) continue;
      if (null ? is_blocking(other) : is_null(other)) add_whole(sources, launched.back().step, start);
    }
  }

  // The last step of a stream that was launched before the event.
  [[nodiscard]] std::uint32_t last_before(const std::vector<Launched>& stream, std::size_t event) const {
    const auto after = std::ranges::lower_bound(stream, event, {}, &Launched::event);
    return after == stream.begin() ? no_index : std::prev(after)->step;
  }

  // For what happens after all of them, whenever that is.
  static constexpr std::int64_t whenever = std::numeric_limits<std::int64_t>::max();

  [[nodiscard]] std::vector<std::uint32_t> last_of_all(std::int64_t context, const StreamKey* except) const {
    std::vector<std::uint32_t> out;
    for (const auto& [key, launched] : streams_) {
      if (key.first == context && (except == nullptr || key != *except)) add_whole(out, launched.back().step, whenever);
    }
    return out;
  }

  // All that a stream had been given before the event at hand.
  [[nodiscard]] std::vector<std::uint32_t> last_of(const StreamKey& key, std::size_t event) const {
    std::vector<std::uint32_t> out;
    const auto stream = streams_.find(key);
    const std::uint32_t step = stream == streams_.end() ? no_index : last_before(stream->second, event);
    if (step != no_index) add_whole(out, step, events_.all[event_].end + profile_.resolution);
    return out;
  }

  // What an event stands for: what its stream had been given when it was recorded. Where its record came after the wait that names it,
  // the one that counted came before: it stands for no more than all that its stream had been given by then.
  std::vector<std::uint32_t> recorded(const Synchronisation& s, bool& known) {
    const std::uint32_t call = ordered_.call_with(s.process, s.record_correlation);
    known = call != no_index;
    if (!known) return {};
    const std::int64_t time = profile_.calls[call].start;
    if (time < job_.start) {
      ++out_.unclear.other_job;
      return {};
    }
    const JobEvent* const own = events_.of_call(profile_.calls[call], call);
    const auto event =
        static_cast<std::size_t>(own != nullptr ? own - events_.all.data()
                                                : std::ranges::upper_bound(events_.all, time, {}, &JobEvent::start) - events_.all.begin());
    if (event > event_) ++out_.unclear.late_record;
    if (event > event_ && s.recorded_on < 0) {
      known = false;
      return {};
    }
    return last_of({s.context, s.recorded_on}, std::min(event, event_));
  }

  void stream_waits(const JobEvent& e) {
    const Synchronisation* const s = ordered_.synchronisation_of(e.call);
    // Where synchronisations were recorded, one without a record concerns nothing that ran.
    const bool may_have_lost_its_record = profile_.calls[e.call].correlation < 0 || ordered_.has_lost_waits();
    if (s == nullptr && !profile_.synchronisations.empty() && !may_have_lost_its_record) return;
    if (s == nullptr) {
      // Neither the stream nor the event is known: what comes next in any stream waits for everything.
      ++out_.unclear.no_record;
      ++barrier_count_;
      for (const auto& [key, launched] : streams_) {
        Barrier& barrier = barriers_[key.first];
        if (barrier.number != barrier_count_) barrier = {barrier_count_, {}};
        add_whole(barrier.steps, launched.back().step, whenever);
      }
      return;
    }
    const StreamKey key{s->context, s->stream};
    bool known = false;
    std::vector<std::uint32_t> sources = recorded(*s, known);
    if (!known) {
      sources = last_of_all(s->context, &key);
      out_.unclear.no_record += static_cast<std::uint64_t>(!sources.empty());
    }
    auto& waiting = stream_waits_for_[key];
    waiting.insert(waiting.end(), sources.begin(), sources.end());
  }

  // What a synchronising call waited for.
  std::vector<std::uint32_t> waited_for(const JobEvent& e) {
    const Synchronisation* const s = ordered_.synchronisation_of(e.call);
    if (s != nullptr && s->kind == Synchronisation::Kind::stream) return last_of({s->context, s->stream}, event_);
    if (s != nullptr && s->kind == Synchronisation::Kind::event) {
      bool known = false;
      std::vector<std::uint32_t> sources = recorded(*s, known);
      if (known) return sources;
    }
    if (s != nullptr && s->kind == Synchronisation::Kind::context) return last_of_all(s->context, nullptr);
    // Every stream that was empty when the call returned.
    std::vector<std::uint32_t> out;
    for (const auto& [key, launched] : streams_) {
      if (end_of(launched.back().step) <= e.end + profile_.resolution) add_whole(out, launched.back().step, e.end + profile_.resolution);
    }
    return out;
  }

  void wait(const JobEvent& e, const std::vector<std::uint32_t>& sources) {
    std::vector<std::uint32_t> ended;
    std::int64_t until = e.start;
    for (const std::uint32_t source : sources) {
      if (operation(source).end > e.end + 2 * profile_.resolution) {
        ++out_.unclear.contradictory;
        continue;
      }
      ended.push_back(source);
      // What has no times that can be true may have kept it waiting to the end.
      until = std::max(until, operation(source).timed ? operation(source).end : e.end);
    }
    if (ended.empty() || (cpu_.find(e.thread) == cpu_.end() && e.thread != main_thread_)) return;
    until = std::min(until, e.end);
    const bool active = options_.waits == Waits::active;
    Cpu& cpu = begun(e.thread);
    if (active || cpu.cut < e.start || cpu.before.empty()) {
      (void)add_cpu_step(cpu, active ? until : e.start, mixed(3, profile_.calls[e.call].name));
    }
    cpu.before.insert(cpu.before.end(), ended.begin(), ended.end());
    cpu.cut = std::max(cpu.cut, until);
    cpu.waited = true;
    cpu.last_end = e.end;
  }

  // What threads do after their last call: the job's own thread to the end of the job that it marked, others while they return from a wait.
  void end_threads() {
    for (auto& [thread, cpu] : cpu_) {
      const bool to_end = family_.marked && thread == main_thread_;
      if (!to_end && !cpu.waited) continue;
      const std::int64_t end = to_end ? std::max(job_.end, cpu.cut) : cpu.last_end;
      (void)add_cpu_step(cpu, end, 4);
    }
  }

  const OrderedProfile& ordered_;
  const Profile& profile_;
  const JobFamily& family_;
  const Job& job_;
  const Options& options_;
  JobSteps out_;
  JobEvents events_;
  std::size_t event_ = 0;
  std::uint32_t main_thread_ = no_index;
  std::map<std::uint32_t, Cpu> cpu_;                                  // by thread
  std::map<StreamKey, std::vector<Launched>> streams_;                // none is empty
  std::vector<Together> together_;                                    // by launch
  std::map<StreamKey, std::vector<std::uint32_t>> stream_waits_for_;  // what the next operation of a stream follows
  std::map<std::int64_t, Barrier> barriers_;                          // by context
  std::map<StreamKey, std::size_t> passed_;                           // the last barrier that a stream has passed
  std::size_t barrier_count_ = 0;
  std::int64_t end_ = 0;
  std::vector<Interval> held_up_;  // when others ran in the place of a thread of the job
};

}  // namespace

void Unclear::operator+=(const Unclear& other) {
  other_job += other.other_job;
  late_record += other.late_record;
  no_record += other.no_record;
  contradictory += other.contradictory;
  no_launch += other.no_launch;
  assumed_launch += other.assumed_launch;
  graph += other.graph;
}

JobSteps steps_of(const OrderedProfile& ordered, const JobFamily& family, const Job& job, const Options& options) {
  return StepReader(ordered, family, job, options).read();
}

}  // namespace rta::convert
