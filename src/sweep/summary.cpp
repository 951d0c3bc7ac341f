#include "summary.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "folder.hpp"
#include "journal.hpp"
#include "rta/io/csv.hpp"
#include "rta/io/new_file.hpp"
#include "rta/model/error.hpp"
#include "table.hpp"

namespace rta::sweep {
namespace {

// What one analysis says at one point.
struct Tally {
  std::array<std::uint64_t, 4> answers{};
  Distribution R, over_period, ratio;  // ratio: R over that of the first analysis, in millionths
  Distribution over_observed;
  std::uint64_t left_out = 0;
  Wide lateness_sum = 0;
  Time lateness_max;

  void clear() {
    answers = {};
    R.clear();
    over_period.clear();
    ratio.clear();
    over_observed.clear();
    left_out = 0;
    lateness_sum = 0;
    lateness_max = {};
  }
  [[nodiscard]] std::uint64_t sets() const { return answers[0] + answers[1] + answers[2] + answers[3]; }
  [[nodiscard]] std::uint64_t count(Answer answer) const { return answers[static_cast<std::size_t>(answer)]; }
  void add(const Outcome& o) {
    ++answers[static_cast<std::size_t>(o.answer)];
    if (o.left_out.value_or(false)) ++left_out;
    if (!o.bounded()) return;
    lateness_max = R.count() == 0 ? o.lateness_max : std::max(lateness_max, o.lateness_max);
    lateness_sum += o.lateness_max.count();
    R.add(static_cast<std::uint64_t>(o.R_mean.count()));
    over_period.add(static_cast<std::uint64_t>(o.over_period));
    if (o.observed) over_observed.add(static_cast<std::uint64_t>(o.over_observed));
  }
};

std::string values_of(const Plan& plan, std::uint64_t point) {
  std::string text;
  for (const std::string& value : plan.points[point].values) text += io::csv_field(value) + ",";
  return text;
}

std::string parameter_names(const Plan& plan) {
  std::string text;
  for (const std::string& name : plan.parameters) text += io::csv_field(name) + ",";
  return text;
}

// The utilization that a point asks for, as a share of the platform's capacity: the larger of CPUs and GPU. 0: lengths as drawn.
double load_of(const generate::Recipe& recipe) {
  double load = 0;
  if (recipe.cpu_work.utilization) {
    load = recipe.cpu_work.utilization->approximate() / std::get<CpuPool>(recipe.pools[recipe.cpu].resource).processors;
  }
  if (recipe.gpu && recipe.gpu_share.numerator > 0 && recipe.gpu_work.utilization) {
    const auto& gpu = std::get<GpuPool>(recipe.pools[*recipe.gpu].resource);
    load = std::max(load, recipe.gpu_work.utilization->approximate() / (static_cast<double>(gpu.sms) * gpu.sm.threads));
  }
  return load;
}

class Summaries {
 public:
  explicit Summaries(const Plan& plan) : plan_(plan), tallies_(plan.analyses.size()), outcomes_(plan.analyses.size()) {
    summary = "point," + parameter_names(plan) +
              "analysis,sets,schedulable,deadline_missed,unbounded,none,acceptance,acceptance_low,acceptance_high,"
              "response_bound_mean_ns,response_bound_p50_ns,response_bound_p95_ns,response_bound_max_ns,"
              "over_period_mean,over_period_p05,over_period_p25,over_period_p50,over_period_p75,over_period_p95,over_period_max,"
              "lateness_mean_ns,lateness_max_ns,simulated,over_observed_p05,over_observed_p50,over_observed_p95,left_out\n";
    ratios = "point," + parameter_names(plan) +
             "analysis,reference,sets,ratio_mean,ratio_p05,ratio_p25,ratio_p50,ratio_p75,ratio_p95,ratio_max\n";
    points = "point," + parameter_names(plan) + "load\n";
    for (std::uint64_t p = 0; p < plan.points.size(); ++p) {
      points += fmt::format("{},{}{:.6f}\n", p, values_of(plan, p), load_of(plan.points[p].recipe));
    }
  }

