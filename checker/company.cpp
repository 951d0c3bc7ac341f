// docs/theory/contention.md
#include "company.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace checker {
namespace {

constexpr std::int64_t billion = 1'000'000'000;

/// Classes of kernels that are there, and how many kernels there are without one.
struct Present {
  explicit Present(std::size_t classes) : of(classes, false) {}
  void add(const Node& kernel) {
    if (kernel.of_class) {
      of[*kernel.of_class] = true;
    } else {
      ++without;
    }
  }
  std::vector<bool> of;
  std::size_t without = 0;
};

Int of_row(const std::vector<Int>& row, const Company& company, const Present& present) {
  std::vector<Int> counted, absent;
  for (std::size_t c = 0; c < row.size(); ++c) (present.of[c] ? counted : absent).push_back(row[c]);
  // What has no class may be of any that is not there yet, and each of another.
  std::sort(absent.begin(), absent.end());
  for (std::size_t i = 0; i < present.without && !absent.empty(); ++i) {
    counted.push_back(absent.back());
    absent.pop_back();
  }
  Int sum = 0, most = 0;
  for (const Int one : counted) {
    sum += one;
    most = std::max(most, one);
  }
  return company.sum ? sum : most;
}

Int of_matrix(const Factors& factors, const Company& company, const Node& victim, const Present& present) {
  if (factors.empty()) return 0;
  if (victim.of_class) return of_row(factors[*victim.of_class], company, present);
  Int most = 0;
  for (const auto& row : factors) most = std::max(most, of_row(row, company, present));
  return most;
}

/// Copies and nodes on processors.
struct OtherWork {
  bool copies = false, processors = false;
};

Int beside_other_work(const Company& company, const Node& victim, const OtherWork& there) {
  const auto of_class = [&](std::size_t c) {
    return (there.copies ? company.copies[c] : Int(0)) + (there.processors ? company.processors[c] : Int(0));
  };
  if (company.copies.empty()) return 0;
  if (victim.of_class) return of_class(*victim.of_class);
  Int most = 0;
  for (std::size_t c = 0; c < company.classes.size(); ++c) most = std::max(most, of_class(c));
  return most;
}

/// What follows a node of it may be ready before that has ended.
bool hands_on_early(const Pool& pool) {
  return pool.kind == Kind::cpu && (pool.callbacks || pool.scheduler == "wait-set" || pool.multi_threaded());
}

const std::string& gpu_of(const Pool& pool) { return pool.cut.empty() ? pool.name : pool.cut; }

std::vector<bool> after(const Dag& dag, std::size_t v) {
  std::vector<bool> found(dag.nodes.size(), false);
  for (const std::size_t w : dag.order) {
    for (const std::size_t u : dag.nodes[w].before) {
      if (u == v || found[u]) found[w] = true;
    }
  }
  return found;
}

std::vector<bool> before(const Dag& dag, std::size_t v) {
  std::vector<bool> found(dag.nodes.size(), false);
  std::vector<std::size_t> open{v};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    for (const std::size_t u : dag.nodes[at].before) {
      if (!found[u]) open.push_back(u);
      found[u] = true;
    }
  }
  return found;
}

Int modulo(Int a, Int b) { return a - floor_div(a, b) * b; }

/// Rule 5: whether the jobs of both never run at once, as one clock releases both DAGs and their windows never meet.
bool clock_keeps_apart(const TaskSet& set, const Certificate& certificate, std::size_t d, std::size_t v, std::size_t e, std::size_t u) {
  const auto first = certificate.window.find({d, v});
  const auto second = certificate.window.find({e, u});
  if (first == certificate.window.end() || second == certificate.window.end()) return false;
  const auto begin = [&](const auto& window) { return *set.dags[window->first.first].phase + window->second->number(3); };
  const auto length = [&](const auto& window) {
    return window->second->number(4) - window->second->number(3) + set.dags[window->first.first].J;
  };
  const Int G = gcd(set.dags[d].T + set.dags[d].J, set.dags[e].T + set.dags[e].J);
  // Any two windows of both begin `later` apart, and a multiple of G.
  const Int later = modulo(begin(second) - begin(first), G);
  return length(first) <= later && length(second) <= G - later;
}

struct Met {
  std::size_t dag = 0, node = 0;
};

/// What a block can be beside.
struct Beside {
  std::vector<Met> kernels;
  OtherWork other_work;
};

