#include "analysis/explain/reason_words.hpp"

#include <fmt/format.h>

#include <string_view>

#include "analysis/explain/in_one_unit.hpp"

namespace rta::analysis {
namespace {

std::string plural(Wide n, const char* one) { return fmt::format("{} {}{}", to_string(n), one, n == 1 ? "" : "s"); }

std::string residents_in_words(const fifo::BlockingConfiguration& configuration, const TaskNames& names) {
  const auto& residents = configuration.residents;
  std::string text;
  for (std::size_t i = 0; i < residents.size(); ++i) {
    if (i > 0) text += i + 1 == residents.size() ? " and " : ", ";
    text += plural(static_cast<Wide>(residents[i].blocks), "block") + " of " + names.label(residents[i].task);
  }
  return text.empty() ? "no block" : text;
}

std::string level_in_words(StreamPriority priority) {
  return priority <= high_priority ? stream_priority_text(priority) + " priority" : "priority " + stream_priority_text(priority);
}

std::string why_closer(const reason::CloserReleases& r) {
  using Why = reason::CloserReleases::Why;
  switch (r.why) {
    case Why::slices: return "where a GPU has time slices";
    case Why::early: return "where nodes are released early";
    case Why::asked_for: return "by the theorem that --cpu-bound asks for";
    case Why::groups: return "where nodes are grouped";
    case Why::out_of_range: return "here (numbers of releases every T leave the exact range)";
  }
  return {};
}

std::string group_in_words(const std::string& group) {
  return group.empty() ? "the group of callbacks without `group`" : fmt::format("group '{}'", group);
}

std::string most_in_words(const std::vector<reason::Share>& most) {
  std::string text;
  for (const reason::Share& share : most)
    text += fmt::format("{} '{}' ({:.1f} %)", text.empty() ? "; most of it is" : ",", share.callback, 100 * share.U);
  return text;
}

/// One sentence per kind of reason.
class Words {
 public:
  explicit Words(const TaskNames& names) : names_(names) {}

  std::string operator()(const reason::NodeWithout&) const { return "some node has none"; }

  std::string operator()(const reason::Overload& r) const {
    if (r.kind == PoolKind::cpu) {
      return fmt::format("U = {} > {} (exceeded by {}){}", r.U.text(), plural(r.capacity, "processor"), r.U.text(r.capacity),
                         awaiting(r.awaiting));
    }
    return fmt::format("U = {} exceeds the capacity of {} by {}", r.U.text(),
                       r.capacity == 1 ? "1 worker or engine" : plural(r.capacity, "worker"), r.U.text(r.capacity));
  }

  std::string operator()(const reason::PathOverload& r) const {
    if (r.unit == 1) {
      return fmt::format("pool '{}': U = {} > {} (exceeded by {})", r.pool, r.U.text(), to_string(r.capacity), r.U.text(r.capacity));
    }
    return fmt::format("pool '{}': weighted utilization {} > {} (times {})", r.pool, r.U.text(), to_string(r.capacity), to_string(r.unit));
  }

  std::string operator()(const reason::CloserReleases& r) const {
    const std::string pool = r.pool.empty() ? "the pool" : fmt::format("pool '{}'", r.pool);
    return fmt::format(
        "release jitter counts as releases T - J apart {}, and these are more work than {} can do, though releases every T are not",
        why_closer(r), pool);
  }

  std::string operator()(const reason::KernelOverload& r) const {
    const Wide capacity = static_cast<Wide>(r.sms) * r.guaranteed;
    std::string text =
        fmt::format("U = {} {}", r.U.text(),
                    r.from ? fmt::format("of the kernels of {}{} ", level_in_words(*r.from), r.above ? " and above" : "") : "");
    const std::string product = fmt::format("{} = {} x {} G-threads", to_string(capacity), r.sms, to_string(r.guaranteed));
    if (r.U.compare(capacity) > 0) {
      text += fmt::format("exceeds the capacity {} by {}: {}", product, r.U.text(capacity), in_words(r.worst, names_));
    } else {
      text += fmt::format("leaves no capacity below {} ({})", level_in_words(r.above.value_or(high_priority)), product);
    }
    if (r.best_capacity) text += fmt::format("; with the best weights this mix can carry {} G-threads", decimal(*r.best_capacity));
    return text;
  }

