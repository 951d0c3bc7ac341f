#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/decimal.hpp"
#include "io/fields.hpp"
#include "io/yaml_document.hpp"
#include "rta/io/time_text.hpp"
#include "rta/simulate/scenario.hpp"
#include "rta/trace/run_file.hpp"
#include "run_words.hpp"

namespace rta::trace {
namespace {

using io::Fields;
using io::Value;
using simulate::Execution;
using simulate::ScenarioJob;

constexpr std::array<std::string_view, 16> top_keys{
    "run",  "task_set_sha256", "release", "options", "shows", "placement", "copy_rules", "streams", "seed",
    "jobs", "duration",        "jitter",  "ties",    "dags",  "slices",    "block_times"};
constexpr std::array<std::string_view, 3> shows_keys{"dag", "job", "response"};
constexpr std::array<std::string_view, 5> job_keys{"dag", "release", "execution", "takes", "rank"};
constexpr std::array<std::string_view, 3> dag_keys{"dag", "phase", "execution"};
constexpr Wide longest = simulate::longest_time.count();
constexpr io::Unit ns{"ns", 1};

class RunReader {
 public:
  RunReader(const TaskSet& task_set, io::Diagnostics& out) : set_(task_set), out_(out) {}

  RunFile read(const Fields& top) {
    top.allow_only(top_keys);
    (void)top.require("run", "`run: 1`, the version of the format");
    (void)top.integer("run", 1, 1);
    read_origin(top);
    read_rules(top);
    if (const Value* const jobs = top.find("jobs")) {
      for (const std::string_view other : {"duration", "jitter", "ties", "dags"}) {
        if (const Value* const value = top.find(other)) top.error(*value, fmt::format("{}: `jobs` says all of that", other));
      }
      read_jobs(top, *jobs);
    } else {
      read_long_run(top);
    }
    return std::move(file_);
  }

 private:
  void read_origin(const Fields& top) {
    if (top.require("task_set_sha256", "the SHA-256 of the task-set file") != nullptr) {
      file_.task_set_sha256 = top.name("task_set_sha256").value_or("");
    }
    if (top.require("release", "the policy that releases the nodes, e.g. completion") != nullptr) {
      file_.release = top.name("release").value_or("");
    }
    if (const Value* const options = top.find("options")) {
      const Fields fields = top.within("options", *options);
      for (const auto& [key, value] : fields.all()) {
        if (const auto text = fields.name(key->text)) file_.options.emplace_back(key->text, *text);
      }
    }
    const Value* const shows = top.require("shows", "the response that the run shows, {dag: NAME, job: 0, response: 1 ms}");
    if (shows == nullptr) return;
    const Fields fields = top.within("shows", *shows);
    if (!fields.usable()) return;
    fields.allow_only(shows_keys);
    for (const std::string_view key : shows_keys) (void)fields.require(key, "it belongs to `shows`");
    if (const auto d = dag(fields)) file_.dag = *d;
    file_.job = fields.integer("job", 0, std::uint64_t{1} << 62).value_or(0);
    file_.response = to_time(fields.time("response", &ns, 0).value_or(0));
  }

  template <class T, std::size_t n>
  void choose(const Fields& top, std::string_view key, const std::array<T, n>& values, T& chosen) {
    const auto words = words_of(values);
    if (const auto index = top.choice(key, words)) chosen = values[*index];
  }
  void read_rules(const Fields& top) {
    choose(top, "placement", placements, file_.run.placement);
    choose(top, "copy_rules", copy_rules, file_.run.copy_rules);
    choose(top, "streams", streams, file_.run.streams);
    choose(top, "slices", slice_orders, file_.run.slices);
    choose(top, "block_times", block_times, file_.run.block_times);
    choose(top, "ties", ties, file_.run.ties);
    file_.run.seed = top.integer("seed", 0, std::numeric_limits<std::int64_t>::max()).value_or(1);
  }

  [[nodiscard]] std::optional<DagId> dag(const Fields& fields) const {
    const auto name = fields.name("dag");
    if (!name) return std::nullopt;
    const auto at = std::find_if(set_.dags().begin(), set_.dags().end(), [&](const Dag& dag) { return dag.name() == *name; });
    if (at != set_.dags().end()) return static_cast<DagId>(at - set_.dags().begin());
    fields.error(*fields.find("dag"), fmt::format("dag: the task set has no DAG {}", io::quote(*name)));
    return std::nullopt;
  }

