#include "optimize/search.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <string_view>
#include <utility>

#include "rta/analysis/deadlines.hpp"
#include "rta/io/diagnostic.hpp"
#include "rta/model/error.hpp"

namespace rta::optimize {
namespace {

constexpr std::size_t most_vain = 32;     // climbs in a row that judge no task set that is new
constexpr std::size_t most_no_sets = 20;  // for each task set that is to be judged: combinations that make none

class Search {
 public:
  Search(const io::ChoiceFile& file, const Options& options) : file_(file), options_(options), random_(options.seed) {
    for (const io::Choice& choice : file.choices()) sizes_.push_back(choice.alternatives.size());
    result_.first = io::Selection(sizes_.size(), 0);
  }

  Result run() {
    const auto all = combinations(file_);
    try {
      if (all && *all <= options_.try_all) {
        try_all();
        result_.complete = true;
      } else {
        most_ = options_.effort;
        climb_again_and_again();
      }
    } catch (const Over&) {
      if (result_.ended == Limit::Cause::none) result_.ended = options_.limit.cause();
    }
    take_best();
    return std::move(result_);
  }

 private:
  using Judgement = std::optional<Score>;

  static bool better(const Judgement& a, const Judgement& b) { return a && (!b || *a < *b); }

  void try_all() {
    io::Selection selection = result_.first;
    do {
      (void)judge(selection);
    } while (next(selection));
  }

  bool next(io::Selection& selection) const {
    for (std::size_t i = selection.size(); i > 0; --i) {
      if (++selection[i - 1] < sizes_[i - 1]) return true;
      selection[i - 1] = 0;
    }
    return false;
  }

  void climb_again_and_again() {
    climb(result_.first);
    for (std::size_t vain = 0; vain < most_vain; ++vain) {
      const std::size_t before = sets_;
      io::Selection selection(sizes_.size());
      for (std::size_t i = 0; i < sizes_.size(); ++i) selection[i] = below(sizes_[i]);
      climb(std::move(selection));
      if (sets_ > before) vain = 0;
    }
  }

  void climb(io::Selection from) {
    Judgement best = judge(from);
    while (improve_by_one(from, best) || improve_by_two(from, best)) {
    }
  }

  bool improve_by_one(io::Selection& selection, Judgement& best) {
    for (const std::size_t i : shuffled()) {
      for (std::size_t a = 0; a < sizes_[i]; ++a) {
        if (a == selection[i]) continue;
        const std::size_t before = std::exchange(selection[i], a);
        if (take_if_better(selection, best)) return true;
        selection[i] = before;
      }
    }
    return false;
  }

  bool improve_by_two(io::Selection& selection, Judgement& best) {
    const std::vector<std::size_t> order = shuffled();
    for (std::size_t x = 0; x < order.size(); ++x) {
      for (std::size_t y = x + 1; y < order.size(); ++y) {
        if (improve_pair(selection, best, order[x], order[y])) return true;
      }
    }
    return false;
  }

  bool improve_pair(io::Selection& selection, Judgement& best, std::size_t i, std::size_t j) {
    const std::size_t of_i = selection[i];
    const std::size_t of_j = selection[j];
    for (std::size_t a = 0; a < sizes_[i]; ++a) {
      for (std::size_t b = 0; b < sizes_[j]; ++b) {
        if (a == of_i || b == of_j) continue;
        selection[i] = a;
        selection[j] = b;
        if (take_if_better(selection, best)) return true;
      }
    }
    selection[i] = of_i;
    selection[j] = of_j;
    return false;
  }

  bool take_if_better(const io::Selection& selection, Judgement& best) {
    const Judgement judgement = judge(selection);
    if (!better(judgement, best)) return false;
    best = judgement;
    return true;
  }

  Judgement judge(const io::Selection& given) {
    const io::Selection selection = file_.plain(given);
    if (const auto at = result_.scores.find(selection); at != result_.scores.end()) return at->second;
    result_.ended = options_.limit.cause();
    if (result_.ended == Limit::Cause::none && most_ && is_enough()) result_.ended = Limit::Cause::effort;
    if (result_.ended != Limit::Cause::none) throw Over();
    const auto known = options_.known.find(selection);
    Judgement judgement = known != options_.known.end() ? known->second : judged_anew(selection);
    if (known == options_.known.end() && options_.judged) options_.judged(selection, judgement);
    if (judgement) judgement = priced(*judgement, file_, selection);
    result_.scores.emplace(selection, judgement);
    if (judgement) ++sets_;
    if (better(judgement, best_)) best_ = judgement;
    if (options_.progress) options_.progress(result_.scores.size(), best_);
    return judgement;
  }

