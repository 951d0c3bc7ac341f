#include "search.hpp"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include "exact.hpp"
#include "good_orders.hpp"
#include "tabu.hpp"

namespace rta::static_order {
namespace {

constexpr std::size_t fewest_workers = 4;         // and as many where only the effort counts
constexpr std::uint64_t round_steps = 2'000'000;  // of each worker; about a tenth of a second
constexpr std::uint64_t first_steps = round_steps / 32;
constexpr std::size_t most_exact_pairs = 20'000;  // for the exact search

class SearchClock {
 public:
  explicit SearchClock(const SearchOptions& options) : options_(options) {}
  [[nodiscard]] bool over() const { return done_.load(std::memory_order_relaxed) || options_.over(); }
  /// The optimum is known. Where only the effort counts everybody ends the round, so that the result is the same every time.
  void finish() {
    if (!options_.effort) done_ = true;
  }

 private:
  const SearchOptions& options_;
  std::atomic<bool> done_ = false;
};

bool closes(const Cost& best, const Cost& bound) { return best.late > 0 ? best.late <= bound.late : best.objective <= bound.objective; }

// One of the searches; rounds of all of them run side by side, and see what the others found in the round before.
class Worker {
 public:
  Worker(const Problem& problem, SearchClock& clock, std::uint64_t seed) : problem_(problem), clock_(clock), random_(seed) {}
  virtual ~Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// About so many steps.
  virtual void round(const GoodOrders& pool, const Cost& bound, std::uint64_t most_steps) = 0;

  std::vector<Candidate> found;    // in this round
  std::optional<Cost> impossible;  // no order costs less than this

 protected:
  const Problem& problem_;
  SearchClock& clock_;
  Random random_;
};

class TabuWorker : public Worker {
 public:
  TabuWorker(const Problem& problem, SearchClock& clock, std::uint64_t seed, std::size_t number)
      : Worker(problem, clock, seed), evaluate_(problem), tabu_(problem), number_(number) {
    has_due_ = std::ranges::any_of(problem.tasks, [](const Task& task) { return task.due < never; });
  }

  void round(const GoodOrders& pool, const Cost& bound, std::uint64_t most_steps) override {
    found.clear();
    std::uint64_t steps = 0;
    Cost best = pool.best().cost;
    while (steps < most_steps && !clock_.over()) {
      std::optional<Candidate> at = next(pool);
      steps += 20 * problem_.size();
      if (!at) continue;
      steps += improve(*at, best, most_steps - std::min(steps, most_steps));
      at->cost = cost(problem_, at->times);
      best = std::min(best, at->cost);
      if (closes(best, bound)) clock_.finish();
      found.push_back(std::move(*at));
    }
  }

 private:
  std::optional<Candidate> next(const GoodOrders& pool) {
    if (first_ && number_ < pool.all().size()) {
      first_ = false;
      return pool.all()[number_];
    }
    std::optional<Order> order = pool.between(random_, [&] { return clock_.over(); });
    if (!order) return std::nullopt;
    return candidate(problem_, evaluate_, std::move(*order));
  }

  std::uint64_t improve(Candidate& at, const Cost& best, std::uint64_t steps) {
    std::uint64_t used = 0;
    Cost target = best;
    for (;;) {
      due_ = due_below(problem_, target);
      const TabuSearch::Limits limits{3000 + 10 * problem_.size(), steps - std::min(used, steps), has_due_ ? 0 : -never};
      used += tabu_.improve(at.order, at.times, due_, limits, random_, [&] { return clock_.over(); });
      if (!has_due_ || at.times.lateness > 0 || used >= steps || clock_.over()) return used;
      target = cost(problem_, at.times);  // all that was aimed at is reached: aim lower
    }
  }

  Evaluation evaluate_;
  TabuSearch tabu_;
  std::vector<Ns> due_;
  std::size_t number_;
  bool first_ = true;
  bool has_due_ = false;
};

// Looks for something better than the best, or, as a prober, for something better than the middle between the best and its bound.
class ExactWorker : public Worker {
 public:
  ExactWorker(const Problem& problem, SearchClock& clock, std::uint64_t seed, bool prober)
      : Worker(problem, clock, seed), evaluate_(problem), exact_(problem), prober_(prober) {}

