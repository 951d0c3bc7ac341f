#include "rta/sweep/run.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "earlier.hpp"
#include "folder.hpp"
#include "journal.hpp"
#include "summary.hpp"
#include "table.hpp"

namespace rta::sweep {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t trial_sets = 4;  // of each point, before any work

// Some of the plan's analyses.
struct Analyzer {
  Analyzer(const generate::Recipe& recipe, std::vector<AnalysisChoice> some) : choices(std::move(some)), analyzer(recipe, choices) {}
  Analyzer(const Analyzer&) = delete;
  Analyzer& operator=(const Analyzer&) = delete;

  std::vector<AnalysisChoice> choices;
  SetAnalyzer analyzer;
};

// What one thread needs for the point that it works on.
class Worker {
 public:
  explicit Worker(const Plan& plan) : plan_(plan) {}

  std::string evaluate(const Chunk& chunk, const KnownOutcomes& known) {
    if (!generator_ || point_ != chunk.point) {
      point_ = chunk.point;
      analyzers_.clear();
      generator_.emplace(plan_.points[point_].recipe);
    }
    std::string rows;
    for (std::uint64_t i = 0; i < chunk.count; ++i) add_rows(chunk.first + i, known[i], rows);
    return rows;
  }

 private:
  void add_rows(std::uint64_t set, const std::vector<std::optional<Outcome>>& known, std::string& rows) {
    std::vector<bool> missing(known.size());
    std::transform(known.begin(), known.end(), missing.begin(), [](const auto& outcome) { return !outcome.has_value(); });
    if (std::find(missing.begin(), missing.end(), true) != missing.end()) {
      generator_->draw({plan_.seed, point_, set}, set_);
      analyzer_of(missing).evaluate(set_, outcomes_);
    }
    auto computed = outcomes_.begin();
    for (std::size_t a = 0; a < known.size(); ++a) {
      append_row(rows, {point_, set, plan_.analyses[a].name, missing[a] ? *computed++ : *known[a]}, plan_.timing);
    }
  }

  SetAnalyzer& analyzer_of(const std::vector<bool>& missing) {
    const auto at = analyzers_.find(missing);
    if (at != analyzers_.end()) return at->second.analyzer;
    std::vector<AnalysisChoice> choices;
    choices.reserve(missing.size());
    for (std::size_t a = 0; a < missing.size(); ++a) {
      if (missing[a]) choices.push_back(plan_.analyses[a]);
    }
    return analyzers_.try_emplace(missing, generator_->recipe(), std::move(choices)).first->second.analyzer;
  }

  const Plan& plan_;
  std::uint64_t point_ = 0;
  std::optional<generate::Generator> generator_;
  std::map<std::vector<bool>, Analyzer> analyzers_;  // by the analyses that are missing
  generate::RandomSet set_;
  std::vector<Outcome> outcomes_;
};

std::string in_words(const Plan& plan, const Point& point) {
  std::string text;
  for (std::size_t k = 0; k < plan.parameters.size(); ++k) {
    text += fmt::format("{}{} = {}", k == 0 ? "" : ", ", plan.parameters[k], point.values[k]);
  }
  return text;
}

// A point out of reach is found before any work, as far as a few sets show it.
void try_points(const Plan& plan) {
  generate::RandomSet set;
  for (std::uint64_t p = 0; p < plan.points.size(); ++p) {
    try {
      generate::Generator generator(plan.points[p].recipe);
      for (std::uint64_t i = 0; i < std::min(plan.sets, trial_sets); ++i) generator.draw({plan.seed, p, i}, set);
    } catch (const generate::RecipeError& e) {
      if (plan.parameters.empty()) throw;
      const std::string what = e.what();
      throw generate::RecipeError(e.parameter(),
                                  fmt::format("{} (point {}: {})", what.substr(std::min(what.size(), e.parameter().size() + 2)), p,
                                              in_words(plan, plan.points[p])));
    }
  }
}

// From the end of the journal on, until all chunks are in it or the limit is reached.
void evaluate(const Plan& plan, const RunOptions& options, const Chunks& chunks, Earlier& earlier, Journal& journal) {
  const std::uint64_t resumed = chunks.sets_before(journal.chunks());
  const std::uint64_t all = chunks.sets_before(chunks.size());
  std::uint64_t done = resumed;
  if (options.progress) options.progress({done, resumed, all});

  unsigned jobs = options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  // Fewer where no more threads can be had; asking for more, oneTBB would write a warning of its own.
  const auto allowed = static_cast<unsigned>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
  if (allowed < static_cast<unsigned>(tbb::info::default_concurrency())) jobs = std::min(jobs, allowed);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, jobs);
  tbb::task_arena arena(static_cast<int>(jobs));
  tbb::enumerable_thread_specific<Worker> workers([&] { return Worker(plan); });
  std::uint64_t next = journal.chunks();
  const std::size_t tokens = 4 * std::size_t{jobs};
  // Chunks in flight are consecutive, so each has a place of its own; a pipeline that ends by an exception drops its tokens unseen.
  std::vector<std::string> rows(tokens);
  std::vector<KnownOutcomes> known(tokens);
  arena.execute([&] {
    // A chunk in flight holds a token; rows are written in order, so at most that many chunks are lost when the process is killed.
    tbb::parallel_pipeline(
        tokens, tbb::make_filter<void, std::uint64_t>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& flow) -> std::uint64_t {
                  if (next == chunks.size() || options.limit.reached()) {
                    flow.stop();
                    return 0;
                  }
                  known[next % tokens] = earlier.of(chunks[next]);
                  return next++;
                }) & tbb::make_filter<std::uint64_t, std::uint64_t>(tbb::filter_mode::parallel, [&](std::uint64_t c) {
                  rows[c % tokens] = workers.local().evaluate(chunks[c], known[c % tokens]);
                  return c;
                }) & tbb::make_filter<std::uint64_t, void>(tbb::filter_mode::serial_in_order, [&](std::uint64_t c) {
                  journal.append(rows[c % tokens]);
                  done += chunks[journal.chunks() - 1].count;
                  if (options.progress) options.progress({done, resumed, all});
                }));
  });
}

}  // namespace