  std::string operator()(const reason::BusyAlone& r) const {
    return fmt::format("the kernels, one after another and each alone on the GPU, would need it for {} of the time: more than there is",
                       r.U.text());
  }

  std::string operator()(const reason::NoBlocks&) const {
    return "a kernel is known by its duration alone (no B and H), and such kernels have bounds where the GPU has one FIFO and no time "
           "slices";
  }

  std::string operator()(const reason::StartTogether& r) const {
    const std::string how = r.cooperative ? "all at once (a cooperative launch)" : fmt::format("in clusters of {}", r.cluster);
    return fmt::format(
        "blocks of {} start together, {}, so that it may wait while every SM has room, and other kernels behind it: no theorem counts "
        "blocks on this GPU; {}",
        names_.label(r.task), how,
        r.has_duration ? "kernels have bounds by their durations alone where the GPU has one FIFO and no time slices"
                       : "give its longest duration alone on the GPU (`time`), and kernels have bounds one after another");
  }

  std::string operator()(const reason::NothingGuaranteed&) const { return "a busy SM guarantees nothing"; }

  std::string operator()(const reason::Theorem43Overload& r) const {
    const Wide capacity = static_cast<Wide>(r.sms) * (r.threads - r.H_max + r.h);
    return fmt::format("U = {} exceeds the capacity {} = {} x ({} - {} + {}) G-threads by {}", r.U.text(), to_string(capacity), r.sms,
                       r.threads, r.H_max, r.h, r.U.text(capacity));
  }

  std::string operator()(const reason::OtherResourceBinds& r) const {
    const auto& first = r.first;
    return fmt::format(
        "{} can bind first: with {} on an SM no block of {} fits, while only {} of {} G-threads are in use; Theorem 4.3 (T5) needs at "
        "least {}",
        to_string(first.binds), residents_in_words(first, names_), names_.label(first.blocked), to_string(first.threads_in_use),
        to_string(first.threads_in_use + first.threads_unused), to_string(r.guaranteed));
  }

  std::string operator()(const reason::DoesNotFit& r) const {
    return fmt::format("a block of {} can never start: it takes {}, and an SM has {}", names_.label(r.task),
                       to_string(r.resource, r.demand), to_string(r.resource, r.capacity));
  }

  std::string operator()(const reason::TwoPriorities&) const {
    return "kernels of several stream priorities share the GPU; Theorem 4.3 (T5) assumes one FIFO (T7 covers priorities)";
  }

  std::string operator()(const reason::AboveOne& r) const {
    const InOneUnit text({r.C, r.T});
    return fmt::format("{} is sequential and needs C = {} every T = {}: its utilization is above 1{}", names_.label(r.task), text(r.C),
                       text(r.T), awaiting(r.awaiting));
  }

  std::string operator()(const reason::NotSequential& r) const {
    return fmt::format("{} bounds pools whose nodes are all sequential; {} of {} are", to_string(r.theorem), r.sequential, r.all);
  }

  std::string operator()(const reason::NotImplicit&) const { return "T4 is for G-EDF with implicit deadlines (Y = T for every node)"; }

  std::string operator()(const reason::NeedsPreemption& r) const {
    using Since = reason::NeedsPreemption::Since;
    const char* const instead = "; --release completion bounds it";
    switch (r.since) {
      case Since::by_T4: return fmt::format("non-preemptive {}: T4 assumes preemption; T3b and T1b do not", to_string(r.scheduler));
      case Since::as_published:
        return fmt::format("non-preemptive {}: T1 as published assumes preemption; T1b does not", to_string(r.scheduler));
      case Since::released_early:
        return fmt::format("non-preemptive {}: a job that is released early may hold up one with an earlier point{}",
                           to_string(r.scheduler), instead);
      case Since::suspended:
        return fmt::format("non-preemptive {}: a group's job that has awaited a kernel waits again for whatever has started meanwhile{}",
                           to_string(r.scheduler), instead);
    }
    return {};
  }

  std::string operator()(const reason::ReadyEarly& r) const {
    return fmt::format(
        "FIFO is by ready time, and {} may be ready before its offset, so before what is released ahead of it; --release "
        "completion bounds this order, and G-EDF with one deadline D for all nodes of the pool has that of the offsets",
        names_.label(r.task));
  }

  std::string operator()(const reason::FixedPriorities& r) const {
    return fmt::format("no theorem bounds fixed priorities where nodes are released early or in groups (pool '{}')", r.pool);
  }

