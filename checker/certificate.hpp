// A certificate: statements, one a line. docs/certificates.md says what each means.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "groups.hpp"
#include "number.hpp"
#include "task_set.hpp"

namespace checker {

/// Why a statement is not verified.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};
/// Throws `Refused` unless it holds.
inline void need(bool holds, const char* what) {
  if (!holds) throw Refused(what);
}

/// A line, in words.
struct Statement {
  std::size_t line = 0;
  std::string_view text;
  std::vector<std::string_view> words;

  [[nodiscard]] std::string_view word(std::size_t i) const;  // throws `BadInput` where there is none
  [[nodiscard]] Int number(std::size_t i) const;
  [[nodiscard]] std::size_t index(std::size_t i, std::size_t end) const;  // a number from 0 up to `end`
  [[noreturn]] void fail(const std::string& what) const;                  // throws `BadInput`
};

/// Of a node: R after `offset`, the instant after its DAG's release from which it counts.
struct Claim {
  const Statement* by = nullptr;
  std::optional<Int> offset;
  Int R = 0;                // ns; rounded up where the statement has a fraction
  Int parts = 0, unit = 1;  // parts/unit ns, as it is stated
  std::optional<Int> Y;     // relative priority point
  std::string_view rule;
  bool in_turn = false;  // its rule reads GPUs in turn
};

/// The stream priority whose kernels' bounds it is about; none: all kernels of the GPU have one.
using Level = std::optional<Int>;
[[nodiscard]] Level read_level(const Statement& statement, std::size_t word);

/// A block of a kernel of class c weighs threads_c density_c / unit. Classes are the different demands of blocks, in increasing order.
struct Weights {
  const Statement* by = nullptr;
  std::size_t pool = 0;
  Level level;
  Int unit = 1;
  std::vector<Int> density;
};

/// T10v: of `jobs` jobs of another DAG (or segment), released FROM or more before the path's, `strands` lose work each.
struct Share {
  std::size_t dag = 0, segment = 0;
  Int from = 0, jobs = 0, strands = 0;
};
struct GivenStrands {
  const Statement* by = nullptr;
  std::size_t dag = 0, segment = 0;  // whose paths run meanwhile
  std::vector<Share> shares;
};

class Certificate {
 public:
  /// Throws `BadInput` where the text is no certificate of this version. Both arguments must outlive it; `set` becomes what was analysed.
  Certificate(std::string_view text, TaskSet& set);

  std::vector<Statement> statements;
  std::string_view sha256;
  std::string_view release;
  std::vector<std::string_view> assumptions;
  std::map<Int, Weights> weights;
  std::set<std::size_t> in_turn;                  // GPUs that rules may read in turn
  std::map<std::size_t, const Weights*> counted;  // pool -> the weights by which whole DAGs count its work
  std::map<Int, const Statement*> bases;
  std::vector<std::vector<Claim>> claims;                       // DAG, node; `by` is null where there is none
  std::vector<std::vector<std::size_t>> segment;                // DAG, node
  std::vector<std::vector<std::size_t>> lanes;                  // likewise; a node that is in none has its own number
  std::vector<std::vector<std::vector<std::size_t>>> families;  // DAG, family, node -> its chain, from 1 on, or 0
  std::vector<GivenStrands> strands;
  std::vector<std::vector<std::vector<Int>>> windows;  // DAG, node -> T35: the ends of its jobs
  std::vector<std::vector<std::vector<Int>>> reached;  // likewise, T36
  const Statement* order = nullptr;                    // of a static order
  std::vector<const Statement*> shared, jobs;          // likewise
  std::vector<std::optional<Int>> end;                 // DAG
  /// C1: what a kernel takes alone, and with its company.
  struct InCompany {
    Int L = 0, C = 0;
    std::optional<Int> time;
  };
  std::map<std::pair<std::size_t, std::size_t>, InCompany> alone;          // DAG, node -> as the file says, with the assumptions
  std::map<std::pair<std::size_t, std::size_t>, const Statement*> window;  // DAG, node -> when its jobs run after their releases
  std::map<std::pair<std::size_t, std::size_t>, const Statement*> inside;  // DAG, node -> over before the next release, as is stated
  std::map<std::size_t, std::array<Int, 4>> latencies;                     // chain -> MRT, MRRT, MRDA, MDA
  bool grouped = false;
  std::string_view granularity;  // the statement, where groups are nodes
  TaskSet fine;                  // the set before grouping
  std::vector<Awaited> awaited;
  std::vector<Claim> awaited_claims;  // likewise
  std::set<std::size_t> followed;     // T36: GPUs whose kernels are followed in turn, workers whose jobs have several items
  std::map<std::pair<std::size_t, std::size_t>, const Statement*> stay;  // DAG, node -> C2: as `window`, whether a clock releases it or not

 private:
  void read(const Statement& statement, TaskSet& set);
  void read_weights(const Statement& statement, const TaskSet& set);
  void read_bound(const Statement& statement, const TaskSet& set);
  void group(const Statement& statement, TaskSet& set);
  void read_awaited(const Statement& statement);
  void add_suspensions(TaskSet& set) const;
  void read_company(const Statement& statement, TaskSet& set);
  void read_latencies(const Statement& statement, const TaskSet& set);
  void read_strands(const Statement& statement, const TaskSet& set);
  void read_turns(const Statement& statement, const TaskSet& set);
  void read_segments(const Statement& statement, const TaskSet& set);
  void read_lanes(const Statement& statement, const TaskSet& set);
  static void read_ends(const Statement& statement, const TaskSet& set, std::vector<std::vector<std::vector<Int>>>& of_all);
  void read_family(const Statement& statement, const TaskSet& set);

  std::set<std::size_t> has_lanes_;  // DAGs
};

/// When a job of the node has ended after its DAG's release: by the node's bound, or by the ends of all of its jobs; none: nothing is
/// stated.
[[nodiscard]] std::optional<Int> end_of(const Certificate& certificate, std::size_t d, std::size_t v);

/// A node as a task of its pool.
struct Task {
  const Node* node = nullptr;
  Int T = 1;
  const Claim* claim = nullptr;
  Int J = 0;          // it comes up to J after its release
  bool known = true;  // false: C or J rest on a bound that is not there
};

}  // namespace checker