  void round(const GoodOrders& pool, const Cost& bound, std::uint64_t most_steps) override {
    found.clear();
    impossible.reset();
    if (!aim_) retarget(pool, bound);
    const Candidate& best = pool.best();
    if (best.cost < best_ || (aim_ && *aim_ <= bound) || (prober_ && rounds_ > patience_)) {
      if (prober_ && rounds_ > patience_) closer_ = std::min(closer_ * 2, std::int64_t{1} << 20);
      retarget(pool, bound);
    }
    ++rounds_;
    switch (exact_.run(most_steps, random_, [&] { return clock_.over(); })) {
      case ExactSearch::Answer::unknown: return;
      case ExactSearch::Answer::impossible:
        impossible = aim_;
        if (*aim_ >= best.cost) clock_.finish();
        closer_ = 2;
        aim_.reset();
        return;
      case ExactSearch::Answer::found:
        if (auto better = candidate(problem_, evaluate_, exact_.order())) found.push_back(std::move(*better));
        aim_.reset();
    }
  }

 private:
  void retarget(const GoodOrders& pool, const Cost& bound) {
    const Candidate& best = pool.best();
    best_ = best.cost;
    aim_ = best.cost;  // costs below this are looked for
    if (prober_) {
      Ns& value = best.cost.late > 0 ? aim_->late : aim_->objective;
      const Ns least = best.cost.late > 0 ? bound.late : bound.objective;
      value = std::max(least + 1, value - (value - least) * (closer_ - 1) / closer_);
    }
    rounds_ = 0;
    exact_.aim(due_below(problem_, *aim_), best.order, best.times.start);
  }

  static constexpr std::uint64_t patience_ = 8;  // rounds that a prober stays with one aim
  Evaluation evaluate_;
  ExactSearch exact_;
  bool prober_;
  std::optional<Cost> aim_;
  Cost best_;
  std::int64_t closer_ = 2;
  std::uint64_t rounds_ = 0;
};

class Search {
 public:
  Search(const Problem& problem, const SearchOptions& options) : problem_(problem), options_(options), clock_(options), pool_(problem) {}

  std::optional<SearchResult> run() {
    add_list_schedules(
        problem_, pool_, [&] { return options_.over(); }, [&] { return options_.hopeless(); });
    if (pool_.empty() && !find_any()) return std::nullopt;
    set_bounds();
    hire();
    report();
    for (std::uint64_t used = 0; !closed() && !clock_.over() && (!options_.effort || used / round_steps < *options_.effort);) {
      const std::uint64_t steps = steps_after(used);
      run_round(steps);
      report();
      used += steps;
    }
    return finish();
  }

 private:
  // Streams can forbid what a list schedule begins with: at random, for a while.
  bool find_any() {
    constexpr int most_tries = 200;
    Random random(options_.seed);
    Evaluation evaluate(problem_);
    const std::vector<Ns> due = due_for(problem_, never / 2);
    const auto over = [&] { return options_.hopeless(); };
    for (int i = 0; i < most_tries && pool_.empty() && !over(); ++i) {
      auto order = list_schedule(
          problem_, {shaken(longest_tail_keys(problem_, due), 10 + static_cast<std::uint32_t>(i), random), 1000, nullptr}, over);
      auto found = order ? candidate(problem_, evaluate, std::move(*order)) : std::nullopt;
      if (found) pool_.add(std::move(*found));
    }
    return !pool_.empty();
  }

  void set_bounds() {
    std::vector<Ns> due(problem_.size());
    for (TaskId t = 0; t < problem_.size(); ++t) due[t] = problem_.tasks[t].due;
    const auto over = [&] { return options_.hopeless(); };
    late_reason_ = lower_bound(problem_, due, over);
    bound_.late = std::max<Ns>(0, late_reason_.lateness);
    for (TaskId t = 0; t < problem_.size(); ++t) due[t] = -problem_.tasks[t].weight;
    reason_ = lower_bound(problem_, due, over);
    bound_.objective = reason_.lateness;
    if (bound_.late == 0 && pool_.best().cost.late == 0) raise_by_windows();
  }

