#include "split_node.hpp"

#include <fmt/format.h>

#include <array>

namespace rta::io {
namespace {

constexpr std::array<std::string_view, 10> split_keys{"on",      "prepare", "launch",         "kernels",  "await",
                                                      "between", "finish",  "split_overhead", "priority", "after"};

class Splitter {
 public:
  Splitter(const Fields& node, std::string_view name, const Unit* time_unit)
      : name_(name),
        prepare_(time(node, "prepare", time_unit)),
        launch_(time(node, "launch", time_unit)),
        await_(time(node, "await", time_unit)),
        between_(time(node, "between", time_unit)),
        finish_(time(node, "finish", time_unit)),
        overhead_(time(node, "split_overhead", time_unit).value_or(Time())) {}

  [[nodiscard]] std::vector<SplitPart> parts(const std::vector<const Value*>& kernels) {
    add("prepare", prepare_);
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const std::string number = kernels.size() == 1 ? std::string() : fmt::format("{}", i + 1);
      if (i > 0) add(fmt::format("between{}", i), between_);
      add("launch" + number, launch_);
      parts_.push_back({fmt::format("{}.kernel{}", name_, number), kernels[i], Time()});
      add("await" + number, await_);
    }
    add("finish", finish_);
    return std::move(parts_);
  }

 private:
  static std::optional<Time> time(const Fields& node, std::string_view key, const Unit* unit) {
    const auto found = node.time(key, unit, 0);
    return found ? std::optional(to_time(*found)) : std::nullopt;
  }
  void add(std::string_view what, std::optional<Time> C) {
    if (C) parts_.push_back({fmt::format("{}.{}", name_, what), nullptr, *C + overhead_});
  }

  std::string_view name_;
  std::optional<Time> prepare_, launch_, await_, between_, finish_;
  Time overhead_;
  std::vector<SplitPart> parts_;
};

}  // namespace

std::optional<std::vector<SplitPart>> split(const Fields& node, std::string_view name, const Unit* time_unit) {
  if (const auto unknown = node.allow_only(split_keys); !unknown.empty()) return std::nullopt;
  const Value& list = *node.find("kernels");
  if (list.kind != Value::Kind::sequence || list.first() == list.next()) {
    if (list.kind != Value::Kind::rejected)
      node.error(list,
                 fmt::format("kernels: a list of what the node launches and awaits is expected, e.g. [{{on: gpu, B: 8, H: 256, L: 1 ms}}]"
                             ", not {}",
                             list.kind == Value::Kind::sequence ? "an empty one" : kind_text(list)));
    return std::nullopt;
  }
  std::vector<const Value*> kernels;
  for (const Value* kernel = list.first(); kernel != list.next(); kernel = kernel->next()) kernels.push_back(kernel);
  if (node.has("between") && kernels.size() == 1)
    node.error(*node.find("between"), "between: is what runs from one kernel to the next, and there is one only");
  if (!node.has("prepare") && !node.has("launch") && !node.has("await") && !node.has("finish"))
    node.error(node.mapping(),
               "'prepare' is missing: a node that launches kernels has at least one of prepare, launch, await and finish, which run on "
               "processors");
  return Splitter(node, name, time_unit).parts(kernels);
}

}  // namespace rta::io