  [[nodiscard]] bool is_enough() const { return sets_ >= *most_ || (result_.scores.size() - sets_) / most_no_sets >= *most_; }

  Judgement judged_anew(const io::Selection& selection) {
    try {
      auto found = analyzed(file_, selection, options_.analysis, options_.limit);
      const Score score = priced(score_of(*found, ranked_by(file_, options_.analysis)), file_, selection);
      keep(selection, score, std::move(found));
      return score;
    } catch (const io::InputError& error) {
      if (result_.conflict.empty()) result_.conflict = error.diagnostics().front().text();
      return std::nullopt;
    } catch (const Overflow& overflow) {
      if (result_.conflict.empty()) result_.conflict = overflow.what();
      return std::nullopt;
    }
  }

  /// The first, and the best as `take_best` will choose it.
  void keep(const io::Selection& selection, const Score& score, std::shared_ptr<const analysis::Analysis> analysis) {
    if (selection == file_.plain(result_.first)) result_.of_first = analysis;
    if (kept_ && std::pair(score, selection) >= *kept_) return;
    kept_ = {score, selection};
    result_.of_best = std::move(analysis);
  }

  void take_best() {
    result_.best = file_.plain(result_.first);
    Judgement best;
    for (const auto& [selection, judgement] : result_.scores) {
      if (!better(judgement, best)) continue;
      best = judgement;
      result_.best = selection;
    }
    if (!best) (void)file_.task_set(result_.first);  // says what is wrong
    if (kept_ && kept_->second != result_.best) result_.of_best.reset();
  }

  std::size_t below(std::size_t size) { return static_cast<std::size_t>(random_() % size); }

  std::vector<std::size_t> shuffled() {
    std::vector<std::size_t> order(sizes_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(i)]);
    return order;
  }

  const io::ChoiceFile& file_;
  const Options& options_;
  std::mt19937_64 random_;
  std::vector<std::size_t> sizes_;
  std::optional<std::uint64_t> most_;  // task sets to judge
  std::size_t sets_ = 0;               // that were judged: combinations that make no task set do not count
  Judgement best_;
  std::optional<std::pair<Score, io::Selection>> kept_;  // that of `of_best`
  Result result_;
};

}  // namespace

Score score_of(const analysis::Analysis& analysis, analysis::Objective objective) {
  const analysis::Proof& proof = analysis.proof;
  const analysis::Cost cost = analysis::cost_of(proof, objective);
  Score score{cost.unbounded, 0, 0, cost.first, cost.second};
  for (DagId d = 0; d < proof.dags.size(); ++d) {
    if (proof.dags[d].bound && !analysis::meets_deadlines(proof, d)) ++score.missed;
  }
  const auto& chains = analysis::set_with_chains(proof).chains();
  for (std::size_t c = 0; c < chains.size(); ++c) {
    if (!analysis.chains[c].meets(chains[c])) ++score.missed;
  }
  return score;
}

Score priced(Score score, const io::ChoiceFile& file, const io::Selection& selection) {
  score.cost = score.unbounded == 0 && score.missed == 0 ? file.cost(selection) : 0;
  return score;
}

analysis::Objective ranked_by(const io::ChoiceFile& file, const analysis::Options& options) {
  return file.has_costs() ? analysis::Objective::max_lateness : options.objective;
}

analysis::Verdict verdict_of(const Score& score) {
  if (score.unbounded > 0) return analysis::Verdict::unbounded;
  return score.missed > 0 ? analysis::Verdict::deadline_missed : analysis::Verdict::schedulable;
}

std::shared_ptr<const analysis::Analysis> analyzed(const io::ChoiceFile& file, const io::Selection& selection,
                                                   const analysis::Options& options, const Limit& limit) {
  // Not `stop`, with which an analysis contents itself with other bounds.
  analysis::Options asking = options;
  asking.progress = [&limit](std::string_view) {
    if (limit.reached()) throw Over();
  };
  asking.progress({});
  auto task_set = std::make_shared<const TaskSet>(file.task_set(selection).task_set);
  asking.progress({});
  return std::make_shared<const analysis::Analysis>(analysis::analyze(std::move(task_set), asking));
}

std::optional<std::uint64_t> combinations(const io::ChoiceFile& file) {
  std::uint64_t all = 1;
  for (const io::Choice& choice : file.choices()) {
    if (__builtin_mul_overflow(all, static_cast<std::uint64_t>(choice.alternatives.size()), &all)) return std::nullopt;
  }
  return all;
}

Result search(const io::ChoiceFile& file, const Options& options) { return Search(file, options).run(); }

}  // namespace rta::optimize