  void add(const Row& row) {
    if (point_ == plan_.points.size()) throw UserError("a row after the last point");
    const std::size_t analysis = at_;
    if (row.point != point_ || row.set != set_ || row.analysis != plan_.analyses[analysis].name) {
      throw UserError(fmt::format("expected point {}, set {}, analysis '{}'", point_, set_, plan_.analyses[analysis].name));
    }
    outcomes_[analysis] = row.outcome;
    tallies_[analysis].add(row.outcome);
    const Outcome& reference = outcomes_.front();
    if (row.outcome.bounded() && reference.bounded()) {
      const Wide ratio = ceil_div(static_cast<Wide>(row.outcome.R_mean.count()) * 1'000'000, std::max<Wide>(1, reference.R_mean.count()));
      tallies_[analysis].ratio.add(static_cast<std::uint64_t>(std::min<Wide>(ratio, std::numeric_limits<std::int64_t>::max())));
    }
    if (++at_ < plan_.analyses.size()) return;
    at_ = 0;
    if (++set_ < plan_.sets) return;
    set_ = 0;
    end_point();
    ++point_;
  }

  void end() {
    if (point_ != plan_.points.size() || set_ != 0 || at_ != 0) throw UserError("rows are missing at the end");
    end_weighted();
  }

  std::string points, summary, ratios, weighted;

