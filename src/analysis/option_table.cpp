#include "rta/analysis/option_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "rta/model/error.hpp"

namespace rta::analysis {
namespace {

template <class T>
struct Word {
  std::string_view name;
  T value;
};

/// An option whose value is one of a few words.
template <class T, class Set>
OptionEntry choice(std::string_view name, std::string_view text, std::vector<Word<T>> words, Set set, std::vector<Release> without = {}) {
  OptionEntry entry{.name = name, .value = "NAME", .text = text, .values = {}, .set = {}, .without_effect = std::move(without)};
  for (const Word<T>& word : words) entry.values.push_back(word.name);
  entry.set = [name, words = std::move(words), set](Options& options, std::string_view value) {
    const auto at = std::ranges::find(words, value, &Word<T>::name);
    if (at != words.end()) return set(options, at->value);
    std::string allowed;
    for (const Word<T>& word : words) allowed += (allowed.empty() ? "" : ", ") + std::string(word.name);
    throw UserError(fmt::format("{} '{}': no such value (allowed: {})", name, value, allowed));
  };
  return entry;
}

template <class Set>
OptionEntry flag(std::string_view name, std::string_view text, Set set, std::vector<Release> without = {}) {
  OptionEntry entry = choice<bool>(name, text, {{"true", true}, {"false", false}}, set, std::move(without));
  entry.value = {};
  return entry;
}

void set_most_periods(Options& options, std::string_view value) {
  std::int64_t number = 0;
  const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || rest != value.data() + value.size() || number < 1) {
    throw UserError(fmt::format("most-periods '{}': must be a whole number within 1 .. {}", value, INT64_MAX));
  }
  options.most_periods = number;
}

const std::vector<Release> not_at_offsets{Release::completion, Release::segments};
const std::vector<Release> only_completion{Release::offsets, Release::early, Release::grouped, Release::segments};
const std::vector<Release> at_offsets{Release::offsets, Release::early, Release::grouped};

/// When nodes are released, and in which order they run.
void add_policies(std::vector<OptionEntry>& table) {
  using enum Release;
  table.push_back(choice<std::optional<Release>>(
      "release",
      "when nodes are released: offsets (fixed, from the DAG's release), early (as soon as predecessors end, at the offsets' priority "
      "points; consecutive jobs stay a period apart on GPUs, engines and workers), completion (when the last predecessor ends; the nodes "
      "of "
      "a DAG share its priority point), segments (completion between chosen or given cuts, offsets at them) or best (whichever bounds the "
      "most DAGs and meets all deadlines: completion, unless segments or offsets have bounds less by a fifth; offsets where --cpu-bound, "
      "--gpu-bound, --shared-weights or --refine "
      "ask for it); rta analyze also has static (an order of all jobs of a hyperperiod, as rta compile finds it; DAGs are "
      "released "
      "exactly every T)",
      {{"offsets", offsets}, {"early", early}, {"completion", completion}, {"segments", segments}, {"best", std::nullopt}},
      [](Options& o, std::optional<Release> release) { o.release = release; }));
  table.push_back(choice<bool>(
      "optimize",
      "priorities: search for the DAGs' relative priority points, and on pools under FP for their fixed priorities, with the smallest "
      "maximum lateness (release on completion or segments); the output has the changes of the file",
      {{"priorities", true}}, [](Options& o, bool optimize) { o.optimize_priorities = optimize; }, at_offsets));
  table.push_back(choice<Priorities>(
      "priorities",
      "release on completion: the nodes of a preemptive CPU pool share the priority point of their DAG (dag), have chosen points of their "
      "own (node), or whichever gives the smaller bounds (best); default: best under LP, dag under the other schedulers",
      {{"dag", Priorities::dag}, {"node", Priorities::node}, {"best", Priorities::best}},
      [](Options& o, Priorities priorities) { o.priorities = priorities; }, only_completion));
  table.push_back(choice<PathBound>(
      "path-bound",
      "theorems for release on completion, which it asks for: best (the default: all), T10n (under FP T11, with time slices T14), T10v "
      "(also "
      "T10a) or T10g (also T10c, T10f, T10j, T11j, T23, T24): fewer are quicker",
      {{"best", PathBound::best}, {"T10n", PathBound::T10n}, {"T10v", PathBound::T10v}, {"T10g", PathBound::T10g}},
      [](Options& o, PathBound bound) { o.path_bound = bound; }, only_completion));
  table.push_back(
      flag("fitting",
           "release on completion and on segments: on CPU pools count no more work than fits beside a path (T10p, T10w, T10m): "
           "smaller bounds, which take longer; without it, on completion, for task sets of up to 100 nodes, and in larger ones for "
           "nodes that leave a deadline open otherwise; in a sweep for the latter alone",
           [](Options& o, bool fitting) { o.fitting = fitting ? Fitting::all : Fitting::small; }, {offsets, early, grouped}));
  table.push_back({.name = "most-periods",
                   .value = "N",
                   .text = "on completion and segments: a DAG has no bound once its would pass so many of its periods (default: 1000)",
                   .values = {},
                   .set = set_most_periods,
                   .without_effect = {}});
  table.push_back(choice<Enough>(
      "enough",
      "on completion and for the best release: bounds (the default: the least that are found) or deadlines (the first that meet all "
      "deadlines, found sooner and larger; the verdict is the same)",
      {{"bounds", Enough::bounds}, {"deadlines", Enough::deadlines}}, [](Options& o, Enough enough) { o.enough = enough; },
      only_completion));
  table.push_back(choice<Scheduler>(
      "scheduler",
      "scheduler of every CPU pool, in place of the file's: G-EDF, G-FL, FIFO, LP (priority points chosen by a linear program) or FP "
      "(fixed "
      "priorities: the file's, or deadline monotonic)",
      {{"G-EDF", Scheduler::g_edf}, {"G-FL", Scheduler::g_fl}, {"FIFO", Scheduler::fifo}, {"LP", Scheduler::lp}, {"FP", Scheduler::fp}},
      [](Options& o, Scheduler scheduler) { o.scheduler = scheduler; }));
  table.push_back(flag("non-preemptive", "CPU pools run what they have started to its end, whatever the file says",
                       [](Options& o, bool non_preemptive) { o.preemptive = non_preemptive ? std::optional(false) : std::nullopt; }));
  table.push_back(choice<Objective>(
      "objective",
      "what LP and the searches minimise: sum (of the end-to-end bounds, the default) or max-lateness (always with --optimize priorities)",
      {{"sum", Objective::sum}, {"max-lateness", Objective::max_lateness}},
      [](Options& o, Objective objective) { o.objective = objective; }));
}

/// What bounds at offsets come from.
void add_theorems(std::vector<OptionEntry>& table) {
  table.push_back(choice<Granularity>(
      "granularity",
      "fine (the default: every node a task), coarse (every group one sequential CPU task that awaits its kernels) or monolithic (every "
      "DAG one such task); the last two are at offsets, and use G-EDF unless --scheduler says otherwise",
      {{"fine", Granularity::fine}, {"coarse", Granularity::coarse}, {"monolithic", Granularity::monolithic}},
      [](Options& o, Granularity granularity) { o.granularity = granularity; }));
  table.push_back(choice<CpuBound>(
      "cpu-bound",
      "theorem for CPU pools: best (the default: the one that applies), T1, published (T1 as its papers have it: carry (m-1) C_max, points "
      "as "
      "they are, no refinement), or for sequential nodes T3, T4 (G-EDF with D = T)",
      {{"best", CpuBound::best}, {"published", CpuBound::published}, {"T1", CpuBound::T1}, {"T3", CpuBound::T3}, {"T4", CpuBound::T4}},
      [](Options& o, CpuBound bound) { o.cpu_bound = bound; }, not_at_offsets));
  table.push_back(choice<fifo::Bound>(
      "gpu-bound",
      "theorem for GPUs: best (the default: per node the least bound that applies), T5 (Theorem 4.3), T6a or T6b; kernels of two "
      "priorities "
      "always use T7",
      {{"best", fifo::Bound::best}, {"T5", fifo::Bound::T5}, {"T6a", fifo::Bound::T6a}, {"T6b", fifo::Bound::T6b}},
      [](Options& o, fifo::Bound bound) { o.gpu_bound = bound; }, not_at_offsets));
  table.push_back(flag(
      "shared-weights", "T6b with one set of weights for all kernels of a GPU: faster, seldom worse",
      [](Options& o, bool shared) { o.shared_weights = shared; }, not_at_offsets));
  table.push_back(choice<gel::Refinement>(
      "refine",
      "how far bounds at offsets are sharpened: none, demand (T1e), carry (T1c, T6c), response (T1r, T1re, T1n, T6n), early (all that hold "
      "as "
      "well "
      "when "
      "CPU nodes are released before their offsets: all but T1r, T1re and T1n) or all (the default)",
      {{"none", gel::Refinement::none},
       {"demand", gel::Refinement::demand},
       {"carry", gel::Refinement::carry},
       {"response", gel::Refinement::response},
       {"early", gel::Refinement::early},
       {"all", gel::Refinement::all}},
      [](Options& o, gel::Refinement refinement) { o.refinement = refinement; }, not_at_offsets));
}

const std::string* value_of(const GivenOptions& given, std::string_view name) {
  const auto at = std::ranges::find(given, name, &GivenOptions::value_type::first);
  return at == given.end() ? nullptr : &at->second;
}

[[noreturn]] void refuse(const std::string& one, std::string_view other) {
  throw UserError(fmt::format("{} and --{} do not go together", one, other));
}

/// Only offsets have these analyses.
bool asks_for_offsets(const GivenOptions& given) {
  return std::ranges::any_of(given, [](const auto& option) {
    const OptionEntry& entry = *find_option(option.first);
    const bool is_on = !entry.is_flag() || option.second == "true";
    return is_on && (entry.without_effect == not_at_offsets || entry.name == "granularity");
  });
}

/// What was asked for in vain is not passed over.
void refuse_without_effect(const GivenOptions& given, const Options& options) {
  const std::string* release = value_of(given, "release");
  const std::string which =
      release != nullptr ? "--release " + *release : "options that only offsets have (--granularity, --cpu-bound, --gpu-bound, ...)";
  for (const auto& [name, value] : given) {
    const OptionEntry& entry = *find_option(name);
    const bool is_on = !entry.is_flag() || value == "true";
    if (options.release && is_on && std::ranges::find(entry.without_effect, *options.release) != entry.without_effect.end()) {
      refuse(which, entry.name);
    }
  }
  if (options.fitting == Fitting::all && options.path_bound != PathBound::best)
    refuse("--fitting", "path-bound " + *value_of(given, "path-bound"));
  if (options.optimize_priorities && value_of(given, "objective") != nullptr && options.objective == Objective::sum) {
    refuse("--optimize priorities, which minimises the maximum lateness,", "objective sum");
  }
}

}  // namespace

std::string OptionEntry::key() const {
  std::string key(name);
  std::ranges::replace(key, '-', '_');
  return key;
}

std::span<const OptionEntry> option_table() {
  static const std::vector<OptionEntry> table = [] {
    std::vector<OptionEntry> entries;
    add_policies(entries);
    add_theorems(entries);
    return entries;
  }();
  return table;
}

const OptionEntry* find_option(std::string_view name) {
  const auto table = option_table();
  const auto at = std::ranges::find(table, name, &OptionEntry::name);
  return at == table.end() ? nullptr : &*at;
}

Options options_of(const GivenOptions& given) {
  Options options;
  options.fitting = Fitting::small;
  for (const auto& [name, value] : given) {
    const OptionEntry* entry = find_option(name);
    if (entry == nullptr) throw UserError(fmt::format("no option '{}' of an analysis", name));
    entry->set(options, value);
  }
  if (value_of(given, "release") == nullptr) {
    if (value_of(given, "path-bound") != nullptr) options.release = Release::completion;
    if (asks_for_offsets(given)) options.release = Release::offsets;
  }
  refuse_without_effect(given, options);
  return options;
}

}  // namespace rta::analysis
