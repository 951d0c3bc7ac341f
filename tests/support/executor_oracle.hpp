// T19, T19j and T20 by brute force, over all paths and all instants, with wrong variants; and executors that are played.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace rta::test::executor {

struct Node {
  std::size_t pool = 0;
  std::int64_t C = 0;
  std::vector<std::size_t> before;  // nodes earlier in the list
  std::uint32_t priority = 0;       // on an executor by priority
  std::uint32_t group = 0;          // on one of several threads; 0: reentrant
};
struct Dag {
  std::int64_t T = 1;
  std::vector<Node> nodes;
};
enum class Kind { wait_set, events, priority, threads };
/// SCHED_DEADLINE: so much of every period.
struct Server {
  std::int64_t runtime = 1, period = 1;
};
struct System {
  std::size_t executors = 1;    // pools 0 ...
  std::int64_t processors = 0;  // of one more pool, under FIFO; 0: there is none
  std::vector<Dag> dags;
  std::vector<Kind> kinds = {};                          // of the executors; none: all are wait sets
  std::vector<std::int64_t> threads = {};                // of those of several, by their pools
  std::vector<std::optional<Server>> reservations = {};  // of those of one, by their pools; none: each has its processor

  [[nodiscard]] bool is_executor(std::size_t pool) const { return pool < executors; }
  [[nodiscard]] const Server* reservation(std::size_t pool) const {
    return pool < reservations.size() && reservations[pool] ? &*reservations[pool] : nullptr;
  }
  /// A callback of length 0 needs its processor, too.
  [[nodiscard]] std::int64_t C(const Node& node) const {
    return reservation(node.pool) != nullptr ? std::max<std::int64_t>(node.C, 1) : node.C;
  }
  [[nodiscard]] Kind kind(std::size_t pool) const { return kinds.empty() ? Kind::wait_set : kinds[pool]; }
};

enum class Wrong {
  nothing,
  no_rest,         // M without the rest of a window
  one_visit,       // all visits count as one
  none_pending,    // o = 0
  no_carry_in,     // jobs released before are over
  lim_is_ready,    // lim = A
  in_order,        // no later jobs of v, though they overtake
  begins_early,    // T19j: no + A
  no_jitter,       // T19j: eta without A
  only_zero,       // T19j: x = 0
  not_just_after,  // T19j: no instants just after arrivals
  no_own_jobs,     // T20: other jobs of the path's own nodes as if each could run beside another
  no_groups,       // T20: no group is exclusive
  groups_by_m,     // T20: 2/m in place of all of an exclusive group's work
  one_gap,         // T22: one gap per visit
  one_stretch      // T22: all visits as one
};

using Ends = std::vector<std::vector<std::int64_t>>;
enum class By { path, visit, both };

class Oracle {
 public:
  Oracle(const System& system, By by, Wrong wrong = Wrong::nothing) : system_(system), by_(by), wrong_(wrong) {
    for (const Dag& dag : system.dags) {
      const std::size_t n = dag.nodes.size();
      auto& after = after_.emplace_back(n, std::vector<bool>(n));
      for (std::size_t v = 0; v < n; ++v) {
        for (const std::size_t u : dag.nodes[v].before) {
          after[u][v] = true;
          for (std::size_t w = 0; w < n; ++w) after[w][v] = after[w][v] || after[w][u];
        }
      }
    }
  }

  /// None: no bound of 200 periods or less.
  std::optional<Ends> ends() {
    F_.clear();
    for (const Dag& dag : system_.dags) {
      auto& of = F_.emplace_back(dag.nodes.size());
      for (std::size_t v = 0; v < of.size(); ++v) {
        for (const std::size_t u : dag.nodes[v].before) of[v] = std::max(of[v], of[u]);
        of[v] += system_.C(dag.nodes[v]);
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t k = 0; k < system_.dags.size(); ++k) {
        for (std::size_t v = 0; v < F_[k].size(); ++v) {
          const auto end = end_of(k, v);
          if (!end || *end > 200 * system_.dags[k].T) return std::nullopt;
          if (*end <= F_[k][v]) continue;
          F_[k][v] = *end;
          changed = true;
        }
      }
    }
    return F_;
  }