  // Calls `use(entry)` for every entry of a list.
  template <class Use>
  void each(const Fields& fields, std::string_view key, const Value& list, const Use& use) {
    if (list.kind == Value::Kind::rejected) return;
    if (list.kind != Value::Kind::sequence) {
      fields.error(list, fmt::format("{}: a list is expected, not {}", key, io::kind_text(list)));
      return;
    }
    for (const Value* entry = list.first(); entry != list.next(); entry = entry->next()) use(*entry);
  }
  [[nodiscard]] std::uint32_t number(const Fields& fields, std::string_view key, const Value& value, std::uint32_t most) {
    const auto decimal = value.kind == Value::Kind::scalar ? io::parse_decimal(value.text) : std::nullopt;
    const auto scaled = decimal && decimal->rest.empty() && decimal->is_whole() && !decimal->negative ? decimal->scaled(1) : std::nullopt;
    if (scaled && scaled->floor <= most) return static_cast<std::uint32_t>(scaled->floor);
    if (value.kind != Value::Kind::rejected) fields.error(value, fmt::format("{}: whole numbers from 0 to {} are expected", key, most));
    return 0;
  }
  void check_count(const Fields& fields, std::string_view key, std::size_t count, std::size_t nodes) {
    if (count == nodes || out_.failed()) return;
    fields.error(*fields.find(key), fmt::format("{}: {} values for {} nodes", key, count, nodes));
  }

  void read_jobs(const Fields& top, const Value& list) {
    file_.run.jobs.resize(set_.dags().size());
    releases_.resize(set_.dags().size());
    each(top, "jobs", list, [&](const Value& entry) {
      const Fields fields(entry, {}, out_, "jobs");
      if (!fields.usable()) return;
      fields.allow_only(job_keys);
      (void)fields.require("dag", "the DAG that is released");
      (void)fields.require("release", "when it is released");
      const auto d = dag(fields);
      const auto release = fields.time("release", &ns, 0, longest);
      if (d && release) add_job(fields, *d, to_time(*release));
    });
    check_releases();
    const auto& jobs = file_.run.jobs;
    const auto none = [](const auto& of_dag) { return of_dag.empty(); };
    if (!out_.failed() && std::all_of(jobs.begin(), jobs.end(), none)) top.error(list, "jobs: there is none");
  }

  void add_job(const Fields& fields, DagId d, Time release) {
    const Dag& dag = set_.dags()[d];
    auto& jobs = file_.run.jobs[d];
    ScenarioJob job{release, std::vector<simulate::ScenarioNode>(dag.nodes().size())};
    const auto fill = [&](std::string_view key, std::uint32_t most, auto member) {
      const Value* const values = fields.find(key);
      if (values == nullptr) return;
      std::size_t count = 0;
      each(fields, key, *values, [&](const Value& value) {
        const std::uint32_t n = number(fields, key, value, most);
        if (count < job.nodes.size()) job.nodes[count].*member = n;
        ++count;
      });
      check_count(fields, key, count, job.nodes.size());
    };
    fill("execution", simulate::whole, &simulate::ScenarioNode::execution);
    fill("rank", simulate::most_rank, &simulate::ScenarioNode::rank);
    read_times(fields, dag, job);
    check_times(fields, dag, job);
    const Time before = jobs.empty() ? release : jobs.back().release;
    jobs.push_back(std::move(job));
    if (release < before) {
      fields.error(*fields.find("release"), "release: before the DAG's job above");
    }
    releases_[d].push_back(fields.find("release"));
  }
  /// What `takes` of a kernel by its duration is about.
  [[nodiscard]] static Time longest_of(const Node& node) {
    const auto* const kernel = std::get_if<GpuDemand>(&node.demand);
    return kernel != nullptr && kernel->time ? std::max(*kernel->time, kernel->L) : longest_piece(node);
  }
  /// In place of shares.
  void read_times(const Fields& fields, const Dag& dag, ScenarioJob& job) {
    const Value* const values = fields.find("takes");
    if (values == nullptr) return;
    if (const Value* const shares = fields.find("execution")) fields.error(*shares, "execution: `takes` says how long the nodes take");
    std::size_t count = 0;
    each(fields, "takes", *values, [&](const Value& value) {
      std::optional<Time> time;
      if (value.kind == Value::Kind::scalar) time = io::parse_time(value.text);
      if (value.kind == Value::Kind::scalar && !time) time = io::parse_time(fmt::format("{} ns", value.text));  // whole numbers are ns
      if (!time && value.kind != Value::Kind::rejected) fields.error(value, "takes: a time is expected for each node, e.g. 1500 ns");
      if (time && count < job.nodes.size()) {
        job.nodes[count].takes = *time;
        const Node& node = dag.nodes()[count];
        if (*time > longest_of(node))
          fields.error(value, fmt::format("takes: '{}' takes {} ns at most", node.name, longest_of(node).count()));
      }
      ++count;
    });
    check_count(fields, "takes", count, job.nodes.size());
  }
  /// Bounds of periodic DAGs count on what their nodes take at least.
  void check_times(const Fields& fields, const Dag& dag, const ScenarioJob& job) {
    if (!dag.attributes().periodic) return;
    for (NodeId v = 0; v < job.nodes.size(); ++v) {
      const Node& node = dag.nodes()[v];
      if (!node.variation) continue;
      const simulate::ScenarioNode& fixed = job.nodes[v];
      const Wide most = longest_of(node).count();
      const Wide takes = fixed.takes ? Wide{fixed.takes->count()} : most * fixed.execution / simulate::whole;
      if (takes >= std::min<Wide>(most, node.variation->least.count())) continue;
      const std::string_view key = fixed.takes ? "takes" : "execution";
      const Value* const value = fields.find(key);
      if (value == nullptr) continue;
      fields.error(*value, fmt::format("{}: '{}' takes {} ns at least", key, node.name, node.variation->least.count()));
      return;
    }
  }
  void check_releases() {
    for (DagId d = 0; d < file_.run.jobs.size() && !out_.failed(); ++d) {
      const Dag& dag = set_.dags()[d];
      if (dag.attributes().periodic) {
        check_clock(d);
        continue;
      }
      const auto wrong = simulate::first_impossible_release(dag, file_.run.jobs[d]);
      if (!wrong) continue;
      out_.error(releases_[d][*wrong]->mark,
                 fmt::format("release: the task set allows no such release of '{}' after those above (T = {} ns{})", dag.name(),
                             dag.nominal_period().count(), limits(dag)));
    }
  }
  /// A periodic DAG has all of its jobs from the first on, each by its clock.
  void check_clock(DagId d) {
    const Dag& dag = set_.dags()[d];
    const auto& jobs = file_.run.jobs[d];
    Wide nominal = dag.attributes().phase->count();
    for (std::size_t n = 0; n < jobs.size(); ++n, nominal += dag.nominal_period().count()) {
      const Wide latest = nominal + dag.attributes().jitter.count();
      if (jobs[n].release.count() >= nominal && jobs[n].release.count() <= latest) continue;
      out_.error(releases_[d][n]->mark,
                 fmt::format("release: '{}' is periodic, and its job {} is released {}", dag.name(), n,
                             nominal == latest ? fmt::format("at {} ns", rta::to_string(nominal))
                                               : fmt::format("from {} to {} ns", rta::to_string(nominal), rta::to_string(latest))));
      return;
    }
  }
  [[nodiscard]] static std::string limits(const Dag& dag) {
    std::string text;
    if (const auto& most = dag.attributes().T_max) text += fmt::format(", T_max = {} ns", most->count());
    if (dag.attributes().jitter > Time::zero()) text += fmt::format(", J = {} ns", dag.attributes().jitter.count());
    return text;
  }

