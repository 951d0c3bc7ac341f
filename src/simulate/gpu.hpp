// A GPU: EE queues in front of the SMs; rules G2-G4, X1, R1-R3, A1, A2.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "company.hpp"
#include "context.hpp"

namespace rta::simulate {

class Gpu {
 public:
  /// `number` of the plan's GPUs; `company` is null where blocks take no longer beside others.
  Gpu(const PlanGpu& plan, Placement placement, BlockTimes block_times, Context& context, Company* company, std::uint32_t number);

  /// When the next block ends; `never` between slices.
  [[nodiscard]] std::int64_t next() const {
    if (company_ != nullptr) return next_paced_;
    return ends_.empty() || !serving_ ? never : ends_.top().key + paused_;
  }

  /// Between its slices a context's blocks are frozen, and none starts.
  void pause(std::int64_t now) {
    sliced_ = true;
    serving_ = false;
    since_ = now;
  }
  void resume(std::int64_t now) {
    serving_ = true;
    paused_ += now - since_;
  }
  /// Whether a kernel waits or runs.
  [[nodiscard]] bool has_work() const { return !ends_.empty() || !paced_.empty() || head_queue() != queues_.end(); }

  /// G2, A1: a kernel enters the EE queue of its priority.
  void enqueue(std::uint32_t job) { queues_[context_->plan.nodes[context_->jobs[job].node].queue].push(job); }

  /// Ends all blocks that end at `now`, and tells `done` each kernel whose last block they were (G4).
  template <class Done>
  void complete(std::int64_t now, Done&& done) {
    while (next() == now) {
      const std::uint32_t first = take_ended(now);
      if (!begun_.empty()) tell_end(first, now);
      const std::uint32_t id = groups_[first].job;
      Job& job = context_->jobs[id];
      job.unfinished -= release(first, context_->plan.nodes[job.node].demand);
      if (job.unfinished == 0 && job.unassigned == 0) done(id);
    }
  }

  /// Assigns blocks of the heads of the EE queues as long as they fit.
  void dispatch(std::int64_t now);

  /// Lets every block go on as fast as its company lets it from now on.
  void keep_pace(std::int64_t now);

 private:
  struct Sm {
    std::uint32_t threads = 0;  // free, as the rest
    std::uint32_t slots = 0;
    std::uint64_t shared_memory = 0;
    std::array<std::uint64_t, most_register_parts> registers{};  // by part of the register file
    std::uint32_t next_part = 0;                                 // round robin
  };
  using WarpsByPart = std::array<std::uint32_t, most_register_parts>;  // of those that have registers
  /// Blocks of one kernel that started together on one SM and end together.
  struct Group {
    std::uint32_t job = 0;
    std::uint32_t sm = 0;
    std::uint32_t blocks = 0;
    std::uint32_t next = none;  // the group of the same kernel and instants on another SM
    WarpsByPart warps{};
  };
  /// A group whose blocks are slower or faster, as what is beside them.
  struct Paced {
    std::uint32_t group = 0;
    std::uint64_t sequence = 0;
    Pace pace;
  };
  /// An SM that can hold blocks of the head.
  struct Candidate {
    std::uint32_t sm = 0;
    std::uint32_t fit = 0;     // more blocks that it can hold
    std::uint32_t placed = 0;  // blocks assigned now
    WarpsByPart warps{};       // of what was assigned now
  };

  /// A2: only the most urgent queue that is not empty is served.
  [[nodiscard]] std::vector<Fifo>::const_iterator head_queue() const {
    return std::ranges::find_if(queues_, [](const Fifo& queue) { return !queue.empty(); });
  }
  [[nodiscard]] std::uint32_t fit(const Sm& sm, const BlockDemand& demand) const;
  std::uint32_t release(std::uint32_t group, const BlockDemand& demand);
  std::uint64_t find_candidates(const BlockDemand& demand, bool all);
  /// Starts blocks that last equally long, or that are drawn; how many.
  std::uint32_t assign(std::uint32_t id, Job& job, std::uint64_t room, std::int64_t now);
  void start_together(std::uint32_t id, std::int64_t length, std::int64_t now);
  std::uint32_t start_one(std::uint32_t id, Candidate& on, std::int64_t length, std::int64_t now);
  /// A group ends so much later, or when its company has let it.
  void set_end(std::uint32_t group, std::int64_t length, std::int64_t now);
  /// The first group that ends now, or the first of a chain of them.
  std::uint32_t take_ended(std::int64_t now);
  void find_next_paced();
  [[nodiscard]] bool ends_are_open() const { return sliced_ || company_ != nullptr; }
  /// Takes what so many blocks need.
  void occupy(Candidate& c, const BlockDemand& demand, std::uint32_t blocks);
  std::size_t choose_part(Sm& sm, std::uint64_t registers);
  void assign_one_by_one(std::uint32_t id, std::uint32_t blocks, std::uint32_t piece, std::int64_t length, std::int64_t now);
  /// A block in slices or in company is told when it ends, as nobody knows before when that will be.
  void tell_end(std::uint32_t group, std::int64_t now);
  template <class Start>
  void place(const BlockDemand& demand, std::uint32_t blocks, Start&& start);
  template <class Start>
  void place_most_free(const BlockDemand& demand, std::uint32_t blocks, Start&& start);

  Context* context_;
  Placement placement_;
  BlockTimes block_times_;
  std::vector<Sm> sms_;
  std::vector<Fifo> queues_;  // EE queues, the most urgent first
  Heap<Entry> ends_;          // first groups by end
  Slots<Group> groups_;
  bool sliced_ = false;
  bool serving_ = true;
  std::int64_t since_ = 0;   // not serving
  std::int64_t paused_ = 0;  // in all; ends_ has ends less this
  struct Begun {
    std::uint32_t piece = 0;
    std::int64_t at = 0;
  };
  std::vector<Begun> begun_;            // per group, of one block each; observed, where ends are open
  std::vector<std::uint32_t> changed_;  // SMs on which blocks have ended since the last dispatch
  std::vector<bool> is_changed_;
  std::uint32_t blocked_ = none;  // the head that fitted on no SM when last tried
  std::vector<Candidate> candidates_;
  std::vector<std::uint64_t> order_;  // scratch of place
  std::vector<std::uint64_t> again_;  // scratch of place
  std::uint32_t after_ = 0;           // round robin: where to look first
  std::uint64_t draws_ = 0;           // random placement
  Company* company_;
  std::uint32_t number_;
  std::optional<Interference> interference_;
  std::vector<Paced> paced_;
  std::int64_t next_paced_ = never;
  std::uint32_t parts_ = 1;  // of a register file
  std::uint64_t part_draws_ = 0;
};

}  // namespace rta::simulate
