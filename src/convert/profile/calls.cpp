#include "calls.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace rta::convert {
namespace {

struct Known {
  std::string_view name;
  CallKind kind;
};

// Yang 2020, tables 3.3 and 3.8: cudaFree and cudaFreeHost wait, though no manual says so; queries never do.
constexpr std::array known_calls{
    Known{"cudaDeviceSynchronize", CallKind::waits_context},
    Known{"cudaThreadSynchronize", CallKind::waits_context},
    Known{"cuCtxSynchronize", CallKind::waits_context},
    Known{"cudaFree", CallKind::waits_context},
    Known{"cudaFreeHost", CallKind::waits_context},
    Known{"cudaFreeArray", CallKind::waits_context},
    Known{"cuMemFree", CallKind::waits_context},
    Known{"cuMemFreeHost", CallKind::waits_context},
    Known{"cudaStreamSynchronize", CallKind::waits_stream},
    Known{"cuStreamSynchronize", CallKind::waits_stream},
    Known{"cudaEventSynchronize", CallKind::waits_event},
    Known{"cuEventSynchronize", CallKind::waits_event},
    Known{"cudaEventRecord", CallKind::record_event},
    Known{"cudaEventRecordWithFlags", CallKind::record_event},
    Known{"cuEventRecord", CallKind::record_event},
    Known{"cuEventRecordWithFlags", CallKind::record_event},
    Known{"cudaStreamWaitEvent", CallKind::stream_waits},
    Known{"cuStreamWaitEvent", CallKind::stream_waits},
};

// `_v3020`, `_v2` or `_ptsz` at the end.
std::string_view without_version(std::string_view name) {
  for (;;) {
    const std::size_t at = name.rfind('_');
    if (at == std::string_view::npos || at == 0) return name;
    const std::string_view suffix = name.substr(at + 1);
    const bool version =
        suffix.size() > 1 && suffix.front() == 'v' && std::ranges::all_of(suffix.substr(1), [](char c) { return c >= '0' && c <= '9'; });
    if (!version && suffix != "ptsz" && suffix != "ptds") return name;
    name = name.substr(0, at);
  }
}

}  // namespace

CallKind kind_of_call(std::string_view full_name) {
  std::string name(without_version(full_name));
  if (name.starts_with("hip")) name.replace(0, 3, "cuda");  // AMD's interface has CUDA's calls
  const auto* const at = std::ranges::find(known_calls, name, &Known::name);
  if (at != known_calls.end()) return at->kind;
  const bool copy = name.starts_with("cudaMemcpy") || name.starts_with("cuMemcpy");
  return copy && name.find("Async") == std::string_view::npos && name.find("Batch") == std::string_view::npos ? CallKind::copies
                                                                                                              : CallKind::other;
}

}  // namespace rta::convert
