#include "wait_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rta/report/time_text.hpp"
#include "wait_words.hpp"

namespace rta::report {

PageTable wait_table(const trace::Timeline& timeline, const std::vector<trace::Waiting>& waiting, const std::string& of) {
  constexpr std::size_t most_jobs = 300;
  const auto& jobs = timeline.jobs();
  std::vector<std::size_t> order;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    if (!waiting[j].waits.empty()) order.push_back(j);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t j) { return jobs[j].release; });
  PageTable table{fmt::format("What jobs in the timeline{}{} waited for", of.empty() ? "" : " of ", of),
                  {{"job", "pool", "released", "start", "end", "waits for"}}};
  if (order.size() > most_jobs) {
    table.title += fmt::format(" (the first {} of {})", most_jobs, order.size());
    order.resize(most_jobs);
  }
  for (const std::size_t j : order) {
    table.rows.push_back({job_name(timeline, jobs[j].id), timeline.labels().pools[timeline.pool(jobs[j].id)].name,
                          time_text(jobs[j].release), time_text(jobs[j].start), time_text(jobs[j].end),
                          waits_text(timeline, jobs[j].id, waiting[j].waits)});
  }
  return table;
}

}  // namespace rta::report
