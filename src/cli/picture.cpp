#include "picture.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "command.hpp"

#ifdef RTA_GRAPHVIZ
#include <graphviz/gvc.h>
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

// Its own messages would stand between ours.
int silence(char*) { return 0; }

}  // namespace

void require_pictures(const std::string& format) {
  const std::unique_ptr<GVC_t, FreeContext> context(gvContext());
  int count = 0;
  char** const names = gvPluginList(context.get(), "device", &count, nullptr);
  bool found = false;
  for (int i = 0; i < count; ++i) {
    found = found || format == names[i];
    free(names[i]);  // NOLINT(cppcoreguidelines-no-malloc): as Graphviz's manual asks
  }
  free(static_cast<void*>(names));
  if (!found) throw UsageError(fmt::format("Graphviz cannot draw {} here; .dot is always written", format));
}

std::string picture(const std::string& dot, const std::string& format) {
  agseterrf(silence);
  const std::unique_ptr<Agraph_t, CloseGraph> graph(agmemread(dot.c_str()));
  const std::unique_ptr<GVC_t, FreeContext> context(gvContext());
  if (graph == nullptr || context == nullptr) throw std::runtime_error("Graphviz does not read the graph");
  if (gvLayout(context.get(), graph.get(), "dot") != 0) throw std::runtime_error("Graphviz finds no layout");
  char* data = nullptr;
  unsigned size = 0;
  const int failed = gvRenderData(context.get(), graph.get(), format.c_str(), &data, &size);
  gvFreeLayout(context.get(), graph.get());
  if (failed != 0) throw std::runtime_error("Graphviz does not draw the graph");
  std::string result(data, size);
  gvFreeRenderData(data);
  return result;
}

#else

void require_pictures(const std::string& format) {
  throw UsageError(
      fmt::format("this program was built without Graphviz (Debian: libgraphviz-dev), so it writes no {}; .dot is always written", format));
}

std::string picture(const std::string&, const std::string&) { throw std::logic_error("no Graphviz"); }

#endif

}  // namespace rta::cli
