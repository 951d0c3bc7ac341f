#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <utility>

#include "dag_reader.hpp"

namespace rta::io {

// Some entries, read as if nothing stood before them.
struct DagReader::Part {
  explicit Part(const DagReader& whole)
      : out(whole.out_.fresh()),
        kernels{whole.kernels_.reading},
        contexts(whole.platform_, out),
        dags(whole.platform_, whole.time_unit_, kernels, contexts, out) {}
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  Diagnostics out;
  KernelTimes kernels;
  Contexts contexts;
  DagReader dags;
};

namespace {

constexpr std::size_t families_at_once = 128;

// Calls `use` with the numbers of blocks of so many families, side by side where there are some.
template <class Use>
void for_blocks(std::size_t families, const Use& use) {
  const std::size_t blocks = (families + families_at_once - 1) / families_at_once;
  if (blocks <= 1) {
    if (blocks == 1) use(std::size_t{0});
    return;
  }
  tbb::parallel_for(std::size_t{0}, blocks, use);
}

}  // namespace

std::vector<Dag> DagReader::take() {
  std::vector<std::vector<Dag>> taken((families_.size() + families_at_once - 1) / families_at_once);
  for_blocks(families_.size(), [&](std::size_t b) {
    for (std::size_t i = b * families_at_once; i < std::min(families_.size(), (b + 1) * families_at_once); ++i)
      take(families_[i], taken[b]);
  });
  if (taken.size() == 1) return std::move(taken.front());
  std::vector<Dag> dags;
  std::size_t count = 0;
  for (const auto& some : taken) count += some.size();
  dags.reserve(count);
  for (auto& some : taken) {
    dags.insert(dags.end(), std::move_iterator(some.begin()), std::move_iterator(some.end()));
    some = {};
  }
  return dags;
}

// A task set that is refused is freed here, as large as it is.
DagReader::~DagReader() {
  for_blocks(families_.size(), [&](std::size_t b) {
    for (std::size_t i = b * families_at_once; i < std::min(families_.size(), (b + 1) * families_at_once); ++i) families_[i] = {};
  });
}

// What is without a fault alone, where nothing failed before, is so behind failures, too: these only leave checks out. Names that are given
// twice and the number of nodes are what parts have in common; a part with a fault of its own or one of these is read again in its turn.
bool DagReader::read_parts(const PartedYaml& yaml, NodeForm form) {
  const auto entries = yaml.parts();
  std::vector<std::unique_ptr<Part>> parts(entries.size());
  std::vector<YamlTexts> texts(entries.size());
  std::atomic<bool> sound = true;
  std::atomic<std::size_t> values = yaml.size();
  std::atomic<std::uint64_t> nodes = 0;
  tbb::parallel_for(std::size_t{0}, entries.size(), [&](std::size_t i) {
    if (!sound) return;
    auto piece = yaml.entries(entries[i]);
    if (!piece || (values += piece->values.size()) >= most_values) {
      sound = false;
      return;
    }
    if (out_.failed() || nodes > most_nodes) return;
    auto part = std::make_unique<Part>(*this);
    part->dags.read(piece->values.front(), form);
    if (part->out.failed()) return;
    nodes += part->dags.node_count_;
    texts[i] = std::move(piece->texts);
    parts[i] = std::move(part);
  });
  if (!sound) return false;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (parts[i] == nullptr || !take_over(*parts[i])) {
      auto piece = yaml.entries(entries[i]);
      if (!piece) return false;
      read(piece->values.front(), form);
      texts[i] = std::move(piece->texts);
    }
    parts[i].reset();
    texts_.push_back(std::move(texts[i]));
  }
  return true;
}

bool DagReader::take_over(Part& part) {
  DagReader& later = part.dags;
  if (node_count_ + later.node_count_ > most_nodes) return false;
  if (std::any_of(later.lines_.begin(), later.lines_.end(), [&](const auto& line) { return lines_.contains(line.first); })) return false;
  node_count_ += later.node_count_;
  lines_.merge(later.lines_);
  if (out_.failed()) return true;
  out_.append_warnings(std::move(part.out));
  kernels_.any_bare = kernels_.any_bare || part.kernels.any_bare;
  contexts_.add(part.contexts);
  for (const auto& [pool, first] : later.priorities_) {
    FirstNodes& here = priorities_[pool];
    if (!here.with) here.with = first.with;
    if (!here.without) here.without = first.without;
  }
  families_.insert(families_.end(), std::move_iterator(later.families_.begin()), std::move_iterator(later.families_.end()));
  return true;
}

}  // namespace rta::io