 private:
  void end_point() {
    const std::string values = values_of(plan_, point_);
    const double load = load_of(plan_.points[point_].recipe);
    for (std::size_t a = 0; a < tallies_.size(); ++a) {
      Tally& t = tallies_[a];
      const std::string& name = plan_.analyses[a].name;
      const std::uint64_t accepted = t.count(Answer::schedulable);
      const auto [low, high] = wilson_interval(accepted, t.sets());
      const double acceptance = static_cast<double>(accepted) / static_cast<double>(t.sets());
      summary += fmt::format("{},{}{},{},{},{},{},{},{:.6f},{:.6f},{:.6f},", point_, values, name, t.sets(), accepted,
                             t.count(Answer::deadline_missed), t.count(Answer::unbounded), t.count(Answer::none), acceptance, low, high);
      if (t.R.count() == 0) {
        summary += ",,,,,,,,,,,,";
      } else {
        const auto relative = [&](std::uint32_t ppm) { return static_cast<double>(t.over_period.quantile(ppm)) / 1e6; };
        summary += fmt::format("{:.0f},{},{},{},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.0f},{}", std::ceil(t.R.mean()),
                               t.R.quantile(500'000), t.R.quantile(950'000), t.R.max(), t.over_period.mean() / 1e6, relative(50'000),
                               relative(250'000), relative(500'000), relative(750'000), relative(950'000),
                               static_cast<double>(t.over_period.max()) / 1e6,
                               std::ceil(static_cast<double>(t.lateness_sum) / static_cast<double>(t.R.count())), t.lateness_max.count());
      }
      summary += fmt::format(",{}", t.over_observed.count());
      if (t.over_observed.count() == 0) {
        summary += ",,,";
      } else {
        const auto relative = [&](std::uint32_t ppm) { return static_cast<double>(t.over_observed.quantile(ppm)) / 1e6; };
        summary += fmt::format(",{:.6f},{:.6f},{:.6f}", relative(50'000), relative(500'000), relative(950'000));
      }
      summary += plan_.analyses[a].periodic ? fmt::format(",{}\n", t.left_out) : ",\n";
      if (a > 0) {
        ratios += fmt::format("{},{}{},{},{},", point_, values, name, plan_.analyses.front().name, t.ratio.count());
        if (t.ratio.count() == 0) {
          ratios += ",,,,,,\n";
        } else {
          const auto at = [&](std::uint32_t ppm) { return static_cast<double>(t.ratio.quantile(ppm)) / 1e6; };
          ratios += fmt::format("{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f}\n", t.ratio.mean() / 1e6, at(50'000), at(250'000),
                                at(500'000), at(750'000), at(950'000), static_cast<double>(t.ratio.max()) / 1e6);
        }
      }
      Weight& weight = weight_of(other_values(), a);
      weight.load += load;
      weight.accepted += load * acceptance;
      t.clear();
    }
  }

  struct Weight {
    std::vector<std::string> values;  // of the parameters that are no utilization
    std::size_t analysis = 0;
    double load = 0;
    double accepted = 0;
  };

  Weight& weight_of(const std::vector<std::string>& values, std::size_t analysis) {
    const auto [at, is_new] = weight_at_.try_emplace({values, analysis}, weights_.size());
    if (is_new) weights_.push_back({values, analysis, 0, 0});
    return weights_[at->second];
  }

  // The values of the parameters that are no utilization: what weighted schedulability is given for.
  [[nodiscard]] std::vector<std::string> other_values() const {
    std::vector<std::string> values;
    for (std::size_t k = 0; k < plan_.parameters.size(); ++k) {
      if (!is_utilization(plan_.parameters[k])) values.push_back(plan_.points[point_].values[k]);
    }
    return values;
  }
  static bool is_utilization(const std::string& parameter) {
    return parameter == "random.cpu.utilization" || parameter == "random.gpu.utilization";
  }

  void end_weighted() {
    for (const std::string& name : plan_.parameters) {
      if (!is_utilization(name)) weighted += io::csv_field(name) + ",";
    }
    weighted += "analysis,weighted_schedulability\n";
    for (const Weight& weight : weights_) {
      for (const std::string& value : weight.values) weighted += io::csv_field(value) + ",";
      weighted += plan_.analyses[weight.analysis].name + ",";
      weighted += weight.load > 0 ? fmt::format("{:.6f}\n", weight.accepted / weight.load) : "\n";
    }
  }

  const Plan& plan_;
  std::vector<Tally> tallies_;
  std::vector<Outcome> outcomes_;  // of the set at hand
  std::vector<Weight> weights_;    // in the order of the points
  std::map<std::pair<std::vector<std::string>, std::size_t>, std::size_t> weight_at_;
  std::uint64_t point_ = 0, set_ = 0;
  std::size_t at_ = 0;
};

}  // namespace

std::pair<double, double> wilson_interval(std::uint64_t successes, std::uint64_t trials) {
  constexpr double z = 1.959963984540054;
  const auto n = static_cast<double>(trials);
  const double p = static_cast<double>(successes) / n;
  const double centre = (p + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  // At the ends the interval is [0, .] and [., 1] exactly.
  return {successes == 0 ? 0.0 : centre - half, successes == trials ? 1.0 : centre + half};
}

void write_summaries(const Plan& plan, const std::filesystem::path& folder) {
  constexpr std::size_t block = std::size_t{1} << 20;
  const File table(folder / Journal::table_name, O_RDONLY);
  Summaries summaries(plan);
  std::uint64_t offset = 0;
  std::uint64_t line_number = 0;
  std::string rest;
  while (true) {
    const std::string bytes = table.read(offset, block);
    offset += bytes.size();
    rest += bytes;
    std::size_t at = 0;
    for (std::size_t newline = rest.find('\n'); newline != std::string::npos; newline = rest.find('\n', at)) {
      ++line_number;
      const std::string_view line(rest.data() + at, newline - at);
      at = newline + 1;
      try {
        if (line_number == 1) {
          if (std::string(line) + "\n" != table_header(plan.timing)) throw UserError("not the header of this sweep's results");
        } else {
          summaries.add(parse_row(line, plan.timing));
        }
      } catch (const UserError& e) {
        throw UserError(fmt::format("{}:{}: {}; remove the file and run the sweep again", table.path().string(), line_number, e.what()));
      }
    }
    rest.erase(0, at);
    if (bytes.empty()) break;
  }
  try {
    if (!rest.empty()) throw UserError("the last line has no end");
    summaries.end();
  } catch (const UserError& e) {
    throw UserError(fmt::format("{}: {}; remove the file and run the sweep again", table.path().string(), e.what()));
  }
  io::write_file(folder / "points.csv", summaries.points);
  io::write_file(folder / "ratios.csv", summaries.ratios);
  io::write_file(folder / "weighted.csv", summaries.weighted);
  io::write_file(folder / "summary.csv", summaries.summary);
}

}  // namespace rta::sweep
