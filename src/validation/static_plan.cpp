#include "rta/validation/static_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>
#include <vector>

#include "rta/model/error.hpp"
#include "static/plan.h"
#include "static_lines.hpp"
#include "static_waits.hpp"

namespace rta::validation {
namespace {

std::uint32_t number(std::size_t n) { return static_cast<std::uint32_t>(n); }  // all are checked against the plan's limits at its end

class PlanBuilder {
 public:
  explicit PlanBuilder(const StaticSchedule& schedule) : schedule_(schedule) {
    for (const std::string& client : schedule.clients) clients_.push_back({text(client)});
    for (std::size_t h = 0; h < schedule.hyperepochs.size(); ++h) add(schedule.hyperepochs[h], number(h));
  }

  [[nodiscard]] std::string bytes() const {
    rts_header header{};
    std::memcpy(header.magic, RTS_PLAN_MAGIC, sizeof RTS_PLAN_MAGIC);
    header.version = RTS_PLAN_VERSION;
    header.byte_order = RTS_PLAN_BYTE_ORDER;
    for (std::size_t i = 0; i < sizeof header.schedule; ++i)
      header.schedule[i] = static_cast<unsigned char>(std::stoul(schedule_.sha256.substr(2 * i, 2), nullptr, 16));
    header.identifier = schedule_.identifier;
    header.file = file_;
    std::string out(sizeof header, '\0');
    header.hyperepochs = append(out, hyperepochs_, RTS_MOST_HYPEREPOCHS, "hyperepochs");
    header.epochs = append(out, epochs_, RTS_MOST_JOBS, "epochs");
    header.cores = append(out, cores_, RTS_MOST_LINES, "processors and engines");
    header.clients = append(out, clients_, RTS_MOST_CLIENTS, "clients");
    header.streams = append(out, streams_, RTS_MOST_LINES, "streams");
    header.runnables = append(out, runnables_, RTS_MOST_JOBS, "runnables");
    header.lines = append(out, lines_, RTS_MOST_LINES, "threads");
    header.jobs = append(out, jobs_, RTS_MOST_JOBS, "runnables in all frames");
    header.waits = append(out, waits_, RTS_MOST_WAITS, "dependencies");
    header.text = append(out, text_, UINT32_MAX, "bytes of names");
    header.bytes = out.size();
    std::memcpy(out.data(), &header, sizeof header);
    return out;
  }

 private:
  template <class Table>
  static rts_table append(std::string& out, const Table& table, std::uint32_t most, const char* what) {
    const rts_table place{number(out.size()), number(table.size())};
    const std::size_t size = table.size() * sizeof(table[0]);
    if (table.size() > most || out.size() + size > UINT32_MAX)
      throw UserError(fmt::format("the schedule has {} {}; at most {} can be played", table.size(), what, most));
    out.append(reinterpret_cast<const char*>(table.data()), size);
    out.resize((out.size() + 7) / 8 * 8, '\0');
    return place;
  }

  std::uint32_t text(const std::string& name) {
    const bool printable = std::ranges::none_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
    if (name.empty() || name.size() > RTS_LONGEST_NAME || !printable)
      throw UserError(fmt::format("the name '{}' cannot be played: 1 to {} bytes without control characters", name, RTS_LONGEST_NAME));
    const auto [at, is_new] = names_.try_emplace(name, number(text_.size()));
    if (is_new) text_.append(name).push_back('\0');
    return at->second;
  }

  /// Times that are sums of a few must fit, too.
  static std::int64_t time(Time t, const std::string& name) {
    if (t < Time::zero() || t.count() > RTS_LONGEST_TIME) throw UserError(fmt::format("'{}': a time is too long to be played", name));
    return t.count();
  }

  std::uint32_t core(const StaticResource& resource) {
    const auto [at, is_new] = core_numbers_.try_emplace(resource.name, number(cores_.size()));
    if (is_new) cores_.push_back({text(resource.name), resource.kind == StaticResourceKind::engine ? 1U : 0U});
    return at->second;
  }

  std::uint32_t runnable(const StaticStep& step, StaticKind kind) {
    const rts_kind as = kind == StaticKind::submitter ? RTS_SUBMITTER : kind == StaticKind::submittee ? RTS_SUBMITTEE : RTS_CPU;
    const auto [at, is_new] = runnable_numbers_.try_emplace({step.client, step.name, as}, number(runnables_.size()));
    if (is_new) runnables_.push_back({text(step.name), text(step_name(schedule_, step)), number(step.client), number(as)});
    return at->second;
  }

  void add(const StaticHyperepoch& hyperepoch, std::uint32_t h) {
    const auto first_epoch = number(epochs_.size());
    for (std::size_t e = 0; e < hyperepoch.epochs.size(); ++e) {
      const StaticEpoch& epoch = hyperepoch.epochs[e];
      epochs_.push_back({text(epoch_name(hyperepoch, e)), h, epoch.frames, 0, time(epoch.period, epoch.name)});
    }
    const auto first_job = number(jobs_.size());
    const auto steps = played_steps(hyperepoch);
    const auto lines = played_lines(hyperepoch, steps);
    std::vector<std::uint32_t> place(steps.size());    // of each step among all jobs of the plan
    std::vector<std::uint32_t> line_of(steps.size());  // among all lines of the plan
    for (const PlayedLine& line : lines) {
      std::uint32_t next = first_job;
      for (const PlayedLine* before = lines.data(); before != &line; ++before) next += number(before->steps.size());
      for (const std::size_t s : line.steps) {
        line_of[s] = number(lines_.size());
        place[s] = next++;
      }
      add_line(hyperepoch, h, line, place[line.steps.front()]);
    }
    const auto waits = played_waits(hyperepoch, steps);
    const auto releases = played_releases(hyperepoch);
    for (const PlayedLine& line : lines) {
      for (const std::size_t s : line.steps) {
        add_job(hyperepoch, steps, s, place, line_of, waits[s], first_epoch);
        jobs_.back().offset = time(releases[steps[s].job], hyperepoch.name);
      }
    }
    if (jobs_.size() == first_job) throw UserError(fmt::format("hyperepoch '{}' has nothing to play", hyperepoch.name));
    hyperepochs_.push_back({text(hyperepoch.name), first_job, number(jobs_.size()) - first_job, 0,
                            hyperepoch.period ? time(*hyperepoch.period, hyperepoch.name) : 0, time(hyperepoch.length, hyperepoch.name)});
  }

