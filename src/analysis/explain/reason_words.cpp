#include "analysis/explain/reason_words.hpp"

#include <fmt/format.h>

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

/// One sentence per kind of reason.
class Words {
 public:
  explicit Words(const TaskNames& names) : names_(names) {}

  std::string operator()(const reason::NodeWithout&) const { return "some node has none"; }

  std::string operator()(const reason::Overload& r) const {
    if (r.kind == PoolKind::cpu) {
      return fmt::format("U = {} > {} (exceeded by {})", r.U.text(), plural(r.capacity, "processor"), r.U.text(r.capacity));
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
    if (r.best_capacity) text += fmt::format("; with the best weights (T6b) this mix can carry {} G-threads", decimal(*r.best_capacity));
    return text;
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
    return fmt::format("{} is sequential and needs C = {} ns every T = {} ns: its utilization is above 1", names_.label(r.task),
                       r.C.count(), r.T.count());
  }

  std::string operator()(const reason::NotSequential& r) const {
    return fmt::format("{} bounds pools whose nodes are all sequential; {} of {} are", to_string(r.theorem), r.sequential, r.all);
  }

  std::string operator()(const reason::NotImplicit&) const { return "T4 is for G-EDF with implicit deadlines (Y = T for every node)"; }

  std::string operator()(const reason::NeedsPreemption& r) const {
    using Since = reason::NeedsPreemption::Since;
    const char* const instead = "; --release completion bounds it (T10n)";
    switch (r.since) {
      case Since::by_T4: return fmt::format("non-preemptive {}: T4 assumes preemption; T3b and T1b do not", to_string(r.scheduler));
      case Since::released_early:
        return fmt::format("non-preemptive {}: a job that is released early may hold up one with an earlier point{}",
                           to_string(r.scheduler), instead);
      case Since::suspended:
        return fmt::format("non-preemptive {}: a group's job that has awaited a kernel waits again for whatever has started meanwhile{}",
                           to_string(r.scheduler), instead);
    }
    return {};
  }

  std::string operator()(const reason::FixedPriorities& r) const {
    return fmt::format("no theorem bounds fixed priorities where nodes are released early or in groups (pool '{}')", r.pool);
  }

  std::string operator()(const reason::MayWait& r) const {
    if (!r.R) return fmt::format("{} is sequential and has no bound", names_.label(r.task));
    const std::string jitter = r.J > Time::zero() ? fmt::format(" plus jitter of {} ns", r.J.count()) : std::string();
    std::string text = fmt::format("{} is sequential, and its bound of {} ns{} exceeds its period of {} ns: ", names_.label(r.task),
                                   r.R->count(), jitter, r.T.count());
    switch (r.kind) {
      case PoolKind::cpu:
        return text + "a job may wait for its predecessor (T3s does not apply)" +
               (r.all_sequential ? "" : "; T3 needs all nodes of the pool to be sequential");
      case PoolKind::gpu:
        return text +
               "kernels may wait for their predecessors (T3s does not apply), and then response times can grow without bound (Theorem 4.1)";
      case PoolKind::engines:
      case PoolKind::workers: return text + "a job may wait for its predecessor (T3s does not apply)";
    }
    return text;
  }

  std::string operator()(const reason::MayWaitOnPath& r) const {
    return fmt::format(
        "node '{}' is sequential and may end {} ns after its DAG's (or segment's) release, past the period of {} ns: a job may wait for "
        "its "
        "predecessor",
        r.node, r.R.count(), r.T.count());
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
    return fmt::format("the static order that was found takes {} ns, more than the hyperperiod of {} ns", r.length.count(),
                       r.hyperperiod.count());
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
    return fmt::format("U_w = {} exceeds {} x {}/({} + {}): of GPU '{}' a process has slices of {} ns, with up to {} ns between them",
                       r.U.text(), rta::to_string(r.capacity), r.slice.count(), r.slice.count(), r.gap.count(), r.gpu, r.slice.count(),
                       r.gap.count());
  }

  std::string operator()(const reason::NoOptimum& r) const {
    return fmt::format("the linear program of T2 found no optimum within {} ms", r.milliseconds);
  }

 private:
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
