// All analyses of one random task set, without building it as a `TaskSet` where the plain theorems suffice.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rta/analysis/analyze.hpp"
#include "rta/analysis/cpu/gel.hpp"
#include "rta/analysis/gpu/fifo.hpp"
#include "rta/analysis/path/one_pool.hpp"
#include "rta/analysis/path/quick_deadlines.hpp"
#include "rta/generate/generator.hpp"

namespace rta::sweep {

/// One analysis of the list.
struct AnalysisChoice {
  std::string name;
  analysis::Options options;             // `scheduler` empty: the platform's
  std::optional<Time> simulated;         // also simulate sets that are bounded, for so long
  std::uint64_t search_runs = 0;         // where simulated: also search for the worst, in so many simulations
  bool periodic = false;                 // releases are at the sets' phases; else nothing is known of them but T
  std::optional<std::uint32_t> threads;  // so many play each DAG, node after node; none: its nodes are tasks

  /// Bounds of each pool on its own (T1, T5, T6 and their refinements), then offsets: needs no `TaskSet`.
  [[nodiscard]] bool is_plain(const generate::Recipe& recipe) const;
  /// Deadlines are enough, and T10 may show at once that they are met: on one preemptive pool of processors, without fixed priorities.
  [[nodiscard]] bool may_be_quick(const generate::Recipe& recipe) const;
  /// T10n alone, on one preemptive pool of processors without fixed priorities: needs no `TaskSet` either.
  [[nodiscard]] bool is_T10n(const generate::Recipe& recipe) const;
};

enum class Answer : std::uint8_t {
  schedulable,      // every D met (without D: every response time bounded)
  deadline_missed,  // all bounded, some end-to-end bound above its D
  unbounded,        // no bound for some node
  none              // no answer: a number left the exact range, or the analysis does not fit the set
};
[[nodiscard]] std::string_view to_string(Answer answer);
[[nodiscard]] std::optional<Answer> answer_of(std::string_view text);

/// What one analysis says of one set. The numbers hold when all DAGs have a bound; R is end to end.
struct Outcome {
  Answer answer = Answer::none;
  Time R_mean;  // over the DAGs, rounded up
  Time R_max;
  Time lateness_max;               // R - D; T where there is no D
  std::int64_t over_period = 0;    // mean of R / T in millionths, rounded up
  bool observed = false;           // simulated, too
  Time observed_mean;              // mean over the DAGs of the largest simulated response, rounded up
  std::int64_t over_observed = 0;  // mean over the DAGs of R / largest simulated response in millionths, rounded up
  std::optional<bool> left_out;    // of a periodic analysis: whether its theorems came to a limit of their work
  std::int64_t time_ns = 0;        // taken by the analysis (the parts it shares with earlier ones of the list not counted)

  [[nodiscard]] bool bounded() const { return answer == Answer::schedulable || answer == Answer::deadline_missed; }
};

/// The outcome of end-to-end bounds, one per DAG.
[[nodiscard]] Outcome outcome_of(std::span<const generate::RandomSet::Dag> dags, std::span<const Time> R);

/// Evaluates a list of analyses on sets of one recipe. Holds working memory, so each thread has its own.
class SetAnalyzer {
 public:
  SetAnalyzer(const generate::Recipe& recipe, std::span<const AnalysisChoice> choices);

  /// One outcome per analysis, of a set as drawn, without `split_overhead`.
  void evaluate(const generate::RandomSet& drawn, std::vector<Outcome>& outcomes);

 private:
  enum class State : std::uint8_t { open, bounded, unbounded, gave_up };
  /// What is asked before an analysis as a whole.
  enum class Quick : std::uint8_t { none, T10, T10n };
  // Bounds of one pool, shared by all analyses that ask for them in the same way.
  struct PoolBounds {
    analysis::Options options;
    State state = State::open;
    std::vector<Time> R;
  };

  void collect(const generate::RandomSet& set);
  /// From a few arrays; none where the whole analysis has to say.
  std::optional<Outcome> quick(const generate::RandomSet& set, std::size_t a);
  /// T10's outcome where it meets all deadlines.
  std::optional<Outcome> by_T10(const generate::RandomSet& set, const AnalysisChoice& choice);
  std::optional<Outcome> by_T10n(const generate::RandomSet& set, const AnalysisChoice& choice);
  /// Of `ends_`.
  Outcome outcome_of_ends(const generate::RandomSet& set);
  [[nodiscard]] analysis::path::Order order(const AnalysisChoice& choice) const;
  [[nodiscard]] Time priority_point(const generate::RandomSet::Dag& dag, Time longest_path, const AnalysisChoice& choice) const;
  /// The longest sum of C over paths. Requires that all nodes are on the CPU.
  Time longest_path(const generate::RandomSet& set, const generate::RandomSet::Dag& dag);
  Outcome plain(const generate::RandomSet& set, PoolBounds& cpu, PoolBounds& gpu);
  /// By what is a task, with or without what is known of releases, each made once.
  struct TaskSets {
    std::array<std::shared_ptr<const TaskSet>, 3> sporadic, periodic;
  };
  /// The set as it is where these are tasks, with `split_overhead`.
  const generate::RandomSet& as_played(const generate::RandomSet& set, generate::Grain grain);
  Outcome whole(const generate::RandomSet& set, const AnalysisChoice& choice, TaskSets& task_sets);
  void add_observed(Outcome& outcome, std::span<const Time> largest) const;
  State bound_cpu(PoolBounds& bounds);
  State bound_gpu(PoolBounds& bounds);

  struct Plain {
    std::size_t cpu, gpu;  // into cpu_, gpu_
  };

  const generate::Recipe& recipe_;
  std::span<const AnalysisChoice> choices_;
  std::vector<std::optional<Plain>> plain_;  // per analysis; none: through `analyze`
  std::vector<Quick> quick_;                 // per analysis
  CpuPool cpu_pool_;
  GpuPool gpu_pool_;
  std::vector<PoolBounds> cpu_, gpu_;
  std::vector<analysis::gel::Task> cpu_tasks_;
  std::vector<analysis::fifo::Task> gpu_tasks_;
  std::vector<analysis::path::WholeDag> whole_dags_;
  analysis::path::OnePool one_pool_;
  std::vector<std::int64_t> lengths_, ends_;  // ns
  std::vector<analysis::path::Precedence> edges_;
  std::vector<Time> end_, R_;
  generate::RandomSet fine_, coarse_;  // of this set, with `split_overhead`
};

}  // namespace rta::sweep