/// What v of DAG d can meet.
Beside met_by(const TaskSet& set, const Certificate& certificate, std::size_t d, std::size_t v) {
  const Dag& dag = set.dags[d];
  const Node& victim = dag.nodes[v];
  const Pool& gpu = set.pools[victim.pool];
  const auto is_inside = [&](std::size_t u) { return certificate.inside.count({d, u}) > 0; };
  const std::vector<bool> before_v = before(dag, v);
  const std::vector<bool> after_v = after(dag, v);
  Beside beside;
  for (std::size_t e = 0; e < set.dags.size(); ++e) {
    for (std::size_t u = 0; u < set.dags[e].nodes.size(); ++u) {
      const Pool& pool = set.pools[set.dags[e].nodes[u].pool];
      if (pool.kind == Kind::workers || (pool.kind == Kind::gpu && gpu_of(pool) != gpu_of(gpu))) continue;
      if (e == d && !hands_on_early(pool)) {
        if (dag.threads == Int(1)) continue;  // one thread plays all of the DAG, one after another
        const bool ordered = u == v || before_v[u] || after_v[u];
        const bool one_at_a_time = u == v && victim.sequential;
        if (ordered && (one_at_a_time || (is_inside(u) && is_inside(v)))) continue;
      } else if (e != d && clock_keeps_apart(set, certificate, d, v, e, u)) {
        continue;
      }
      beside.other_work.copies = beside.other_work.copies || pool.kind == Kind::engines;
      beside.other_work.processors = beside.other_work.processors || pool.kind == Kind::cpu;
      if (pool.kind == Kind::gpu) beside.kernels.push_back({e, u});
    }
  }
  return beside;
}

Int entry_of(const Factors& factors, const Node& victim, const std::optional<std::size_t>& of) {
  Int most = 0;
  for (std::size_t row = 0; row < factors.size(); ++row) {
    if (victim.of_class && *victim.of_class != row) continue;
    for (std::size_t column = 0; column < factors[row].size(); ++column) {
      if (!of || *of == column) most = std::max(most, factors[row][column]);
    }
  }
  return most;
}

/// C2: the kernels of one class that can be beside a block, and for how long in all.
struct Exposed {
  std::vector<Met> kernels;
  bool known = true;
  Int here = 0, elsewhere = 0;  // those on its own SMs, and the others
};

class Exposure {
 public:
  Exposure(const TaskSet& set, const Certificate& certificate, std::size_t d, std::size_t v, const std::vector<Met>& met)
      : set_(set), victim_(set.dags[d].nodes[v]), company_(*set.pools[victim_.pool].company), alone_(certificate.alone.at({d, v})) {
    std::map<std::optional<std::size_t>, Exposed> classes;
    for (const Met& other : met) {
      const Node& node = set.dags[other.dag].nodes[other.node];
      Exposed& one = classes[node.of_class];
      one.kernels.push_back(other);
      if (!one.known) continue;
      const auto stay = certificate.stay.find({other.dag, other.node});
      if (stay == certificate.stay.end()) {
        one.known = false;
        continue;
      }
      const Int lasts = std::max(Int(0), stay->second->number(4) - stay->second->number(3));
      Int jobs = ceil_div(lasts + victim_.L, set.dags[other.dag].T);
      if (other.dag == d && other.node == v) jobs = std::max(Int(0), jobs - 1);
      Int each = lasts;
      if (node.has_blocks) each = std::min(each, node.blocks * node.L);
      (node.pool == victim_.pool ? one.here : one.elsewhere) += jobs * each;
      one.known = one.here + one.elsewhere <= alone_.L * 4096;  // C1 says less, whatever the matrix
    }
    for (auto& [of_class, one] : classes) classes_.emplace_back(of_class, std::move(one));
    // Of the classes that are there for the least time, any may count by that time; all others as there all the time.
    std::stable_sort(classes_.begin(), classes_.end(), [](const auto& a, const auto& b) {
      return std::pair(!a.second.known, a.second.here + a.second.elsewhere) <
             std::pair(!b.second.known, b.second.here + b.second.elsewhere);
    });
    while (chosen_ < classes_.size() && chosen_ < 6 && classes_[chosen_].second.known) ++chosen_;
  }

  /// The least that a block takes at most, by any choice.
  [[nodiscard]] Int least() const {
    Int least = with(0);
    for (unsigned choice = 1; choice < 1U << chosen_; ++choice) least = std::min(least, with(choice));
    return least;
  }

 private:
  [[nodiscard]] Int with(unsigned for_a_time) const {
    const auto counts_by_time = [&](std::size_t i) { return i < chosen_ && (for_a_time >> i & 1U) != 0; };
    Present on_gpu(company_.classes.size()), on_pool(company_.classes.size());
    for (std::size_t i = 0; i < classes_.size(); ++i) {
      if (counts_by_time(i)) continue;
      for (const Met& one : classes_[i].second.kernels) {
        const Node& node = set_.dags[one.dag].nodes[one.node];
        on_gpu.add(node);
        if (node.pool == victim_.pool) on_pool.add(node);
      }
    }
    const Int other_sm = of_matrix(company_.other_sm, company_, victim_, on_gpu);
    const Int same_sm = of_matrix(company_.same_sm, company_, victim_, on_pool);
    const Int slowness = Int(billion) + other_sm + same_sm;
    Int L = alone_.L + ceil_mul_div(alone_.L, other_sm + same_sm, billion);
    const auto beyond = [&](Int entry, Int always) { return company_.sum ? entry : std::max(Int(0), entry - always); };
    for (std::size_t i = 0; i < chosen_; ++i) {
      if (!counts_by_time(i)) continue;
      const auto& [of_class, one] = classes_[i];
      const Int other = beyond(entry_of(company_.other_sm, victim_, of_class), other_sm);
      const Int same = beyond(entry_of(company_.same_sm, victim_, of_class), same_sm);
      L += ceil_mul_div(one.elsewhere, other, slowness + other);
      L += ceil_mul_div(one.here, other + same, slowness + other + same);
    }
    return L;
  }

