#include "analysis/explain/kernel_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "analysis/explain/counted_terms.hpp"
#include "analysis/explain/reason_words.hpp"
#include "analysis/gpu/sliced_bounds.hpp"
#include "rta/analysis/fine.hpp"
#include "rta/model/time_slices.hpp"

namespace rta::analysis::fifo {
namespace {

// w = H density / guaranteed: `3/4`, or decimals where the fraction is long.
std::string weight(Wide numerator, Wide denominator) {
  const Wide divisor = gcd(numerator, denominator);
  numerator /= divisor;
  denominator /= divisor;
  if (denominator == 1) return rta::to_string(numerator);
  if (denominator < 10'000) return fmt::format("{}/{}", numerator, denominator);
  return fmt::format("{:.6f}", static_cast<double>(numerator) / static_cast<double>(denominator));
}

// `lower`: tasks of higher priority take some of the capacity. `late`: some are enqueued late; T7's W are then sums with 1 + J_i/T_i, too.
std::string formula(Theorem theorem, Carry carry, bool lower, bool late) {
  const char* const more = late ? " (1 + J_i/T_i)" : "";
  if (theorem == Theorem::T5)
    return fmt::format("T5 (Theorem 4.3): R_k = (L_max (g m - H_max) + sum B_i C_i{} - C_k) / (g (m - H_max + h)) + L_k", more);
  if (theorem == Theorem::T6n)
    return fmt::format("T6n: R_k = (sum ceil({} / T_i) w_i L_i B_i - w_k L_k) / g + L_k", late ? "(R_i + J_i)" : "R_i");
  if (theorem == Theorem::T14j) return "T14j: R_k = ((carry + sum w_i L_i B_i (1 + J_i/T_i) - w_k L_k) / g + L_k) (S + G)/S + G";
  if (carry == Carry::all_resident && lower) return "T7, priority between: R_k = (g K + W_> + W_= - w_k L_k) / (g - U_>) + L_k";
  if (carry == Carry::all_resident) return "T7, high priority: R_k = (g K + W_hi - w_k L_k) / g + L_k";
  if (theorem == Theorem::T7) return "T7, low priority: R_k = (carry + W_hi + W_lo - w_k L_k) / (g - U_hi) + L_k";
  return fmt::format("{}: R_k = (carry + sum w_i L_i B_i{} - w_k L_k) / g + L_k", analysis::to_string(theorem), more);
}

std::string carry_in_words(Carry carry, bool late) {
  const std::string jobs = late ? "ceil((R_i + J_i) / T_i) unfinished jobs of each task" : "ceil(R_i / T_i) unfinished jobs of each task";
  switch (carry) {
    case Carry::theorem_4_3: return "L_max (g m - H_max)";
    case Carry::sliced:
    case Carry::resident: return "(a) (g-1) K + K': what can be resident when an SM is not blocked";
    case Carry::all_resident: return "g K: what can be resident on all SMs";
    case Carry::light: return "(b) L_max times what is in use below U_w";
    case Carry::counted: return "(a), and at most " + jobs;
    case Carry::counted_light: return "(b), and at most " + jobs;
    case Carry::sliced_light: return "L_max U_w (S + G)/S + U_w G";
    case Carry::none: return "the whole backlog: at most " + jobs;
  }
  return "";
}

// w_i L_i B_i (1 + J_i/T_i) in credits of the tasks that count, where some are late.
void add_released(std::span<const Task> tasks, const GpuPool& gpu, const WeightSet& set, StreamPriority least, const TaskNames& names,
                  std::vector<std::string>& lines) {
  std::vector<std::size_t> counting;
  std::vector<GroupKey> key;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].priority < least) continue;
    counting.push_back(i);
    key.emplace_back(tasks[i].T.count(), tasks[i].J.count());
  }
  std::vector<TermLine> terms;
  for (const TaskGroup& group : grouped(counting, key, names)) {
    Wide once = 0;
    Wide sum = 0;
    for (const std::size_t i : group.tasks) {
      const Task task = rounded_to_warps(tasks[i], gpu);
      const Wide block = checked_mul(set.density[i], task.C.count());
      once = checked_add(once, checked_mul(block, static_cast<Wide>(task.B)));
      sum = checked_add(sum, released(task, block));
    }
    const Task& first = tasks[group.tasks.front()];
    const std::string more = first.J == Time::zero() ? "" : fmt::format(" (1 + {}/{})", first.J.count(), first.T.count());
    terms.push_back({fmt::format("  {}: {}{} = {}", group.name, once, more, sum), sum});
  }
  std::ranges::move(shortened(terms), std::back_inserter(lines));
}

// The terms above 0 of T6c's sum.
void add_counted_carry(std::span<const Task> tasks, const GpuBounds& bounds, const Basis& basis, const CountedCarry& carry,
                       const TaskNames& names, std::vector<std::string>& lines) {
  const bool light = basis.carry == Carry::counted_light;
  const std::string unit =
      light ? std::string("ns") : fmt::format("credits x ns for each of the {}", analysis::fifo::to_string(carry.resource));
  lines.push_back(fmt::format("  lambda = {} {}: {} x {} + sum of n_i B_i max(0, w_i L_i - lambda {}) = {}{}", carry.lambda, unit,
                              carry.lambda, carry.room, light ? "w_i" : "d_i", carry.total,
                              carry.total < basis.carried ? fmt::format(" <= {}", basis.carried) : std::string()));
  lines.emplace_back("  of those above 0: (R_i + J_i) / T_i, n_i, n_i x the sum for one job:");
  std::vector<CountedTask> counted;
  TaskNames of_counted{names.kinds, {}};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto& term = carry.terms[i];
    const Wide rest = term.work - checked_mul(carry.lambda, term.price);
    if (rest <= 0) continue;
    const Task& task = tasks[i];
    counted.push_back({static_cast<Wide>(bounds.R[i]->count()) + task.J.count(), task.T.count(), term.jobs,
                       checked_mul(static_cast<Wide>(task.B), rest)});
    if (!names.tasks.empty()) of_counted.tasks.push_back(names.tasks[i]);
  }
  std::ranges::move(counted_lines(counted, of_counted), std::back_inserter(lines));
}

}  // namespace