  std::string operator()(const reason::MayWait& r) const {
    if (!r.R) return fmt::format("{} is sequential and has no bound", names_.label(r.task));
    const InOneUnit time({*r.R, r.T});
    const std::string jitter = r.J > Time::zero() ? fmt::format(" plus jitter of {}", time(r.J)) : std::string();
    std::string text = fmt::format("{} is sequential, and its bound of {}{} exceeds its period of {}: ", names_.label(r.task), time(*r.R),
                                   jitter, time(r.T));
    switch (r.kind) {
      case PoolKind::cpu:
        if (r.by_ready_time) {
          text +=
              "a job may wait for its predecessor, and is then behind all that has come meanwhile, as FIFO is by ready time: "
              "on several processors response times can grow without limit";
          if (r.by_release == Theorem::none) return text + std::string(awaiting(r.awaiting));
          return text +
                 fmt::format("; G-EDF with one deadline D for all nodes of the pool has the order of releases, in which it has a bound{}",
                             r.all_sequential ? "" : " if all of them are sequential");
        }
        return text + "a job may wait for its predecessor" +
               (r.all_sequential ? "" : "; bounds that allow for it need all nodes of the pool to be sequential") +
               std::string(awaiting(r.awaiting));
      case PoolKind::gpu:
        return text + "kernels may wait for their predecessors, and then response times can grow without bound (Theorem 4.1)";
      case PoolKind::engines:
      case PoolKind::workers: return text + "a job may wait for its predecessor";
    }
    return text;
  }

  std::string operator()(const reason::MayWaitOnPath& r) const {
    const InOneUnit text({r.R, r.T});
    return fmt::format(
        "node '{}' is sequential and may end {} after its DAG's (or segment's) release, past the period of {}: a job may wait for its "
        "predecessor",
        r.node, text(r.R), text(r.T));
  }