  const TaskSet& set_;
  const Node& victim_;
  const Company& company_;
  const Certificate::InCompany& alone_;
  std::vector<std::pair<std::optional<std::size_t>, Exposed>> classes_;
  std::size_t chosen_ = 0;
};

/// Whether C2 is of this kernel: all theorems count its blocks by their L alone, and nothing but kernels makes them longer.
bool counts_by_block_time(const Company& company, const Node& victim, const Certificate::InCompany& alone) {
  return company.copies.empty() && company.processors.empty() && victim.by_blocks() && !alone.time && alone.C == alone.L * victim.H;
}

}  // namespace

void check_company(const TaskSet& set, const Certificate& certificate, std::size_t d, std::size_t v) {
  const Node& victim = set.dags[d].nodes[v];
  const Pool& gpu = set.pools[victim.pool];
  need(gpu.company.has_value(), "the GPU has no factors");
  const Beside beside = met_by(set, certificate, d, v);
  Present on_gpu(gpu.company->classes.size()), on_pool(gpu.company->classes.size());
  for (const Met& one : beside.kernels) {
    const Node& other = set.dags[one.dag].nodes[one.node];
    on_gpu.add(other);
    if (other.pool == victim.pool) on_pool.add(other);
  }
  const Int more = of_matrix(gpu.company->other_sm, *gpu.company, victim, on_gpu) +
                   of_matrix(gpu.company->same_sm, *gpu.company, victim, on_pool) +
                   beside_other_work(*gpu.company, victim, beside.other_work);
  const auto& alone = certificate.alone.at({d, v});
  const auto longer = [&](Int time) { return time + ceil_mul_div(time, more, billion); };
  const auto at_least = [](Int stated, Int least, const char* what) {
    if (stated < least) throw Refused(std::string(what) + " beside its company is no less than " + to_string(least));
  };
  if (victim.L < longer(alone.L) && counts_by_block_time(*gpu.company, victim, alone)) {
    at_least(victim.L, std::min(longer(alone.L), Exposure(set, certificate, d, v, beside.kernels).least()), "a block");
    at_least(victim.C, victim.L * victim.H, "the work of a block");
  } else {
    at_least(victim.L, longer(alone.L), "a block");
    at_least(victim.C, longer(alone.C), "the work of a block");
  }
  if (alone.time) at_least(*victim.time, std::max(longer(*alone.time), victim.L), "the kernel");
  need(!victim.has_blocks || victim.C <= victim.L * victim.H, "a block does no more work than its threads in its time");
}

void check_inside(const TaskSet& set, const Certificate& certificate, const Statement& statement) {
  const std::size_t d = statement.index(1, set.dags.size());
  const Claim& claim = certificate.claims[d][statement.index(2, set.dags[d].nodes.size())];
  need(claim.by != nullptr && claim.offset.has_value(), "the node has no bound");
  need(claim.rule != "uncertified", "its bound has no certificate");
  const Int F = statement.number(3);
  const Int T = statement.number(4);
  need(*claim.offset + claim.R <= F, "its bound is later");
  need(T <= set.dags[d].T, "two releases may be closer");
  need(F <= T, "it may be unfinished at the next release");
}

void check_stay(const TaskSet& set, const Certificate& certificate, const Statement& statement) {
  const std::size_t d = statement.index(1, set.dags.size());
  const Dag& dag = set.dags[d];
  const Claim& claim = certificate.claims[d][statement.index(2, dag.nodes.size())];
  need(certificate.release != "static" && dag.threads == 0, "a job may begin later than it is released");
  for (const Dag& other : set.dags) need(other.in_flight == 0 && other.history.empty(), "a job may begin later than it is released");
  need(claim.by != nullptr && claim.offset.has_value(), "the node has no bound");
  need(claim.rule != "uncertified", "its bound has no certificate");
  const Int from = statement.number(3);
  const Int until = statement.number(4);
  const bool by_the_clock = certificate.release == "offsets" || certificate.release == "segments";
  need(from <= (by_the_clock ? *claim.offset : Int(0)), "it may start earlier");
  need(*claim.offset + claim.R <= until, "its bound is later");
}

void check_window(const TaskSet& set, const Certificate& certificate, const Statement& statement) {
  const Dag& dag = set.dags[statement.index(1, set.dags.size())];
  need(dag.periodic && dag.phase.has_value(), "no clock releases the DAG");
  check_stay(set, certificate, statement);
}

std::vector<std::string> without_company(const TaskSet& set, const Certificate& certificate) {
  std::vector<std::string> lines;
  for (std::size_t d = 0; d < set.dags.size(); ++d) {
    for (std::size_t v = 0; v < set.dags[d].nodes.size(); ++v) {
      if (set.dags[d].nodes[v].alone && certificate.alone.count({d, v}) == 0)
        lines.push_back("company " + std::to_string(d) + " " + std::to_string(v));
    }
  }
  return lines;
}

}  // namespace checker