  void add_line(const StaticHyperepoch& hyperepoch, std::uint32_t h, const PlayedLine& line, std::uint32_t first_job) {
    rts_line is{number(line.client), h, RTS_NONE, RTS_NONE, first_job, number(line.steps.size())};
    if (line.resource) is.core = core(hyperepoch.resources[*line.resource]);
    if (line.stream) {
      const StaticResource& stream = hyperepoch.resources[*line.stream];
      const auto taken = std::ranges::any_of(streams_of_hyperepoch_, [&](const auto& other) {
        return other.first == std::pair(h, *line.stream) && other.second != line.client;
      });
      if (taken) throw UserError(fmt::format("stream '{}' is used by two processes", stream.name));
      streams_of_hyperepoch_.emplace_back(std::pair(h, *line.stream), line.client);
      is.stream = number(streams_.size());
      streams_.push_back({text(stream.name), number(line.client)});
    }
    lines_.push_back(is);
  }

  void add_job(const StaticHyperepoch& hyperepoch, const std::vector<PlayedStep>& steps, std::size_t s,
               const std::vector<std::uint32_t>& place, const std::vector<std::uint32_t>& line_of, const std::vector<PlayedWait>& waits,
               std::uint32_t first_epoch) {
    const StaticJob& job = hyperepoch.jobs[steps[s].job];
    const StaticStep& step = *job.steps[steps[s].step];
    const std::string name = step_name(schedule_, step);
    rts_job is{};
    is.runnable = runnable(step, job.kind);
    is.epoch = first_epoch + number(job.epoch);
    is.frame = job.frame;
    is.line = line_of[s];
    is.cycle = number(steps[s].turn.cycle);
    is.phase = number(steps[s].turn.phase);
    is.submits = job.kind == StaticKind::submitter ? place[submitted(hyperepoch, steps, s, name)] : RTS_NONE;
    is.first_wait = number(waits_.size());
    for (const PlayedWait& wait : waits) {
      // A thread does one thing after the other.
      if (line_of[wait.on] == line_of[s] && place[wait.on] < place[s]) continue;
      waits_.push_back({place[wait.on], wait.started ? 1U : 0U, number(wait.turn.cycle), number(wait.turn.phase)});
    }
    is.waits = number(waits_.size()) - is.first_wait;
    is.wcet = time(job.wcet, name);
    is.finish = time(job.end, name);
    jobs_.push_back(is);
  }

  /// The played step that a submitter's step puts into its stream.
  std::size_t submitted(const StaticHyperepoch& hyperepoch, const std::vector<PlayedStep>& steps, std::size_t s,
                        const std::string& name) const {
    const PlayedStep& submitter = steps[s];
    const StaticJob& job = hyperepoch.jobs[submitter.job];
    if (job.submits.size() != 1) {
      throw UserError(
          fmt::format("submitter '{}' has {} submittees; the run time tells the end of one, so that each needs a submitter of its own",
                      name, job.submits.size()));
    }
    const auto at = std::ranges::find_if(steps, [&](const PlayedStep& other) {
      return other.job == job.submits.front() && other.step == submitter.step && other.turn == submitter.turn;
    });
    if (at == steps.end()) throw UserError(fmt::format("submitter '{}' does not take turns with what it submits", name));
    const StaticJob& work = hyperepoch.jobs[at->job];
    if (!work.stream) throw UserError(fmt::format("what submitter '{}' submits is in no stream, so that its end cannot be told", name));
    if (work.steps[at->step]->client != job.steps[submitter.step]->client)
      throw UserError(fmt::format("submitter '{}' and what it submits are in two processes", name));
    return static_cast<std::size_t>(at - steps.begin());
  }

  const StaticSchedule& schedule_;
  std::string text_;
  std::map<std::string, std::uint32_t> names_;
  std::uint32_t file_ = text(schedule_.file);
  std::vector<rts_hyperepoch> hyperepochs_;
  std::vector<rts_epoch> epochs_;
  std::vector<rts_core> cores_;
  std::map<std::string, std::uint32_t> core_numbers_;
  std::vector<rts_client> clients_;
  std::vector<rts_stream> streams_;
  std::vector<std::pair<std::pair<std::uint32_t, std::size_t>, std::size_t>> streams_of_hyperepoch_;  // and their clients
  std::vector<rts_runnable> runnables_;
  std::map<std::tuple<std::size_t, std::string, rts_kind>, std::uint32_t> runnable_numbers_;
  std::vector<rts_line> lines_;
  std::vector<rts_job> jobs_;
  std::vector<rts_wait> waits_;
};

}  // namespace

std::string plan_of(const StaticSchedule& schedule) { return PlanBuilder(schedule).bytes(); }

}  // namespace rta::validation