std::vector<std::string> explain(std::span<const Task> tasks, const GpuPool& gpu, const GpuBounds& bounds, std::size_t k,
                                 const PoolSum& sum, const TaskNames& names) {
  const Basis& basis = bounds.basis[k];
  const WeightSet& set = bounds.sets[basis.set];
  const Task task = rounded_to_warps(tasks[k], gpu);
  const bool late = std::ranges::any_of(tasks, [](const Task& t) { return t.J > Time::zero(); });
  std::vector<std::string> lines{
      formula(basis.theorem, basis.carry, std::ranges::any_of(tasks, [&](const Task& t) { return t.priority > task.priority; }), late)};
  if (set.occupancy) {
    lines.push_back(fmt::format("counted in G-threads: every busy SM has at least {} in use", set.guaranteed));
  } else {
    // Tasks of equal demand and weight are listed once.
    std::vector<std::pair<Amounts, std::size_t>> classes;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const Amounts demand = block_demand(rounded_to_warps(tasks[i], gpu), gpu);
      if (std::none_of(classes.begin(), classes.end(), [&](const auto& c) { return c.first == demand; })) classes.emplace_back(demand, i);
    }
    std::string text;
    for (const auto& [demand, i] : classes) {
      const auto H = static_cast<Wide>(demand[Resource::threads]);
      text += fmt::format("{}{} (H = {}, {})", text.empty() ? "" : ", ", weight(H * set.density[i], set.guaranteed), H, names.label(i));
    }
    lines.push_back("weights of one block: " + text);
    lines.push_back(fmt::format("one G-thread of {} counts {} credits; every busy SM holds at least {} credits", names.label(k),
                                set.density[k], set.guaranteed));
  }
  if (basis.theorem != Theorem::T5) lines.push_back("the worst busy SM: " + in_words(set.worst, names));
  lines.push_back(fmt::format("U_w = {}, capacity {} x {} = {}", set.U.text(), gpu.sms, set.guaranteed, set.capacity));
  const bool light = basis.carry == Carry::light || basis.carry == Carry::counted_light;
  const std::string in_use = light ? fmt::format(" (whole blocks: at most {})", set.below_U) : "";
  const Wide last = set.density[k] * task.C.count();
  const std::string rate = set.rate_scale == 1 ? rta::to_string(set.rate) : fmt::format("({} / {})", set.rate, set.rate_scale);
  std::string backlog;
  Time R = *bounds.R[k];
  if (basis.carry == Carry::none) {
    // T6n holds with the last bounds too, which may count fewer jobs than those that this bound came from.
    Wide carried = 0;
    for (const CountedTask& t : sum.jobs) carried = checked_add(carried, checked_mul(t.jobs, t.work));
    lines.push_back(fmt::format("carried over, {}: {}; (R_i + J_i) / T_i, n_i, n_i x sum of {}:", carry_in_words(basis.carry, late),
                                carried, set.occupancy ? "B_i C_i" : "credits of a job"));
    std::ranges::move(counted_lines(sum.jobs, names), std::back_inserter(lines));
    backlog = fmt::format("{} - {}", carried, last);
    R = to_time(ceil_div(checked_mul(carried - last, set.rate_scale), set.rate)) + task.L;
  } else {
    const std::string carried =
        basis.theorem == Theorem::T14j ? analysis::text(sliced_carry(tasks, gpu, set).work) : rta::to_string(basis.carried);
    lines.push_back(fmt::format("carried over, {}{}: {}", carry_in_words(basis.carry, late), in_use, carried));
    if (sum.counted_carry) add_counted_carry(tasks, bounds, basis, *sum.counted_carry, names, lines);
    lines.push_back(fmt::format("released at once: {}{}", set.released, late ? ", of jobs up to J_i late:" : ""));
    if (late) add_released(tasks, gpu, set, task.priority, names, lines);
    backlog = fmt::format("{} + {} - {}", carried, set.released, last);
  }
  if (basis.theorem == Theorem::T14j) {
    const std::int64_t S = gpu.sharing->slice.count();
    const std::int64_t G = gap(*gpu.sharing).count();
    lines.push_back(fmt::format("slices of S = {} ns, up to G = {} ns between them: U_w may be capacity x {}/({} + {})", S, G, S, S, G));
    lines.push_back(fmt::format("R_k = (({}) / {} + {}) x ({} + {})/{} + {} = {} ns, rounded up", backlog, rate, task.L.count(), S, G, S, G,
                                R.count()));
    return lines;
  }
  lines.push_back(
      fmt::format("R_k = ({}) / {} + {} {} {} ns", backlog, rate, task.L.count(), R < *bounds.R[k] ? "<=" : "=", bounds.R[k]->count()));
  return lines;
}

}  // namespace rta::analysis::fifo
