#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

#include "history_edges.hpp"
#include "requirement_names.hpp"
#include "rta/io/task_set_file.hpp"
#include "rta/io/task_set_pieces.hpp"
#include "rta/model/error.hpp"
#include "shared_gpus.hpp"
#include "stage_index.hpp"
#include "yaml_text.hpp"

namespace rta::io {
namespace {

// All keys of a node after those of its DAG; `with_deadline`: D is not written elsewhere.
void add_node(FlowMapping& out, const Node& node, std::span<const Pool> pools, bool with_deadline) {
  const Sharing* const sharing = sharing_of(pools[node.pool]);
  out.add("on", word(sharing != nullptr ? sharing->gpu : pools[node.pool].name));
  if (sharing != nullptr && !sharing->process.empty()) out.add("process", word(sharing->process));
  switch (static_cast<PoolKind>(node.demand.index())) {
    case PoolKind::cpu: {
      const auto& job = std::get<CpuDemand>(node.demand);
      out.add("C", piece_text(time_text(job.C), node.variation));
      if (job.priority) out.add_number("priority", *job.priority);
      break;
    }
    case PoolKind::gpu:
      add_demand(out, std::get<GpuDemand>(node.demand), std::get<GpuPool>(pools[node.pool].resource), node.name, node.variation);
      break;
    case PoolKind::engines: {
      const auto& copy = std::get<CopyDemand>(node.demand);
      out.add("C", piece_text(time_text(copy.C), node.variation));
      if (copy.direction) out.add("direction", *copy.direction == Direction::h2d ? "h2d" : "d2h");
      break;
    }
    case PoolKind::workers: {
      const auto& items = std::get<WorkerDemand>(node.demand);
      out.add_number("B", items.B).add("L", piece_text(time_text(items.L), node.variation));
      break;
    }
  }
  if (with_deadline && node.deadline) out.add("D", time_text(*node.deadline));
  if (node.sequential) out.add("sequential", "true");
  if (!node.group.empty()) out.add("group", word(node.group));
  if (!node.stream.empty()) out.add("stream", word(node.stream));
}

// `after: {node: a, jobs: 1}`, or a list of several.
void add_after(FlowMapping& out, const Dag& dag, std::span<const HistoryEdge> after) {
  std::string list;
  for (const HistoryEdge& edge : after) {
    FlowMapping one;
    one.add("node", word(dag.nodes()[edge.from].name)).add_number("jobs", edge.jobs);
    list += (list.empty() ? "" : ", ") + one.text();
  }
  if (!after.empty()) out.add("after", after.size() == 1 ? list : "[" + list + "]");
}

// `dags[first]` and the copies of it that follow.
struct Family {
  std::string_view name;  // without index
  std::size_t first = 0;
  std::size_t copies = 1;
};

Family family_at(std::span<const Dag> dags, const RequirementNames& requirements, std::size_t first) {
  const std::string_view name = dags[first].name();
  if (!name.ends_with("[0]")) return {name, first, 1};
  const std::string_view base = name.substr(0, name.size() - 3);
  std::size_t copies = 1;
  while (first + copies < dags.size() && dags[first + copies].name() == fmt::format("{}[{}]", base, copies) &&
         dags[first].same_shape(dags[first + copies]) && requirements.same(first, first + copies)) {
    ++copies;
  }
  return copies == 1 ? Family{name, first, 1} : Family{base, first, copies};
}

bool is_task(const Dag& dag, std::string_view family_name) {
  return dag.nodes().size() == 1 && dag.nodes().front().name == family_name && dag.nodes().front().deadline == dag.deadline() &&
         !dag.attributes().priority && !dag.attributes().threads && !dag.attributes().in_flight && dag.attributes().after.empty();
}

std::string stage_word(const ChainStage& stage, std::span<const Dag> dags, StageIndex& index) {
  std::string name = stage_name(stage, dags);
  if (index.find(name) != stage) throw UserError("the task set cannot be written: stage '" + name + "' could mean another DAG or node");
  return is_plain(name) ? name : double_quoted(name);
}

// `REQ-12`, or `[REQ-12, REQ-13]`.
std::string requirement_text(const RequirementNames::Names& names) {
  if (names.size() == 1) return word(names.front());
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "[" : ", ") + word(name);
  return text + "]";
}

class Writer {
 public:
  using Take = std::function<void(std::string_view)>;

  /// Where `take` is given, it gets the text in pieces.
  explicit Writer(const TaskSet& task_set, const Take* take = nullptr) : set_(task_set), take_(take), requirements_(task_set) {
    for (std::size_t i = 0; i < set_.dags().size(); i += families_.back().copies)
      families_.push_back(family_at(set_.dags(), requirements_, i));
  }

  [[nodiscard]] std::string text() {
    write("platform:\n");
    for (const auto& [pool, parts] : gpus_whole(set_)) write("  ", word(pool.name), ": ", resource_text(pool, parts), "\n");
    // Sections keep their order, so only tasks after the last full DAG may be in the short form.
    std::size_t tasks = families_.size();
    while (tasks > 0 && is_written_as_task(families_[tasks - 1])) --tasks;
    if (tasks > 0) write("dags:\n");
    for (std::size_t i = 0; i < tasks; ++i) write_dag(families_[i]);
    if (tasks < families_.size()) write("tasks:\n");
    for (std::size_t i = tasks; i < families_.size(); ++i) write_task(families_[i]);
    write_chains();
    if (take_ != nullptr) (*take_)(text_);
    return std::move(text_);
  }

 private:
  static constexpr std::size_t piece = 65'536;

