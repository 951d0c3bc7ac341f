#include "rta/analysis/cpu/priority_point.hpp"

namespace rta::analysis {

Time priority_point(Scheduler scheduler, Time D, Time C, std::uint32_t processors) {
  switch (scheduler) {
    case Scheduler::fifo:
    case Scheduler::fp:
    case Scheduler::wait_set:
    case Scheduler::multi_threaded: return Time{};
    case Scheduler::g_fl: return to_time(D.count() - Wide{C.count()} * (Wide{processors} - 1) / processors);
    case Scheduler::g_edf:
    case Scheduler::lp: return D;
  }
  return D;
}

}  // namespace rta::analysis
