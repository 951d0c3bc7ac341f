// Chrome's trace-event JSON, event by event, with all values of an event in one flat list.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json_stream.hpp"
#include "rta/model/quantity.hpp"

namespace rta::convert {

/// A value of JSON that is no list and no object.
struct Scalar {
  enum class Kind : std::uint8_t { null, boolean, integer, number, text };
  Kind kind = Kind::null;
  std::int64_t integer = 0;  // also of a boolean
  std::string text;          // a number as it is written, or a text

  [[nodiscard]] std::string_view as_text() const { return kind == Kind::text ? std::string_view(text) : std::string_view(); }
  /// A whole number, also one that is written as a text ("25772").
  [[nodiscard]] std::optional<std::int64_t> as_integer() const;
  /// A number of `unit` ns each in whole ns: less than one is cut off, or, `up`, counts as one. Nothing when it is none or out of range.
  [[nodiscard]] std::optional<std::int64_t> as_time(std::int64_t unit, bool up = false) const;
};

/// The values of one object; those of an object within it have its key and a point before theirs (`args.stream`), those of a list the
/// same key one after another.
class Record {
 public:
  [[nodiscard]] const Scalar* find(std::string_view key, std::size_t index = 0) const;
  [[nodiscard]] std::string_view text(std::string_view key) const;
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key, std::size_t index = 0) const;
  [[nodiscard]] JsonStream::Place place() const { return place_; }
  void each_key(const std::function<void(std::string_view)>& take) const {
    for (std::size_t i = 0; i < count_; ++i) take(entries_[i].key);
  }

 private:
  friend class TraceSax;
  struct Entry {
    std::string key;
    Scalar value;
  };
  // Entries are used again, so that their texts keep their memory.
  std::vector<Entry> entries_;
  std::size_t count_ = 0;
  JsonStream::Place place_{};
};

/// What is done with the parts of a file; each may be empty.
struct TraceHandlers {
  std::function<void(const Record&)> event;                           // of `traceEvents`
  std::function<void(const std::string& list, const Record&)> other;  // objects in other lists at the top; of a file that is a list, all
  std::function<void(const std::string& key)> key;                    // at the top, as it comes
  std::function<void(const std::string& key, const Scalar&)> top;     // scalars at the top
  std::function<bool()> enough;                                       // true: stop reading
  bool records_alone = false;                                         // refuse what is no object among the records
};

/// Reads the whole file. Throws `io::InputError` with the place where it is no JSON, or nests too deep.
void read_trace_events(JsonStream& in, const TraceHandlers& handlers);

}  // namespace rta::convert