  // The largest objective for which the windows of all tasks are too small.
  void raise_by_windows() {
    constexpr std::size_t most_energy = 100;
    const auto pairs = Contention::pairs_of(problem_);
    std::unique_ptr<WindowsState> state;
    if (pairs && *pairs <= most_exact_pairs) state = std::make_unique<WindowsState>(problem_);
    Ns low = bound_.objective;  // nothing is below
    Ns high = pool_.best().cost.objective;
    while (low < high && !clock_.over()) {
      const Ns middle = low + (high - low) / 2;
      const std::vector<Ns> due = due_for(problem_, middle);
      if ((state && !state->reset(due)) || !has_energy(problem_, due, most_energy)) {
        low = middle + 1;
        reason_.reason = LowerBound::Reason::search;
      } else {
        high = middle;
      }
    }
    bound_.objective = std::max(bound_.objective, low);
    reason_.lateness = bound_.objective;
  }

  void hire() {
    const auto pairs = Contention::pairs_of(problem_);
    const bool exact = pairs && *pairs <= most_exact_pairs;
    const unsigned threads = options_.threads > 0 ? options_.threads : std::max(1U, std::thread::hardware_concurrency());
    const std::size_t count = options_.effort ? fewest_workers : std::max<std::size_t>(fewest_workers, threads);
    Random seeds(options_.seed);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t seed = seeds.next();
      if (exact && (i == 0 || i == 1)) {
        workers_.push_back(std::make_unique<ExactWorker>(problem_, clock_, seed, i == 1));
      } else {
        workers_.push_back(std::make_unique<TabuWorker>(problem_, clock_, seed, exact ? i - 2 : i));
      }
    }
    arena_.initialize(static_cast<int>(threads));
  }

  // The first round comes in parts, each twice as long as the one before: what is easy is proven at once, and nobody goes on.
  static std::uint64_t steps_after(std::uint64_t used) {
    if (used >= round_steps) return round_steps;
    return std::min(used + first_steps, round_steps - used);
  }

  void run_round(std::uint64_t steps) {
    arena_.execute([&] {
      oneapi::tbb::parallel_for(std::size_t{0}, workers_.size(), [&](std::size_t i) { workers_[i]->round(pool_, bound_, steps); });
    });
    for (const auto& worker : workers_) {
      for (Candidate& found : worker->found) pool_.add(std::move(found));
      worker->found.clear();
      if (!worker->impossible) continue;
      // No order costs less; where nothing is late that says something about the objective only.
      if (worker->impossible->late > 0) {
        raise(bound_.late, worker->impossible->late, late_reason_);
      } else {
        raise(bound_.objective, worker->impossible->objective, reason_);
      }
      worker->impossible.reset();
    }
  }

  static void raise(Ns& bound, Ns to, LowerBound& reason) {
    if (to <= bound) return;
    bound = to;
    reason.lateness = to;
    reason.reason = LowerBound::Reason::search;
  }

  [[nodiscard]] bool closed() const { return closes(pool_.best().cost, bound_); }

  void report() const {
    if (options_.progress) options_.progress(pool_.best().cost, bound_);
  }

  SearchResult finish() {
    SearchResult result;
    const Candidate& best = pool_.best();
    result.order = best.order;
    result.times = best.times;
    result.cost = best.cost;
    result.bound = bound_;
    result.late_reason = std::move(late_reason_);
    result.reason = std::move(reason_);
    for (const Candidate& other : pool_.all().subspan(1)) result.others.push_back(other.order);
    using Ending = SearchResult::Ending;
    result.ending = closed()             ? Ending::optimal
                    : options_.stopped() ? Ending::stopped
                    : options_.late()    ? Ending::time_limit
                                         : Ending::effort;
    return result;
  }

  const Problem& problem_;
  const SearchOptions& options_;
  SearchClock clock_;
  GoodOrders pool_;
  Cost bound_;
  LowerBound late_reason_, reason_;
  std::vector<std::unique_ptr<Worker>> workers_;
  oneapi::tbb::task_arena arena_;
};

}  // namespace

std::optional<SearchResult> search(const Problem& problem, const SearchOptions& options) { return Search(problem, options).run(); }

}  // namespace rta::static_order