 private:
  using Path = std::vector<std::size_t>;
  [[nodiscard]] const Node& node(std::size_t k, std::size_t v) const { return system_.dags[k].nodes[v]; }
  [[nodiscard]] static std::int64_t jobs(std::int64_t length, std::int64_t T) { return length <= 0 ? 0 : (length + T - 1) / T; }
  [[nodiscard]] std::int64_t carry(std::size_t k, std::size_t u) const {
    return wrong_ == Wrong::no_carry_in ? 0 : std::max<std::int64_t>(0, jobs(F_[k][u], system_.dags[k].T) - 1);
  }
  [[nodiscard]] std::int64_t pending(std::size_t k, std::size_t q) const {
    return wrong_ == Wrong::none_pending ? 0 : std::max<std::int64_t>(0, jobs(F_[k][q], system_.dags[k].T) - 1);
  }
  [[nodiscard]] std::int64_t ready(std::size_t k, std::size_t q) const {
    std::int64_t A = 0;
    for (const std::size_t u : node(k, q).before) A = std::max(A, F_[k][u]);
    return A;
  }
  [[nodiscard]] bool parallel(std::size_t k, std::size_t u, std::size_t q) const { return u != q && !after_[k][u][q] && !after_[k][q][u]; }
  [[nodiscard]] bool keeps_order(std::size_t k, std::size_t v) const {
    for (std::size_t u = 0; u < v; ++u) {
      if (!after_[k][u][v]) continue;
      const std::size_t p = node(k, u).pool;
      if (!system_.is_executor(p) && system_.processors != 1) return false;
      if (system_.is_executor(p) && system_.kind(p) == Kind::threads && node(k, u).group == 0) return false;
    }
    return true;
  }

  std::optional<std::int64_t> end_of(std::size_t k, std::size_t v) {
    std::optional<std::int64_t> end;
    const bool on_executor = system_.is_executor(node(k, v).pool) && system_.kind(node(k, v).pool) == Kind::wait_set;
    if (by_ != By::path && on_executor) end = by_visit(k, v);
    if (by_ == By::path || !on_executor || (by_ == By::both)) {
      const std::int64_t path = by_path(k, v);
      end = std::min(end.value_or(path), path);
    }
    return end;
  }

  std::int64_t by_path(std::size_t k, std::size_t v) {
    std::int64_t most = 0;
    Path path{v};
    const std::function<void()> walk = [&] {
      if (node(k, path.back()).before.empty()) {
        most = std::max(most, along(k, Path(path.rbegin(), path.rend())));
        return;
      }
      for (const std::size_t u : node(k, path.back()).before) {
        path.push_back(u);
        walk();
        path.pop_back();
      }
    };
    walk();
    return most;
  }

  static constexpr std::int64_t parts = 840;  // of a unit of time: a whole number of them is 1/m of it, of up to 8 threads or processors

  std::int64_t along(std::size_t k, const Path& path) const {
    std::int64_t own = 0;
    for (const std::size_t q : path) own += system_.C(node(k, q)) * parts;
    for (std::size_t p = 0; p < system_.executors + (system_.processors > 0 ? 1 : 0); ++p) {
      Path there;
      for (const std::size_t q : path) {
        if (node(k, q).pool == p) there.push_back(q);
      }
      if (there.empty()) continue;
      if (!system_.is_executor(p)) {
        own += on_processors(k, path, there, p) * (parts / system_.processors);
      } else if (system_.kind(p) == Kind::threads) {
        own += on_threads(k, path, there, p);
      } else {
        own += on_executor(k, path, there, p) * parts;
      }
    }
    return (own + parts - 1) / parts;
  }