  void read_long_run(const Fields& top) {
    simulate::Options& run = file_.run;
    (void)top.require("duration", "how long DAGs are released (or `jobs`)");
    if (const auto duration = top.time("duration", &ns, 0, longest)) run.duration = to_time(*duration);
    run.releases.jitter = static_cast<simulate::PartsPerMillion>(top.integer("jitter", 0, std::uint64_t{10} * simulate::whole).value_or(0));
    run.releases.phases.assign(set_.dags().size(), Time::zero());
    for (const Dag& dag : set_.dags()) run.node_execution.emplace_back(dag.nodes().size(), simulate::worst_case);
    const Value* const list = top.find("dags");
    if (list == nullptr) return;
    each(top, "dags", *list, [&](const Value& entry) {
      const Fields fields(entry, {}, out_, "dags");
      if (!fields.usable()) return;
      fields.allow_only(dag_keys);
      (void)fields.require("dag", "the DAG that is released");
      const auto d = dag(fields);
      const auto phase = fields.time("phase", &ns, 0, longest);
      if (!d) return;
      const DagAttributes& of = set_.dags()[*d].attributes();
      if (phase && of.periodic && to_time(*phase) != of.phase) {
        fields.error(*fields.find("phase"),
                     fmt::format("phase: '{}' is periodic, from {} ns on", set_.dags()[*d].name(), of.phase->count()));
      }
      if (phase) run.releases.phases[*d] = to_time(*phase);
      if (const Value* const values = fields.find("execution")) read_execution(fields, *values, run.node_execution[*d]);
    });
  }

  void read_execution(const Fields& fields, const Value& values, std::vector<Execution>& nodes) {
    std::size_t count = 0;
    each(fields, "execution", values, [&](const Value& value) {
      std::vector<std::uint32_t> shares;
      if (value.kind == Value::Kind::sequence) {
        each(fields, "execution", value, [&](const Value& end) { shares.push_back(number(fields, "execution", end, simulate::whole)); });
      } else {
        shares.assign(2, number(fields, "execution", value, simulate::whole));
      }
      if (shares.size() != 2 || shares[0] > shares[1]) {
        fields.error(value, "execution: a share, or two with the lesser first, is expected for each node");
      } else if (count < nodes.size()) {
        nodes[count] = {shares[0], shares[1]};
      }
      ++count;
    });
    check_count(fields, "execution", count, nodes.size());
  }

  const TaskSet& set_;
  io::Diagnostics& out_;
  RunFile file_;
  std::vector<std::vector<const Value*>> releases_;  // of jobs, per DAG
};

}  // namespace

RunFile parse_run(std::string_view text, const std::string& name, const TaskSet& task_set) {
  io::Diagnostics out(name);
  const io::YamlDocument document(text, out, "a run has `run`, `shows` and `jobs` or `duration`");
  const Fields top(document.root(), {}, out);
  RunFile file = RunReader(task_set, out).read(top);
  out.throw_if_failed();
  return file;
}

}  // namespace rta::trace
