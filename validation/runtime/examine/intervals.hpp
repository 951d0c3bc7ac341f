// When a block ran, from what it saw of the clock: from its start to its end but for the gaps in which something else had its SM.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gpu.hpp"

namespace examine {

/// `gaps` in ascending order, inside `whole`.
inline std::vector<Span> running(const Span& whole, const std::vector<Span>& gaps) {
  std::vector<Span> spans;
  std::int64_t from = whole.start;
  for (const Span& gap : gaps) {
    if (gap.start > from) spans.push_back({from, gap.start});
    from = gap.end;
  }
  if (whole.end > from) spans.push_back({from, whole.end});
  return spans;
}

inline std::int64_t length(const std::vector<Span>& spans) {
  std::int64_t sum = 0;
  for (const Span& span : spans) sum += span.end - span.start;
  return sum;
}

/// How long something of both ran. Each in ascending order, without overlap of its own.
inline std::int64_t overlap(const std::vector<Span>& a, const std::vector<Span>& b) {
  std::int64_t sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    sum += std::max<std::int64_t>(0, std::min(a[i].end, b[j].end) - std::max(a[i].start, b[j].start));
    if (a[i].end < b[j].end) {
      ++i;
    } else {
      ++j;
    }
  }
  return sum;
}

/// The most that run at one instant; one that ends when another starts does not run with it.
inline unsigned most_at_once(const std::vector<Span>& spans) {
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> ends;
  for (const Span& span : spans) {
    starts.push_back(span.start);
    ends.push_back(span.end);
  }
  std::sort(starts.begin(), starts.end());
  std::sort(ends.begin(), ends.end());
  unsigned most = 0;
  std::size_t ended = 0;
  for (std::size_t started = 0; started < starts.size(); ++started) {
    while (ends[ended] <= starts[started]) ++ended;
    most = std::max(most, static_cast<unsigned>(started + 1 - ended));
  }
  return most;
}

/// The middle one, the lower of two; 0 where there is none.
inline std::int64_t median(std::vector<std::int64_t> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

/// The lengths of all but the first and the last: those two may be cut.
inline std::vector<std::int64_t> inner_lengths(const std::vector<Span>& spans) {
  std::vector<std::int64_t> lengths;
  for (std::size_t s = 1; s + 1 < spans.size(); ++s) lengths.push_back(spans[s].end - spans[s].start);
  return lengths;
}

/// From the end of a span of one to the start of the next one of the other, where nothing of either runs in between.
inline std::vector<std::int64_t> passes(const std::vector<Span>& a, const std::vector<Span>& b) {
  std::vector<std::int64_t> lengths;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const bool a_first = a[i].start < b[j].start;
    const Span& first = a_first ? a[i] : b[j];
    const Span& next = a_first ? b[j] : a[i];
    const std::vector<Span>& own = a_first ? a : b;
    const std::size_t after = (a_first ? i : j) + 1;
    const bool is_next = after == own.size() || own[after].start > next.start;
    if (is_next && next.start >= first.end) lengths.push_back(next.start - first.end);
    ++(a_first ? i : j);
  }
  return lengths;
}

inline std::int64_t longest(const std::vector<std::int64_t>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

}  // namespace examine
