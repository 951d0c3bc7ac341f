#include "picture.hpp"

#include <fmt/format.h>

#include <memory>
#include <stdexcept>

#include "command.hpp"

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
  agseterrf(silence);
  const std::unique_ptr<Agraph_t, CloseGraph> graph(agmemread(dot.c_str()));
  if (graph == nullptr) throw std::runtime_error("Graphviz does not read the graph");
  if (gvLayout(&context(), graph.get(), "dot") != 0) throw std::runtime_error("Graphviz finds no layout");
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
