// Random task sets from a recipe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rta/generate/fixed_sum.hpp"
#include "rta/generate/recipe.hpp"
#include "rta/generate/total.hpp"
#include "rta/model/task_set.hpp"

namespace rta::generate {

/// A random task set in flat arrays, which are used again from set to set.
struct RandomSet {
  struct Dag {
    Time T;
    std::optional<Time> D;
    std::uint32_t first_node = 0, end_node = 0;  // into nodes
    std::uint32_t first_edge = 0, end_edge = 0;  // into edges
    Time jitter = Time::zero();                  // of releases; below T
    Time phase = Time::zero();                   // of periodic releases
    bool operator==(const Dag&) const = default;
  };
  struct Node {
    Time length;          // C of a CPU node, L of a block of a kernel (whose C is H L)
    std::uint64_t B = 0;  // 0: a CPU node
    std::uint32_t H = 0;
    std::uint32_t registers_per_thread = 0;
    std::uint64_t shared_memory = 0;
    std::uint32_t group = 0;  // the coarse-grained node it belongs to, from 1 within its DAG; 0: none
    bool operator==(const Node&) const = default;
    [[nodiscard]] bool on_gpu() const { return B > 0; }
  };
  std::vector<Dag> dags;
  std::vector<Node> nodes;
  std::vector<Edge> edges;  // of a DAG: from < to, both counted from its first node, sorted by (to, from)

  [[nodiscard]] std::span<const Node> nodes_of(const Dag& dag) const {
    return std::span(nodes).subspan(dag.first_node, dag.end_node - dag.first_node);
  }
  [[nodiscard]] std::span<const Edge> edges_of(const Dag& dag) const {
    return std::span(edges).subspan(dag.first_edge, dag.end_edge - dag.first_edge);
  }
  bool operator==(const RandomSet&) const = default;
};

class LengthDrawer;

/// Draws the sets of one recipe. Holds tables and working memory, so each thread has its own.
class Generator {
 public:
  /// Throws `RecipeError` as `check`.
  explicit Generator(Recipe recipe);
  ~Generator();
  Generator(Generator&&) noexcept;
  Generator& operator=(Generator&&) noexcept;

  [[nodiscard]] const Recipe& recipe() const { return recipe_; }

  /// Replaces `set` by the set of that id, without `split_overhead`: always the same, whatever was drawn before.
  /// Throws `RecipeError` when 1000 attempts, each with all sizes drawn anew, cannot have the total utilization.
  void draw(const SetId& id, RandomSet& set);

 private:
  void draw_structure(const SetId& id, std::uint32_t attempt, RandomSet& set);
  void draw_kernels(const SetId& id, std::uint32_t attempt, RandomSet& set);
  void draw_groups(const SetId& id, std::uint32_t attempt, RandomSet& set);
  void undo_groups(const SetId& id, std::uint32_t attempt, RandomSet& set);

  Recipe recipe_;
  ShapeDrawer shapes_;
  std::unique_ptr<LengthDrawer> lengths_;
};

/// What is one task: a node, a group, or a DAG.
enum class Grain : std::uint8_t { fine, coarse, monolithic };

/// Adds `split_overhead` to each CPU node that is a task of its own: to all, to those without a group, or to none.
void add_split_overhead(const Recipe& recipe, Grain grain, RandomSet& set);

/// What a task set says of its releases.
enum class Clock : std::uint8_t {
  as_drawn,  // they are periodic where the recipe has phases
  unknown    // they are sporadic
};

/// The same set for all analyses and for files: DAGs d0, d1, ..., nodes v0, v1, ... of each.
[[nodiscard]] TaskSet to_task_set(const Recipe& recipe, const RandomSet& set, std::string name, Clock clock = Clock::as_drawn);

}  // namespace rta::generate
