#include "picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "command.hpp"
#include "process/memory_limit.hpp"
#include "rta/model/error.hpp"

#ifdef RTA_GRAPHVIZ
#include <graphviz/gvc.h>
#endif

#if defined(RTA_GRAPHVIZ) && defined(__SANITIZE_ADDRESS__)
// Graphviz, and the library of fonts behind it, keep what they have allocated to the end of the program.
extern "C" const char* __lsan_default_suppressions() { return "leak:libgvc\nleak:libfontconfig\n"; }
extern "C" const char* __lsan_default_options() { return "print_suppressions=0"; }
#endif

namespace rta::cli {

#ifdef RTA_GRAPHVIZ

namespace {

struct FreeContext {
  void operator()(GVC_t* context) const { gvFreeContext(context); }
};
struct CloseGraph {
  void operator()(Agraph_t* graph) const { agclose(graph); }
};

// One for all pictures: the plugin that measures text compares the fonts of the next picture with those of the last, which a context frees.
GVC_t& context() {
  static const std::unique_ptr<GVC_t, FreeContext> only(gvContext());
  if (only == nullptr) throw std::runtime_error("Graphviz does not start");
  return *only;
}

// Its own messages would stand between ours.
int silence(char*) { return 0; }

// Graphviz's own layout takes the square of the nodes: seconds of twice as many, minutes of eight times.
constexpr int most_laid_out = 2000;

// Its functions change none of the texts that they take as theirs to change.
void set(void* object, std::string name, std::string value) {
  std::string none;
  agsafeset(object, name.data(), value.data(), none.data());
}

// From left to right by the longest path to a node, clusters below one another: a place for each node, in points.
void place(Agraph_t* graph) {
  constexpr long wide = 220, high = 90, title = 90;
  std::vector<std::pair<Agraph_t*, std::vector<Agnode_t*>>> parts;
  std::unordered_set<Agnode_t*> in_cluster;
  for (Agraph_t* part = agfstsubg(graph); part != nullptr; part = agnxtsubg(part)) {
    parts.push_back({part, {}});
    for (Agnode_t* node = agfstnode(part); node != nullptr; node = agnxtnode(part, node)) {
      if (Agnode_t* const own = agsubnode(graph, node, 0); in_cluster.insert(own).second) parts.back().second.push_back(own);
    }
  }
  parts.push_back({nullptr, {}});
  for (Agnode_t* node = agfstnode(graph); node != nullptr; node = agnxtnode(graph, node)) {
    if (!in_cluster.contains(node)) parts.back().second.push_back(node);
  }
  std::unordered_map<Agnode_t*, std::size_t> ranks;
  long top = 0;
  for (const auto& [part, nodes] : parts) {
    std::vector<int> rows;  // of each rank
    int most = 0;
    for (Agnode_t* const node : nodes) {
      std::size_t rank = 0;
      for (Agedge_t* edge = agfstin(graph, node); edge != nullptr; edge = agnxtin(graph, edge)) {
        if (const auto before = ranks.find(agtail(edge)); before != ranks.end()) rank = std::max(rank, before->second + 1);
      }
      ranks.emplace(node, rank);
      if (rows.size() <= rank) rows.resize(rank + 1);
      set(node, "pos", fmt::format("{},{}", static_cast<long>(rank) * wide, top - title - rows[rank] * high));
      most = std::max(most, ++rows[rank]);
    }
    const long bottom = top - title - static_cast<long>(most) * high;
    if (part != nullptr && !nodes.empty()) {
      set(part, "bb", fmt::format("{},{},{},{}", -wide / 2, bottom, static_cast<long>(rows.size()) * wide - wide / 2, top));
      set(part, "lp", fmt::format("{},{}", wide / 4, top - title / 3));
    }
    if (!nodes.empty()) top = bottom - high / 2;
  }
  set(graph, "splines", "line");
}

}  // namespace

bool has_pictures(const std::string& format) {
  int count = 0;
  char** const names = gvPluginList(&context(), "device", &count, nullptr);
  bool found = false;
  for (int i = 0; i < count; ++i) {
    found = found || format == names[i];
    free(names[i]);  // NOLINT(cppcoreguidelines-no-malloc): as Graphviz's manual asks
  }
  free(static_cast<void*>(names));
  return found;
}

void require_pictures(const std::string& format) {
  if (!has_pictures(format)) throw UsageError(fmt::format("Graphviz cannot draw {} here; .dot is always written", format));
}

std::string picture(const std::string& dot, const std::string& format) {
  // Whoever measures text starts some, and ends the program where it cannot.
  constexpr unsigned threads = 4;
  if (process::threads_that_start(threads) < threads) throw UserError("a picture needs threads, and no more can be started");
  agseterrf(silence);
  const std::unique_ptr<Agraph_t, CloseGraph> graph(agmemread(dot.c_str()));
  if (graph == nullptr) throw std::runtime_error("Graphviz does not read the graph");
  const bool placed = agnnodes(graph.get()) > most_laid_out;
  if (placed) place(graph.get());
  if (gvLayout(&context(), graph.get(), placed ? "nop" : "dot") != 0) throw std::runtime_error("Graphviz finds no layout");
  char* data = nullptr;
  unsigned size = 0;
  const int failed = gvRenderData(&context(), graph.get(), format.c_str(), &data, &size);
  gvFreeLayout(&context(), graph.get());
  if (failed != 0) throw std::runtime_error("Graphviz does not draw the graph");
  std::string result(data, size);
  gvFreeRenderData(data);
  return result;
}

#else

bool has_pictures(const std::string&) { return false; }

void require_pictures(const std::string& format) {
  throw UsageError(
      fmt::format("this program was built without Graphviz (Debian: libgraphviz-dev), so it writes no {}; .dot is always written", format));
}

std::string picture(const std::string&, const std::string&) { throw std::logic_error("no Graphviz"); }

#endif

}  // namespace rta::cli
