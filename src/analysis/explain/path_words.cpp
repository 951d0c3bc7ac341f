#include "analysis/explain/path_words.hpp"

#include <fmt/format.h>

#include <string_view>

namespace rta::analysis {
namespace {

std::string with_equals(std::string_view order, const path::Pool& pool) {
  return fmt::format("{}, equals {}", order, pool.equals_any ? "in any order" : "by ready time");
}

}  // namespace

std::string order_in_words(const path::Pool& pool) {
  if (pool.in_turn && pool.slices) return "FIFO, its kernels one after another by T33: e, s and work are the time of each alone in slices";
  if (pool.in_turn) return "FIFO, its kernels one after another by T27: e, s and work are the time of each alone";
  if (pool.mixed) {
    return "FIFO, its kernels whose blocks do not count one after another by T29: their e, s and work are the time of each alone and the "
           "longest "
           "block "
           "of the others";
  }
  switch (pool.order) {
    case path::Order::fifo: return "FIFO";
    case path::Order::gel: return "GEL by DAG";
    case path::Order::gel_non_preemptive: return "non-preemptive GEL by DAG";
    case path::Order::gel_by_node: return "GEL by node";
    case path::Order::fixed: return with_equals("fixed priorities", pool);
    case path::Order::wait_set: return "the wait-set rule";
    case path::Order::multi_threaded: return "an executor of several threads";
    case path::Order::fixed_non_preemptive: return with_equals("non-preemptive fixed priorities", pool);
    case path::Order::fixed_kernels: return "stream priorities";
  }
  return "";
}

std::string capacity_in_words(const path::Pool& pool) {
  return pool.unit == 1 ? fmt::format("{}", pool.capacity) : fmt::format("({} x {})", pool.capacity, rta::to_string(pool.unit));
}

std::string jobs_in_words(const path::CountedJobs& jobs) {
  if (jobs.least == jobs.most) return fmt::format("{} job{}", rta::to_string(jobs.most), jobs.most == 1 ? "" : "s");
  return fmt::format("{} to {} jobs", rta::to_string(jobs.least), rta::to_string(jobs.most));
}

std::string whole_in_words(const path::CountedJobs::Whole& whole) {
  std::string ends = fmt::format("what fits of jobs of {} that end within {} ns", rta::to_string(whole.volume), whole.end.count());
  if (!whole.as_soon) return ends;
  return fmt::format("{} and are within {} ns as far as on infinitely many processors", ends, whole.as_soon->count());
}

}  // namespace rta::analysis