  // What is required of a task is required of its DAG.
  [[nodiscard]] bool is_written_as_task(const Family& family) const {
    return is_task(set_.dags()[family.first], family.name) && requirements_.of(family.first, 0).empty();
  }

  static void add_requirement(FlowMapping& out, const RequirementNames::Names& names) {
    if (!names.empty()) out.add("requirement", requirement_text(names));
  }

  template <class... Parts>
  void write(const Parts&... parts) {
    (text_.append(std::string_view(parts)), ...);
    if (take_ == nullptr || text_.size() < piece) return;
    (*take_)(text_);
    text_.clear();
  }

  void write_dag(const Family& family) {
    const Dag& dag = set_.dags()[family.first];
    write("  - name: ", word(family.name), "\n");
    if (family.copies > 1) write("    copies: ", fmt::format_int(family.copies).c_str(), "\n");
    write("    T: ", time_text(dag.nominal_period()), "\n");
    if (dag.attributes().T_max) write("    T_max: ", time_text(*dag.attributes().T_max), "\n");
    if (dag.attributes().jitter > Time::zero()) write("    jitter: ", time_text(dag.attributes().jitter), "\n");
    if (dag.attributes().phase) write("    phase: ", time_text(*dag.attributes().phase), "\n");
    if (dag.attributes().periodic) write("    periodic: true\n");
    if (dag.deadline()) write("    D: ", time_text(*dag.deadline()), "\n");
    if (dag.attributes().threads) write("    threads: ", fmt::format_int(*dag.attributes().threads).c_str(), "\n");
    if (dag.attributes().wait == Wait::spin) write("    wait: spin\n");
    if (dag.attributes().in_flight) write("    in_flight: ", fmt::format_int(*dag.attributes().in_flight).c_str(), "\n");
    if (dag.attributes().priority) write("    priority: ", fmt::format_int(*dag.attributes().priority).c_str(), "\n");
    if (const auto names = requirements_.of(family.first, std::nullopt); !names.empty())
      write("    requirement: ", requirement_text(names), "\n");
    write("    nodes:\n");
    for (NodeId v = 0; v < dag.nodes().size(); ++v) {
      const Node& node = dag.nodes()[v];
      FlowMapping out;
      add_node(out, node, set_.pools(), true);
      add_after(out, dag, awaited_by(dag, v));
      add_requirement(out, requirements_.of(family.first, v));
      write("      ", word(node.name), ": ", out.text(), "\n");
    }
    write_edges(dag);
  }

  // Edges that follow one another in the list and in the DAG form one chain.
  void write_edges(const Dag& dag) {
    if (!dag.edges().empty()) write("    edges:\n");
    for (std::size_t i = 0; i < dag.edges().size();) {
      const bool cut = dag.edges()[i].cut;
      std::string chain = dag.nodes()[dag.edges()[i].from].name;
      bool plain = is_plain(chain);
      for (NodeId at = dag.edges()[i].from; i < dag.edges().size() && dag.edges()[i].from == at && dag.edges()[i].cut == cut; ++i) {
        at = dag.edges()[i].to;
        chain += " -> " + dag.nodes()[at].name;
        plain = plain && is_plain(dag.nodes()[at].name);
      }
      if (!plain) chain = double_quoted(chain);
      if (cut) {
        write("      - {path: ", chain, ", cut: true}\n");
      } else {
        write("      - ", chain, "\n");
      }
    }
  }

  void write_task(const Family& family) {
    const Dag& dag = set_.dags()[family.first];
    FlowMapping out;
    out.add("name", word(family.name));
    if (family.copies > 1) out.add_number("copies", family.copies);
    out.add("T", time_text(dag.nominal_period()));
    if (dag.attributes().T_max) out.add("T_max", time_text(*dag.attributes().T_max));
    if (dag.attributes().jitter > Time::zero()) out.add("jitter", time_text(dag.attributes().jitter));
    if (dag.attributes().phase) out.add("phase", time_text(*dag.attributes().phase));
    if (dag.attributes().periodic) out.add("periodic", "true");
    if (dag.deadline()) out.add("D", time_text(*dag.deadline()));
    add_node(out, dag.nodes().front(), set_.pools(), false);
    add_requirement(out, requirements_.of(family.first, std::nullopt));
    write("  - ", out.text(), "\n");
  }

  void write_chains() {
    if (!set_.chains().empty()) write("chains:\n");
    StageIndex index(set_.dags());
    for (ChainId c = 0; c < set_.chains().size(); ++c) {
      const Chain& chain = set_.chains()[c];
      std::string stages;
      for (const ChainStage& stage : chain.stages) stages += (stages.empty() ? "" : ", ") + stage_word(stage, set_.dags(), index);
      FlowMapping out;
      out.add("name", word(chain.name)).add("stages", "[" + stages + "]");
      if (chain.communication != Communication::registers) out.add("communication", to_string(chain.communication));
      if (chain.reaction) out.add("reaction", time_text(*chain.reaction));
      if (chain.age) out.add("age", time_text(*chain.age));
      add_requirement(out, requirements_.of_chain(c));
      write("  - ", out.text(), "\n");
    }
  }

  const TaskSet& set_;
  const Take* take_;
  RequirementNames requirements_;
  std::vector<Family> families_;
  std::string text_;
};

}  // namespace

std::string format_task_set(const TaskSet& task_set) { return Writer(task_set).text(); }

void write_task_set(const TaskSet& task_set, const std::function<void(std::string_view)>& take) {
  static_cast<void>(Writer(task_set, &take).text());
}

}  // namespace rta::io