  /// T20, in parts.
  std::int64_t on_threads(std::size_t k, const Path& path, const Path& there, std::size_t p) const {
    const std::int64_t m = system_.threads[p];
    std::int64_t lim = 0, sum = 0;
    for (const std::size_t q : there) lim = std::max(lim, F_[k][q]);
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const std::int64_t T = system_.dags[d].T;
      for (std::size_t u = 0; u < F_[d].size(); ++u) {
        if (node(d, u).pool != p) continue;
        std::int64_t n = wrong_ == Wrong::no_carry_in ? (lim + T - 1) / T : jobs(F_[d][u] + lim, T);
        std::int64_t later = 0;
        if (d == k) {
          const bool in = std::ranges::find(path, u) != path.end();
          const bool beside = std::ranges::any_of(there, [&](std::size_t q) { return parallel(k, u, q); });
          const bool no_later = u == path.back() && (wrong_ == Wrong::in_order || keeps_order(k, u));
          n = (!in && beside ? 1 : 0) + carry(k, u);
          later = no_later ? 0 : lim / T;
        }
        const auto in_group = [&](std::size_t q) { return node(k, q).group == node(d, u).group; };
        bool exclusive = node(d, u).group != 0 && std::ranges::any_of(there, in_group) && wrong_ != Wrong::no_groups;
        if (d == k && wrong_ == Wrong::no_own_jobs && std::ranges::find(there, u) != there.end()) exclusive = false;
        const std::int64_t by = !exclusive ? parts / m : wrong_ == Wrong::groups_by_m ? std::min(parts, 2 * (parts / m)) : parts;
        // Later jobs of the last of the group on the path run behind this one, when the path waits for other groups.
        const bool last = d == k && exclusive && u == *std::find_if(there.rbegin(), there.rend(), in_group);
        sum += later * node(d, u).C * (last && (keeps_order(k, u) || wrong_ == Wrong::in_order) ? parts / m : by);
        sum += n * node(d, u).C * by;
      }
    }
    return sum;
  }

  std::int64_t on_executor(std::size_t k, const Path& path, const Path& there, std::size_t p) const {
    std::int64_t visits = 0;
    for (std::size_t i = 0; i < path.size(); ++i)
      visits += node(k, path[i]).pool == p && (i == 0 || node(k, path[i - 1]).pool != p) ? 1 : 0;
    if (wrong_ == Wrong::one_visit) visits = 1;
    std::int64_t M = wrong_ == Wrong::no_rest ? 0 : visits, W = 0, lim = 0;
    for (const Dag& dag : system_.dags) {
      for (const Node& u : dag.nodes) W += u.pool == p ? system_.C(u) : 0;
    }
    for (const std::size_t q : there) {
      M += 1 + pending(k, q);
      const std::int64_t polled = ready(k, q) + (1 + pending(k, q)) * W;
      lim = std::max(lim, wrong_ == Wrong::lim_is_ready       ? ready(k, q)
                          : system_.reservation(p) != nullptr ? F_[k][q]
                                                              : std::min(F_[k][q], polled));
    }
    std::int64_t sum = 0;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const std::int64_t T = system_.dags[d].T;
      for (std::size_t u = 0; u < F_[d].size(); ++u) {
        if (node(d, u).pool != p) continue;
        if (d != k) {
          const std::int64_t n = wrong_ == Wrong::no_carry_in ? lim / T + 1 : jobs(F_[d][u] + lim, T);
          sum += std::min(n, M) * system_.C(node(d, u));
          continue;
        }
        const bool in = std::ranges::find(path, u) != path.end();
        const bool beside = std::ranges::any_of(there, [&](std::size_t q) { return parallel(k, u, q); });
        const bool no_later = u == path.back() && (wrong_ == Wrong::in_order || keeps_order(k, u));
        const std::int64_t n = (!in && beside ? 1 : 0) + carry(k, u) + (no_later ? 0 : lim / T);
        sum += std::min(n, M - (in ? 1 : 0)) * system_.C(node(d, u));
      }
    }
    const Server* const reserved = system_.reservation(p);
    if (reserved == nullptr) return sum;
    std::int64_t Y = sum;
    for (const std::size_t q : there) Y += system_.C(node(k, q));
    const std::int64_t stretches = wrong_ == Wrong::one_stretch ? 1 : visits;
    const std::int64_t gaps =
        (wrong_ == Wrong::one_gap ? stretches - 1 : 2 * stretches - 1) + (Y + reserved->runtime - 1) / reserved->runtime;
    return sum + (reserved->period - reserved->runtime) * gaps;
  }

  /// m times the waiting, by T10n.
  std::int64_t on_processors(std::size_t k, const Path& path, const Path& there, std::size_t p) const {
    std::int64_t a = 0, sum = 0;
    for (std::size_t q = 0; q <= path.back(); ++q) {
      if (node(k, q).pool == p && (q == path.back() || after_[k][q][path.back()])) a = std::max(a, ready(k, q));
    }
    for (const std::size_t q : there) sum -= node(k, q).C;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      const std::int64_t T = system_.dags[d].T;
      for (std::size_t u = 0; u < F_[d].size(); ++u) {
        if (node(d, u).pool != p) continue;
        const bool below = d == k && after_[k][path.back()][u];
        const std::int64_t own = (below ? 0 : 1) + std::max<std::int64_t>(0, jobs(F_[d][u], T) - 1) + a / T;
        sum += (d == k ? own : jobs(F_[d][u] + a, T)) * node(d, u).C;
      }
    }
    return sum;
  }

  /// v and what leads to it on its executor alone.
  [[nodiscard]] std::vector<bool> visit(std::size_t k, std::size_t v) const {
    std::vector<bool> in(F_[k].size());
    in[v] = true;
    for (std::size_t u = v + 1; u-- > 0;) {
      if (!in[u]) continue;
      for (const std::size_t w : node(k, u).before) in[w] = in[w] || node(k, w).pool == node(k, v).pool;
    }
    return in;
  }
  [[nodiscard]] std::int64_t begin(std::size_t k, std::size_t v) const {
    const auto in = visit(k, v);
    std::int64_t A = 0;
    for (std::size_t u = 0; u <= v; ++u) {
      if (!in[u]) continue;
      for (const std::size_t w : node(k, u).before) A = std::max(A, node(k, w).pool != node(k, v).pool ? F_[k][w] : 0);
    }
    return A;
  }
  [[nodiscard]] std::int64_t most_windows(std::size_t k, std::size_t v) const {
    std::int64_t most = 0;
    for (const std::size_t u : node(k, v).before) {
      if (node(k, u).pool == node(k, v).pool) most = std::max(most, most_windows(k, u));
    }
    return most + 1 + pending(k, v);
  }

  std::optional<std::int64_t> by_visit(std::size_t k, std::size_t v) const {
    struct Other {
      std::size_t d, u;
      std::int64_t T, C, A;
    };
    std::vector<Other> all;
    for (std::size_t d = 0; d < system_.dags.size(); ++d) {
      for (std::size_t u = 0; u < F_[d].size(); ++u) {
        if (node(d, u).pool != node(k, v).pool) continue;
        all.push_back({d, u, system_.dags[d].T, system_.C(node(d, u)), wrong_ == Wrong::no_jitter ? 0 : begin(d, u)});
      }
    }
    // When so much is executed at the latest, from when there is something to do.
    const Server* const reserved = system_.reservation(node(k, v).pool);
    const auto held = [&](std::int64_t y) {
      if (reserved == nullptr || y == 0) return y;
      const std::int64_t budgets = (y + reserved->runtime - 1) / reserved->runtime;
      return y + (reserved->period - reserved->runtime) * (budgets + (wrong_ == Wrong::one_gap ? 0 : 1));
    };
    const std::int64_t own = system_.C(node(k, v));
    std::int64_t B = 0;
    while (true) {
      std::int64_t sum = 0;
      for (const Other& u : all) sum += u.C * jobs(std::max<std::int64_t>(B, 1) + u.A, u.T);
      sum = held(sum);
      if (sum <= B) break;
      B = sum;
      if (B > 100'000) return std::nullopt;
    }
    const auto in = visit(k, v);
    bool one_way = true;
    for (std::size_t u = 0; u <= v; ++u) one_way = one_way && (!in[u] || node(k, u).before.size() < 2);
    const bool ordered = one_way || keeps_order(k, v);
    const std::int64_t M = (wrong_ == Wrong::no_rest ? 0 : 1) + most_windows(k, v);
    std::int64_t most = 0;
    for (std::int64_t x = 0; x < std::max<std::int64_t>(B, 1); ++x) {
      if (wrong_ == Wrong::only_zero && x > 0) break;
      const auto arrives = [&](const Other& u) { return (x + u.A) % u.T == 0; };
      if (wrong_ == Wrong::not_just_after && std::ranges::none_of(all, arrives)) continue;
      std::int64_t S = x, sum = 0;
      while (true) {
        sum = 0;
        for (const Other& u : all) {
          const bool itself = u.d == k && u.u == v;
          std::int64_t n = std::min((S + u.A) / u.T + 1, (x + u.A + u.T - 1) / u.T + M) - (itself ? 1 : 0);
          if (itself && ordered) n = (x + u.A) / u.T;
          sum += n * u.C;
        }
        const std::int64_t starts = held(sum + 1) - 1;
        if (starts <= S) break;
        S = starts;
        if (S > 100'000) return std::nullopt;
      }
      most = std::max(most, (reserved != nullptr ? held(sum + own) - own : S) - x);
    }
    return (wrong_ == Wrong::begins_early ? 0 : begin(k, v)) + most + own;
  }

  const System& system_;
  By by_;
  Wrong wrong_;
  std::vector<std::vector<std::vector<bool>>> after_;
  Ends F_;
};

/// One schedule; of each node the latest end after its DAG's release.
class Player {
 public:
  struct How {
    bool synchronous = true;     // all DAGs are released at 0, and then every T
    bool worst = true;           // every node takes its C
    bool late_messages = false;  // a message is there after the poll that follows the callback
    bool early = false;          // callbacks publish at some instant while they run
    int rule = 0;                // of several threads: 0 any callback that may run, 1 the set keeps those of busy groups, 2 it drops them
    int supply = 0;              // of reservations: 0 at once, 1 as late as can be, 2 at random, 3 the one or the other by budgets
    std::int64_t length = 400;
    std::vector<std::int64_t> phases = {};  // of the DAGs, where they are not to be 0 or random
  };

  Player(const System& system, std::mt19937_64& random, How how) : system_(system), random_(random), how_(std::move(how)) {
    for (const Dag& dag : system.dags) {
      worst_.emplace_back(dag.nodes.size(), -1);
      next_.push_back(!how_.phases.empty() ? how_.phases[next_.size()] : how_.synchronous ? 0 : pick(0, dag.T));
    }
    executors_.resize(system.executors);
    for (Executor& executor : executors_) {
      executor.queue.resize(system.dags.size());
      for (std::size_t d = 0; d < system.dags.size(); ++d) executor.queue[d].resize(system.dags[d].nodes.size());
    }
  }

  const Ends& play() {
    while (true) {
      std::int64_t at = INT64_MAX;
      for (const std::int64_t next : next_) at = std::min(at, next);
      for (const Executor& executor : executors_) {
        for (const Running& running : executor.running) at = std::min({at, running.end, running.published ? INT64_MAX : running.publishes});
      }
      for (const Running& running : running_) at = std::min(at, running.end);
      const bool served = at > now_ && serve();
      if ((at == INT64_MAX && !served) || now_ > 50 * how_.length) return worst_;
      if (served) at = now_ + 1;
      now_ = at;
      instant();
    }
  }

 private:
  struct Job {
    std::int64_t release = 0;
    std::size_t dag = 0;
    std::vector<std::size_t> left;  // predecessors that have not ended
  };
  struct Running {
    std::size_t job = 0, node = 0;
    std::int64_t end = 0;
    std::int64_t publishes = 0;  // at the latest at its end
    bool published = false;
  };
  struct Executor {
    std::vector<std::vector<std::deque<std::size_t>>> queue;  // DAG, node -> jobs
    std::vector<std::pair<std::size_t, std::size_t>> set;     // DAG, node
    std::vector<Running> running;                             // one of each thread that has some
    std::vector<std::pair<std::size_t, std::size_t>> late;    // job, node: messages under way
    std::vector<std::pair<std::size_t, std::size_t>> events;  // job, node: what waits, as it came
    std::int64_t came = -1;                                   // the last of them
    std::int64_t budget = 0, deadline = -1;                   // of a reservation
    bool awake = false;                                       // there was something to run until now
    bool held = false;                                        // this budget as late as can be
  };

  std::int64_t pick(std::int64_t from, std::int64_t to) { return std::uniform_int_distribution(from, to)(random_); }

  /// All that happens now, in any order.
  void instant() {
    while (true) {
      std::vector<std::function<void()>> events;
      for (std::size_t d = 0; d < next_.size(); ++d) {
        if (next_[d] == now_) events.emplace_back([this, d] { release(d); });
      }
      for (Executor& executor : executors_) {
        for (std::size_t i = 0; i < executor.running.size(); ++i) {
          const Running& running = executor.running[i];
          if (!running.published && running.publishes == now_)
            events.emplace_back([this, &executor, i] { publish(executor, i); });
          else if (running.end == now_)
            events.emplace_back([this, &executor, i] { end(executor, i); });
        }
      }
      for (std::size_t i = 0; i < running_.size(); ++i) {
        if (running_[i].end == now_) events.emplace_back([this, i] { end_on_processor(i); });
      }
      if (events.empty()) return;
      events[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(events.size()) - 1))]();
      for (Executor& executor : executors_) go_on(executor);
      start();
    }
  }

  void release(std::size_t d) {
    const Dag& dag = system_.dags[d];
    Job& job = jobs_.emplace_back();
    job.release = now_;
    job.dag = d;
    for (const Node& node : dag.nodes) job.left.push_back(node.before.size());
    next_[d] = now_ + dag.T + (how_.synchronous || pick(0, 2) > 0 ? 0 : pick(0, dag.T));
    if (next_[d] > how_.length) next_[d] = INT64_MAX;
    const std::size_t id = jobs_.size() - 1;
    for (std::size_t v = 0; v < dag.nodes.size(); ++v) {
      if (dag.nodes[v].before.empty()) arrive(id, v);
    }
  }

  void arrive(std::size_t job, std::size_t v) {
    const std::size_t d = jobs_[job].dag;
    const std::size_t p = system_.dags[d].nodes[v].pool;
    if (system_.is_executor(p)) {
      Executor& executor = executors_[p];
      if (system_.kind(p) == Kind::wait_set || system_.kind(p) == Kind::threads) {
        executor.queue[d][v].push_back(job);
        return;
      }
      auto& events = executor.events;
      events.emplace_back(job, v);
      if (events.size() > 1 && executor.came == now_ && pick(0, 1) == 0) std::swap(events.back(), events[events.size() - 2]);
      executor.came = now_;
    } else {
      ready_.emplace_back(job, v);
      if (ready_.size() > 1 && came_ == now_ && pick(0, 1) == 0) std::swap(ready_.back(), ready_[ready_.size() - 2]);
      came_ = now_;
    }
  }

  std::int64_t length(std::size_t job, std::size_t v) {
    const std::int64_t C = system_.dags[jobs_[job].dag].nodes[v].C;
    return how_.worst ? C : pick(0, 3) == 0 ? pick(0, C) : C;
  }

  void has_ended(std::size_t job, std::size_t v) {
    std::int64_t& worst = worst_[jobs_[job].dag][v];
    worst = std::max(worst, now_ - jobs_[job].release);
  }
  void send(std::size_t job, std::size_t v, Executor* on) {
    const Dag& dag = system_.dags[jobs_[job].dag];
    for (std::size_t w = v + 1; w < dag.nodes.size(); ++w) {
      const auto& before = dag.nodes[w].before;
      if (std::ranges::find(before, v) == before.end() || --jobs_[job].left[w] > 0) continue;
      if (on != nullptr && how_.late_messages && on == own(dag.nodes[w].pool)) {
        on->late.emplace_back(job, w);
      } else {
        arrive(job, w);
      }
    }
  }
  Executor* own(std::size_t pool) { return system_.is_executor(pool) ? &executors_[pool] : nullptr; }

  /// At its end at the latest, before the executor looks again.
  void publish(Executor& executor, std::size_t i) {
    executor.running[i].published = true;
    send(executor.running[i].job, executor.running[i].node, &executor);
  }
  void end(Executor& executor, std::size_t i) {
    const Running ended = executor.running[i];
    executor.running.erase(executor.running.begin() + static_cast<std::ptrdiff_t>(i));
    has_ended(ended.job, ended.node);
  }
  void end_on_processor(std::size_t i) {
    const Running ended = running_[i];
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    has_ended(ended.job, ended.node);
    send(ended.job, ended.node, nullptr);
  }

  /// In a reservation in every other way of supply when the thread has its processor, else at once.
  void go_on(Executor& executor) {
    const auto p = static_cast<std::size_t>(&executor - executors_.data());
    if (system_.reservation(p) == nullptr || how_.supply % 2 == 0) pick_next(executor);
  }
  void pick_next(Executor& executor) {
    const auto p = static_cast<std::size_t>(&executor - executors_.data());
    const Kind kind = system_.kind(p);
    if (kind == Kind::threads) {
      while (static_cast<std::int64_t>(executor.running.size()) < system_.threads[p] && take(executor)) {
      }
      return;
    }
    if (!executor.running.empty()) return;
    if (kind != Kind::wait_set) {
      run_one(executor, kind);
      return;
    }
    if (executor.set.empty()) poll(executor);
    if (executor.set.empty() && !executor.late.empty()) {
      deliver(executor);
      poll(executor);
    }
    deliver(executor);
    if (executor.set.empty()) return;
    const auto at = executor.set.begin() + pick(0, static_cast<std::int64_t>(executor.set.size()) - 1);
    const auto [d, v] = *at;
    executor.set.erase(at);
    const std::size_t job = executor.queue[d][v].front();
    executor.queue[d][v].pop_front();
    run(executor, job, v);
  }
  /// By events or by priority, equals in any order.
  void run_one(Executor& executor, Kind kind) {
    if (executor.events.empty()) return;
    std::size_t chosen = 0;
    if (kind == Kind::priority) {
      std::vector<std::size_t> most;
      const auto priority = [&](std::size_t i) {
        return system_.dags[jobs_[executor.events[i].first].dag].nodes[executor.events[i].second].priority;
      };
      for (std::size_t i = 0; i < executor.events.size(); ++i) {
        if (!most.empty() && priority(i) < priority(most.front())) continue;
        if (!most.empty() && priority(i) > priority(most.front())) most.clear();
        most.push_back(i);
      }
      chosen = most[static_cast<std::size_t>(pick(0, static_cast<std::int64_t>(most.size()) - 1))];
    }
    const auto [job, v] = executor.events[chosen];
    executor.events.erase(executor.events.begin() + static_cast<std::ptrdiff_t>(chosen));
    run(executor, job, v);
  }
  void run(Executor& executor, std::size_t job, std::size_t v) {
    const bool reserved = system_.reservation(system_.dags[jobs_[job].dag].nodes[v].pool) != nullptr;
    const std::int64_t takes = std::max<std::int64_t>(length(job, v), reserved ? 1 : 0);
    executor.running.push_back({job, v, now_ + takes, now_ + (how_.early ? pick(0, 1) * pick(0, takes) : takes), false});
  }
  [[nodiscard]] std::uint32_t group(const std::pair<std::size_t, std::size_t>& node) const {
    return system_.dags[node.first].nodes[node.second].group;
  }
  [[nodiscard]] bool is_busy(const Executor& executor, const std::pair<std::size_t, std::size_t>& node) const {
    return group(node) != 0 && std::ranges::any_of(executor.running, [&](const Running& running) {
             return group({jobs_[running.job].dag, running.node}) == group(node);
           });
  }
  /// One thread of several picks a callback, if some may run.
  bool take(Executor& executor) {
    if (how_.rule == 0) executor.set.clear();
    auto found = picked(executor);
    if (!found) {
      executor.set.clear();
      poll(executor);
      std::erase_if(executor.set, [&](const auto& node) { return is_busy(executor, node); });
      found = picked(executor);
    }
    if (!found) return false;
    const auto [d, v] = *found;
    const std::size_t job = executor.queue[d][v].front();
    executor.queue[d][v].pop_front();
    run(executor, job, v);
    return true;
  }
  /// One of the set whose group is free, which is looked through in any order.
  std::optional<std::pair<std::size_t, std::size_t>> picked(Executor& executor) {
    std::ranges::shuffle(executor.set, random_);
    for (std::size_t i = 0; i < executor.set.size();) {
      const auto node = executor.set[i];
      if (is_busy(executor, node)) {
        const bool timer = system_.dags[node.first].nodes[node.second].before.empty();
        if (how_.rule == 2 && !timer) {
          executor.set.erase(executor.set.begin() + static_cast<std::ptrdiff_t>(i));
        } else {
          ++i;
        }
        continue;
      }
      executor.set.erase(executor.set.begin() + static_cast<std::ptrdiff_t>(i));
      if (!executor.queue[node.first][node.second].empty()) return node;
    }
    return std::nullopt;
  }
  static void poll(Executor& executor) {
    for (std::size_t d = 0; d < executor.queue.size(); ++d) {
      for (std::size_t v = 0; v < executor.queue[d].size(); ++v) {
        if (!executor.queue[d][v].empty()) executor.set.emplace_back(d, v);
      }
    }
  }
  void deliver(Executor& executor) {
    for (const auto& [job, v] : std::exchange(executor.late, {})) arrive(job, v);
  }

  /// Reservations give or hold back the unit of time from now on, where their executors have something to do. Whether some have.
  bool serve() {
    bool any = false;
    for (std::size_t p = 0; p < executors_.size(); ++p) {
      const Server* const reserved = system_.reservation(p);
      if (reserved == nullptr) continue;
      Executor& executor = executors_[p];
      if (executor.running.empty() && !has_work(executor)) {
        executor.awake = false;
        continue;
      }
      any = true;
      if (is_held(executor, *reserved)) {
        for (Running& running : executor.running) {
          ++running.end;
          if (!running.published) ++running.publishes;
        }
        continue;
      }
      if (executor.running.empty()) {
        pick_next(executor);
        executor.running.front().publishes = std::max(executor.running.front().publishes, now_ + 1);
      }
      --executor.budget;
    }
    return any;
  }
  [[nodiscard]] static bool has_work(const Executor& executor) {
    const auto any = [](const auto& of_dag) { return std::ranges::any_of(of_dag, [](const auto& queue) { return !queue.empty(); }); };
    return !executor.events.empty() || std::ranges::any_of(executor.queue, any);
  }
  /// Hard CBS: at a wake-up budget and deadline stay if the one may be had by the other at the rate Q/P.
  bool is_held(Executor& executor, const Server& reserved) {
    const auto renew = [&](std::int64_t deadline) {
      executor.budget = reserved.runtime;
      executor.deadline = deadline;
      executor.held = pick(0, 1) == 0;
    };
    if (!executor.awake) {
      executor.awake = true;
      const bool keeps = executor.deadline > now_ && executor.budget * reserved.period <= (executor.deadline - now_) * reserved.runtime;
      if (!keeps) renew(now_ + reserved.period);
    }
    if (executor.budget == 0 && now_ >= executor.deadline) renew(executor.deadline + reserved.period);
    if (executor.budget == 0) return true;
    if (executor.deadline - now_ == executor.budget) return false;
    return how_.supply == 1 || (how_.supply == 2 && pick(0, 2) > 0) || (how_.supply == 3 && executor.held);
  }

  void start() {
    while (!ready_.empty() && static_cast<std::int64_t>(running_.size()) < system_.processors) {
      const auto [job, v] = ready_.front();
      ready_.pop_front();
      running_.push_back({job, v, now_ + length(job, v), 0, true});
    }
  }

  const System& system_;
  std::mt19937_64& random_;
  How how_;
  std::int64_t now_ = 0, came_ = -1;
  std::vector<std::int64_t> next_;
  std::vector<Job> jobs_;
  std::vector<Executor> executors_;
  std::deque<std::pair<std::size_t, std::size_t>> ready_;
  std::vector<Running> running_;
  Ends worst_;
};

}  // namespace rta::test::executor