bool run(const Plan& plan, const fs::path& folder, const RunOptions& options) {
  const fs::path own = shard_folder(folder, options.shard);
  const Folder claim(plan, own, options.shard, options.shard.whole());
  const Chunks chunks(plan, options.shard);
  if (!fs::exists(own / Journal::table_name)) {
    try_points(plan);
    Journal journal(own, table_header(plan.timing));
    Earlier earlier(plan, own);
    evaluate(plan, options, chunks, earlier, journal);
    if (journal.chunks() < chunks.size()) {
      journal.to_disk();
      return false;
    }
    journal.finish();
  }
  if (options.shard.whole()) {
    write_summaries(plan, own);
    fs::remove(own / Earlier::name);
    fs::remove(own / Journal::journal_name);
  }
  return true;
}

void merge(const Plan& plan, const fs::path& folder) {
  const std::uint64_t count = shards_in(folder);
  const Folder claim(plan, folder, Shard{});
  const std::string header = table_header(plan.timing);
  struct Part {
    std::unique_ptr<File> table;
    std::vector<JournalEntry> entries;
    std::size_t next = 0;
  };
  std::vector<Part> parts;
  for (std::uint64_t i = 1; i <= count; ++i) {
    const Shard shard{i, count};
    const fs::path at = shard_folder(folder, shard);
    if (!fs::exists(at / Journal::table_name)) {
      throw FolderError(fmt::format("{}: shard {} of {} is not finished; run it with --shard {}/{}", at.string(), i, count, i, count));
    }
    const Folder part_claim(plan, at, shard);
    Part& part = parts.emplace_back();
    part.table = std::make_unique<File>(at / Journal::table_name, O_RDONLY);
    part.entries = read_journal(at, header.size());
    if (part.entries.size() != Chunks(plan, shard).size()) throw FolderError(fmt::format("{}: its journal is damaged", at.string()));
  }
  if (!fs::exists(folder / Journal::table_name)) {
    Journal journal(folder, header);
    const std::uint64_t all = Chunks(plan).size();
    for (std::uint64_t c = 0; c < all; ++c) {
      Part& part = parts[c % count];
      const JournalEntry& entry = part.entries[part.next++];
      if (c < journal.chunks()) continue;
      const std::string rows = part.table->read(entry.begin, entry.end - entry.begin);
      if (crc32(rows) != entry.checksum)
        throw FolderError(fmt::format("{}: damaged; remove the folder and run the shard again", part.table->path().string()));
      journal.append(rows);
    }
    journal.finish();
  }
  write_summaries(plan, folder);
  fs::remove(folder / Earlier::name);
  fs::remove(folder / Journal::journal_name);
}

}  // namespace rta::sweep
