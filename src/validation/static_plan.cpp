#include "rta/validation/static_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rta/model/error.hpp"
#include "rta/static_order/graph.hpp"
#include "static/plan.h"
#include "static_lines.hpp"
#include "static_waits.hpp"

namespace rta::validation {
namespace {

using static_order::ResourceKind;
using static_order::Role;
using static_order::ScheduledEpoch;
using static_order::ScheduledHyperepoch;
using static_order::ScheduledResource;
using static_order::ScheduledRunnable;
using static_order::Step;

std::uint32_t number(std::size_t n) { return static_cast<std::uint32_t>(n); }  // all are checked against the plan's limits at its end

class PlanBuilder {
 public:
  PlanBuilder(const static_order::Schedule& schedule, const std::string& file) : schedule_(schedule), file_(text(file)) {
    for (const std::string& client : schedule.clients) clients_.push_back({text(client)});
    for (std::size_t h = 0; h < schedule.hyperepochs.size(); ++h) add(schedule.hyperepochs[h], number(h));
  }

  [[nodiscard]] std::string bytes(const std::string& sha256) const {
    rts_header header{};
    std::memcpy(header.magic, RTS_PLAN_MAGIC, sizeof RTS_PLAN_MAGIC);
    header.version = RTS_PLAN_VERSION;
    header.byte_order = RTS_PLAN_BYTE_ORDER;
    for (std::size_t i = 0; i < sizeof header.schedule; ++i)
      header.schedule[i] = static_cast<unsigned char>(std::stoul(sha256.substr(2 * i, 2), nullptr, 16));
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

  std::uint32_t core(const ScheduledResource& resource) {
    const auto [at, is_new] = core_numbers_.try_emplace(resource.name, number(cores_.size()));
    if (is_new) cores_.push_back({text(resource.name), static_order::kind_of_type(resource.type) == ResourceKind::cpu ? 0U : 1U});
    return at->second;
  }

  std::uint32_t client(const std::string& name) const {
    const auto at = std::ranges::find(schedule_.clients, name);
    if (at == schedule_.clients.end()) throw UserError(fmt::format("the schedule has no client '{}'", name));
    return number(static_cast<std::size_t>(at - schedule_.clients.begin()));
  }

  std::uint32_t runnable(const Step& step, Role role) {
    const rts_kind kind = role == Role::submitter ? RTS_SUBMITTER : role == Role::submittee ? RTS_SUBMITTEE : RTS_CPU;
    const auto [at, is_new] = runnable_numbers_.try_emplace({step.label(), kind}, number(runnables_.size()));
    if (is_new) runnables_.push_back({text(step.name), text(step.label()), client(step.client), number(kind)});
    return at->second;
  }

  void add(const ScheduledHyperepoch& hyperepoch, std::uint32_t h) {
    const auto first_epoch = number(epochs_.size());
    for (std::size_t e = 0; e < hyperepoch.epochs.size(); ++e) {
      const ScheduledEpoch& epoch = hyperepoch.epochs[e];
      if (epoch.frames > RTS_MOST_JOBS) throw UserError(fmt::format("epoch '{}' has too many frames to be played", epoch.name));
      epochs_.push_back({text(static_order::trace_name(hyperepoch, e)), h, number(epoch.frames), 0, time(epoch.period, epoch.name)});
    }
    const auto first_job = number(jobs_.size());
    const Predecessors predecessors = predecessors_of(hyperepoch);
    const auto steps = played_steps(hyperepoch);
    const auto lines = played_lines(hyperepoch, predecessors, steps);
    Places places{std::vector<std::uint32_t>(steps.size()), std::vector<std::uint32_t>(steps.size())};
    std::uint32_t next = first_job;
    for (const PlayedLine& line : lines) {
      for (const std::size_t s : line.steps) {
        places.line[s] = number(lines_.size());
        places.job[s] = next++;
      }
      add_line(hyperepoch, h, line, places.job[line.steps.front()]);
    }
    const auto waits = played_waits(hyperepoch, predecessors, steps);
    const auto releases = played_releases(hyperepoch, predecessors);
    for (const PlayedLine& line : lines) {
      for (const std::size_t s : line.steps) {
        add_job(hyperepoch, steps, s, places, waits[s]);
        jobs_.back().epoch += first_epoch;
        jobs_.back().offset = time(releases[steps[s].runnable], hyperepoch.name);
      }
    }
    if (jobs_.size() == first_job) throw UserError(fmt::format("hyperepoch '{}' has nothing to play", hyperepoch.name));
    hyperepochs_.push_back({text(hyperepoch.name), first_job, number(jobs_.size()) - first_job, 0, time(hyperepoch.period, hyperepoch.name),
                            time(hyperepoch.length, hyperepoch.name)});
  }

  void add_line(const ScheduledHyperepoch& hyperepoch, std::uint32_t h, const PlayedLine& line, std::uint32_t first_job) {
    rts_line is{client(line.client), h, RTS_NONE, RTS_NONE, first_job, number(line.steps.size())};
    if (line.resource) is.core = core(hyperepoch.resources[*line.resource]);
    if (line.stream) {
      // As its client knows it.
      std::string name = hyperepoch.resources[*line.stream].name;
      if (name.starts_with(line.client + ".")) name.erase(0, line.client.size() + 1);
      if (const auto [at, is_new] = stream_clients_.try_emplace(hyperepoch.resources[*line.stream].name, line.client);
          !is_new && at->second != line.client)
        throw UserError(fmt::format("stream '{}' is used by two processes", at->first));
      is.stream = number(streams_.size());
      streams_.push_back({text(name), is.client});
    }
    lines_.push_back(is);
  }

  /// Of each played step, among all jobs and lines of the plan.
  struct Places {
    std::vector<std::uint32_t> job;
    std::vector<std::uint32_t> line;
  };

  void add_job(const ScheduledHyperepoch& hyperepoch, const std::vector<PlayedStep>& steps, std::size_t s, const Places& places,
               const std::vector<PlayedWait>& waits) {
    const ScheduledRunnable& played = hyperepoch.runnables[steps[s].runnable];
    const Step& step = steps[s].step;
    rts_job is{};
    is.runnable = runnable(step, played.role);
    is.epoch = number(played.epoch);
    is.frame = number(played.frame);
    is.line = places.line[s];
    is.cycle = number(step.turn.cycle);
    is.phase = number(step.turn.phase);
    is.submits = played.role == Role::submitter ? places.job[submitted(hyperepoch, steps, s)] : RTS_NONE;
    is.first_wait = number(waits_.size());
    for (const PlayedWait& wait : waits) {
      // A thread does one thing after the other.
      if (places.line[wait.on] == is.line && places.job[wait.on] < places.job[s]) continue;
      waits_.push_back({places.job[wait.on], wait.started ? 1U : 0U, number(wait.turn.cycle), number(wait.turn.phase)});
    }
    is.waits = number(waits_.size()) - is.first_wait;
    is.wcet = time(played.wcet, step.label());
    is.finish = time(played.end, step.label());
    jobs_.push_back(is);
  }

  /// The played step that a submitter's step puts into its stream.
  static std::size_t submitted(const ScheduledHyperepoch& hyperepoch, const std::vector<PlayedStep>& steps, std::size_t s) {
    const Step& submitter = steps[s].step;
    const ScheduledRunnable& played = hyperepoch.runnables[steps[s].runnable];
    if (played.submits.size() != 1) {
      throw UserError(
          fmt::format("submitter '{}' has {} submittees; the run time tells the end of one, so that each needs a submitter of its own",
                      submitter.label(), played.submits.size()));
    }
    const auto at = std::ranges::find_if(steps, [&](const PlayedStep& other) {
      return other.runnable == played.submits.front() && other.step.number == submitter.number && other.step.turn == submitter.turn;
    });
    if (at == steps.end()) throw UserError(fmt::format("submitter '{}' does not take turns with what it submits", submitter.label()));
    if (!hyperepoch.runnables[at->runnable].stream)
      throw UserError(fmt::format("what submitter '{}' submits is in no stream, so that its end cannot be told", submitter.label()));
    if (at->step.client != submitter.client)
      throw UserError(fmt::format("submitter '{}' and what it submits are in two processes", submitter.label()));
    return static_cast<std::size_t>(at - steps.begin());
  }

  const static_order::Schedule& schedule_;
  std::string text_;
  std::map<std::string, std::uint32_t> names_;
  std::uint32_t file_ = 0;
  std::vector<rts_hyperepoch> hyperepochs_;
  std::vector<rts_epoch> epochs_;
  std::vector<rts_core> cores_;
  std::map<std::string, std::uint32_t> core_numbers_;
  std::vector<rts_client> clients_;
  std::vector<rts_stream> streams_;
  std::map<std::string, std::string> stream_clients_;
  std::vector<rts_runnable> runnables_;
  std::map<std::pair<std::string, rts_kind>, std::uint32_t> runnable_numbers_;
  std::vector<rts_line> lines_;
  std::vector<rts_job> jobs_;
  std::vector<rts_wait> waits_;
};

}  // namespace

std::string plan_of(const static_order::Schedule& schedule, const std::string& file, const std::string& sha256) {
  require(sha256.size() == 64 && sha256.find_first_not_of("0123456789abcdef") == std::string::npos, "a SHA-256 has 64 hexadecimal digits");
  return PlanBuilder(schedule, file).bytes(sha256);
}

}  // namespace rta::validation