  std::string operator()(const reason::PastLimit& r) const {
    const std::string limit = r.periods == 0 ? fmt::format("{} s", r.limit.count() / 1'000'000'000) : plural(r.periods, "period");
    return fmt::format("DAG '{}': the bound passes {}; most of it is waiting on pool '{}', loaded to {:.1f} %", r.dag, limit, r.pool,
                       100 * r.load);
  }

  std::string operator()(const reason::StillGrows& r) const {
    if (r.of_groups)
      return fmt::format("jitter of the kernels and bounds of the tasks that issue them still grow after {} rounds", r.rounds);
    return fmt::format("the path bounds still grow after {} rounds", r.rounds);
  }

  std::string operator()(const reason::Stopped&) const { return "the search for path bounds was stopped before it ended"; }

  std::string operator()(const reason::TooManyNodes& r) const {
    return r.what == reason::TooManyNodes::For::points ? "too many different nodes to choose points per node in some seconds"
                                                       : "too many different nodes to choose cuts in some seconds";
  }

  std::string operator()(const reason::OutOfRange& r) const { return r.what; }

  std::string operator()(const reason::OutOfMemory&) const { return "there is not enough memory for this analysis"; }

  std::string operator()(const reason::OrderTooLong& r) const {
    const InOneUnit text({r.length, r.hyperperiod});
    return fmt::format("the static order that was found takes {}, more than the hyperperiod of {}", text(r.length), text(r.hyperperiod));
  }

  std::string operator()(const reason::TiedTo& r) const {
    return fmt::format("groups of nodes tie it to pool '{}', which has no bound", r.pool);
  }

  std::string operator()(const reason::TimeSlices& r) const {
    if (r.theorem == Theorem::T7) {
      return fmt::format("kernels of several stream priorities in a process that shares GPU '{}' by time slices: no theorem covers both",
                         r.gpu);
    }
    return fmt::format("{} knows nothing of the time slices by which processes share GPU '{}' (T14 and T14j do)", to_string(r.theorem),
                       r.gpu);
  }

  std::string operator()(const reason::SlicesOverload& r) const {
    const InOneUnit text({r.slice});
    return fmt::format("U_w = {} exceeds {} x {}/({} + {}): of GPU '{}' a process has slices of {}, with up to {} between them", r.U.text(),
                       rta::to_string(r.capacity), r.slice.count(), r.slice.count(), r.gap.count(), r.gpu, text(r.slice), text(r.gap));
  }

  std::string operator()(const reason::HeldTooLong& r) const {
    const InOneUnit text({r.H, r.T});
    return fmt::format(
        "DAG '{}': a job may hold its thread for H = {}, more than {} x {} (k times the least distance of two releases): jobs may "
        "come faster than threads take them (the rate is at most k/H)",
        r.dag, text(r.H), r.threads, text(r.T));
  }

  std::string operator()(const reason::MoreThanThreads& r) const {
    const InOneUnit text({r.F, r.T});
    return fmt::format(
        "DAG '{}': a job may take F = {} by the theorems on completion, more than {} x {} (k times the least distance of two "
        "releases): it may have to wait for a thread, and they know of none such; with more threads or a longer period F <= k T "
        "would hold",
        r.dag, text(r.F), r.threads, text(r.T));
  }

  std::string operator()(const reason::MayWaitForOthers& r) const {
    const std::string limit = fmt::format("its limit of {} under way (`in_flight`)", plural(r.in_flight, "job"));
    constexpr std::string_view after = "jobs may wait to be admitted, and may then follow one another at any distance";
    if (!r.F) return fmt::format("DAG '{}' has no bound without {}: {}", r.dag, limit, after);
    const bool late = r.jitter > Time::zero();
    const InOneUnit text({*r.F, r.T});
    return fmt::format(
        "DAG '{}': without {} a job may take F = {}, more than {} x {}{} (N {}): {}; with a greater limit or a longer period F <= N "
        "{} would hold",
        r.dag, limit, text(*r.F), r.in_flight, text(r.T), late ? fmt::format(" - {}", text(r.jitter)) : "", late ? "T - J" : "T", after,
        late ? "T - J" : "T");
  }

  std::string operator()(const reason::MayWaitForEarlier& r) const {
    const std::string edge =
        fmt::format("'{}' waits for '{}' of {} before ({})", r.to, r.from, r.jobs == 1 ? "the job" : plural(r.jobs, "job"),
                    r.stream.empty() ? "`after`" : fmt::format("stream '{}'", r.stream));
    constexpr std::string_view then = "what waits so may come at any distance";
    if (!r.F) return fmt::format("DAG '{}': {}, which has no bound without that: {}", r.dag, edge, then);
    const bool late = r.jitter > Time::zero();
    const bool at_offset = r.offset > Time::zero();
    const InOneUnit text({*r.F, r.T});
    return fmt::format(
        "DAG '{}': {}, which without that may end F = {} after its release, more than {} x {}{}{} (k {}{}): {}; with a longer "
        "period, "
        "or an edge from an earlier job, F would be no more (T40)",
        r.dag, edge, text(*r.F), r.jobs, text(r.T), late ? fmt::format(" - {}", text(r.jitter)) : "",
        at_offset ? fmt::format(" + {}", text(r.offset)) : "", late ? "T - J" : "T", at_offset ? " + offset" : "", then);
  }

  std::string operator()(const reason::ComesTooFast& r) const {
    const bool late = r.jitter > Time::zero();
    const InOneUnit text({r.H, r.T});
    return fmt::format(
        "DAG '{}': a job may take H = {} from its admission (T38), more than {} x {}{} (N {}): jobs may queue up before they "
        "are admitted; T = {} would keep up, {}",
        r.dag, text(r.H), r.in_flight, text(r.T), late ? fmt::format(" - {}", text(r.jitter)) : "", late ? "T - J" : "T",
        text(ceil_div(Wide{r.H.count()} + r.jitter.count(), Wide{r.in_flight})), late ? "(H + J)/N" : "H/N");
  }

  std::string operator()(const reason::RunsToItsEnd& r) const {
    return fmt::format(
        "DAG '{}': its thread goes on from '{}' to '{}' on pool '{}', whose nodes run to their ends by priority, beside others: no theorem "
        "is for that; make one node of both, or let the pool preempt",
        r.dag, r.first, r.second, r.pool);
  }

  std::string operator()(const reason::SpinsBeside& r) const {
    using enum reason::SpinsBeside::What;
    const std::string spins = fmt::format("DAG '{}': its threads keep their processors while they wait (`wait: spin`)", r.dag);
    switch (r.what) {
      case no_threads:
        return fmt::format(
            "{}, for a time that is known only where threads play all that shares pools with them, and DAG '{}' has none; give it "
            "`threads`, or let '{}' block (`wait: block`)",
            spins, r.other, r.dag);
      case order:
        return fmt::format(
            "{}, and on pool '{}', with {} threads for {}, others may go before them or take a processor while a kernel goes on: no "
            "theorem "
            "is for that; give it `scheduler: FIFO` or a processor per thread, or let '{}' block (`wait: block`)",
            spins, r.other, r.threads, plural(r.processors, "processor"), r.dag);
      case stream_priorities:
        return fmt::format("{}, and kernels on '{}' have several stream priorities: no theorem says for how long; give all of them one",
                           spins, r.other);
      case time_slices: break;
    }
    return fmt::format("{}, and GPU '{}' serves processes in slices: no theorem says for how long; let '{}' block (`wait: block`)", spins,
                       r.other, r.dag);
  }

  std::string operator()(const reason::ExecutorOverload& r) const {
    const std::string grows = "what waits for it grows, and messages come late without limit or are dropped";
    const std::string starving = r.starved ? fmt::format("; '{}' and what is less urgent starve", *r.starved) : "";
    if (r.group != 0) {
      return fmt::format(
          "{} of executor '{}' has more to do than one thread can, U = {} > 1, and none of its callbacks runs beside another: {}{}",
          group_in_words(r.group_name), r.pool, r.U.text(), grows, most_in_words(r.most));
    }
    if (r.reservation) {
      return fmt::format("executor '{}' has more to do than its reservation lets it, U = {} > {}/{}: {}{}{}", r.pool, r.U.text(),
                         r.reservation->runtime.count(), r.reservation->period.count(), grows, most_in_words(r.most), starving);
    }
    return fmt::format("executor '{}' has more to do than its {} can, U = {} > {}: {}{}{}", r.pool,
                       r.threads == 1 ? "thread" : plural(r.threads, "thread"), r.U.text(), r.threads, grows, most_in_words(r.most),
                       starving);
  }

  std::string operator()(const reason::ExecutorGrows& r) const {
    std::string text = (*this)(r.past);
    if (!r.group) return text + most_in_words(r.most);
    return fmt::format("{}; {} counts in full, which takes {:.1f} % of one of its {}, and others by 1/{}{}", text, group_in_words(*r.group),
                       100 * r.of_group, plural(r.threads, "thread"), r.threads, most_in_words(r.most));
  }

  std::string operator()(const reason::BesideExecutor& r) const {
    using What = reason::BesideExecutor::What;
    const std::string beside = fmt::format("shares DAGs or pools with executor '{}', whose bounds", r.executor);
    switch (r.what) {
      case What::points_without_preemption:
        return fmt::format(
            "pool '{}' {} are for FIFO, fixed priorities and preemptive G-EDF or G-FL beside it; let it preempt, or order it "
            "otherwise",
            r.which, beside);
      case What::stream_priorities: return fmt::format("GPU '{}' {} are for kernels of one stream priority", r.which, beside);
      case What::time_slices: return fmt::format("GPU '{}' {} know nothing of time slices", r.which, beside);
      case What::threads:
        return fmt::format("DAG '{}' is played by threads (`threads`) and {} know nothing of threads that wait", r.which, beside);
      case What::too_many_nodes: return fmt::format("DAG '{}' {} are for DAGs of 4000 nodes at most", r.which, beside);
    }
    return {};
  }

  std::string operator()(const reason::NoOptimum& r) const {
    return fmt::format("the linear program for priority points found no optimum within {}", plural(r.steps, "step"));
  }

 private:
  static std::string_view awaiting(bool counted) { return counted ? ", counting what groups await of kernels as far as it is known" : ""; }

  const TaskNames& names_;
};

}  // namespace

std::string decimal(double value) {
  std::string text = fmt::format("{:.6f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string in_words(const fifo::BlockingConfiguration& configuration, const TaskNames& names) {
  const auto& residents = configuration.residents;
  const bool one = residents.size() == 1 && residents.front().blocks == 1;
  return fmt::format("{} on an SM leave{} {} of {} G-threads unused: no block of {} fits ({} bind{})",
                     residents_in_words(configuration, names), one ? "s" : "", to_string(configuration.threads_unused),
                     to_string(configuration.threads_unused + configuration.threads_in_use), names.label(configuration.blocked),
                     to_string(configuration.binds), configuration.binds == fifo::Resource::shared_memory ? "s" : "");
}

std::string in_words(const Reason& reason, const TaskNames& names) { return std::visit(Words(names), reason); }

}  // namespace rta::analysis
