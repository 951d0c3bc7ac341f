#include "rta/trace/reader.hpp"

#include <algorithm>
#include <istream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "rta/io/diagnostic.hpp"

namespace rta::trace {
namespace {

using Json = nlohmann::ordered_json;

// What is wrong with a line.
struct Fault {
  std::string message;
};

const Json& member(const Json& line, const char* key) {
  const auto at = line.find(key);
  if (at == line.end()) throw Fault{std::string("'") + key + "' is missing"};
  return *at;
}
std::string text(const Json& line, const char* key) {
  const Json& value = member(line, key);
  if (!value.is_string()) throw Fault{std::string("'") + key + "' must be a string"};
  return value.get<std::string>();
}
std::optional<std::string> text_if_any(const Json& line, const char* key) {
  const auto at = line.find(key);
  if (at == line.end() || at->is_null()) return std::nullopt;
  return text(line, key);
}
template <class T>
T count(const Json& line, const char* key) {
  const Json& value = member(line, key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<T>::max())) {
    throw Fault{std::string("'") + key + "' must be a whole number from 0 to " + std::to_string(std::numeric_limits<T>::max())};
  }
  return value.get<T>();
}
// Instants before the start of the run are possible: clocks of a measurement are aligned with an error.
Time instant(const Json& line, const char* key) {
  const Json& value = member(line, key);
  const bool fits = value.is_number_integer() &&
                    (!value.is_number_unsigned() || value.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
  if (!fits) throw Fault{std::string("'") + key + "' must be a whole number of ns"};
  return Time(value.get<std::int64_t>());
}
void in_order(Time earlier, Time later, const char* what) {
  if (later < earlier) throw Fault{what};
}

Job node_job(const Json& line) { return {text(line, "dag"), text(line, "node"), count<std::uint64_t>(line, "job")}; }

template <class R>
R with_interval(R record, const Json& line) {
  record.start = instant(line, "start_ns");
  record.end = instant(line, "end_ns");
  in_order(record.start, record.end, "'end_ns' is before 'start_ns'");
  return record;
}

// Keys of the header that have a member of their own.
bool is_known(std::string_view key) {
  constexpr std::string_view known[] = {"schema",  "kind",   "source", "task_set",       "task_set_sha256",
                                        "release", "device", "driver", "clock_error_ns", "started"};
  return std::ranges::find(known, key) != std::end(known);
}

Record record(const std::string& kind, const Json& line) {
  if (kind == "dag") {
    DagRecord r{{text(line, "dag"), "", count<std::uint64_t>(line, "job")}, instant(line, "release_ns"), instant(line, "end_ns")};
    in_order(r.release, r.end, "'end_ns' is before 'release_ns'");
    return r;
  }
  if (kind == "job") return with_interval(JobRecord{node_job(line), instant(line, "release_ns"), {}, {}}, line);
  if (kind == "block") {
    return with_interval(BlockRecord{node_job(line), count<std::uint64_t>(line, "block"), count<std::uint32_t>(line, "sm"), {}, {}}, line);
  }
  if (kind == "copy") return with_interval(CopyRecord{node_job(line), count<std::uint32_t>(line, "engine"), {}, {}}, line);
  if (kind == "run") {
    RunRecord r{node_job(line), count<std::uint32_t>(line, "cpu"), {}, {}, {}};
    if (line.contains("consumed_ns")) r.consumed = Time(count<std::int64_t>(line, "consumed_ns"));
    return with_interval(r, line);
  }
  if (kind == "check") return CheckRecord{text(line, "name"), text(line, "outcome"), text(line, "text")};
  throw Fault{"'t': no record is called '" + kind + "'"};
}

Json parsed(const std::string& line) {
  Json value = Json::parse(line, nullptr, false);
  if (value.is_discarded() || !value.is_object()) throw Fault{"not a JSON object"};
  return value;
}

}  // namespace

void Reader::fail(const std::string& message) const { throw io::InputError({{name_, line_number_, 1, message}}); }

template <class Use>
auto Reader::checked(Use&& use) const {
  try {
    return use();
  } catch (const Fault& fault) {
    fail(fault.message);
  }
}

// The next line that is not empty.
bool Reader::read_line() {
  while (std::getline(in_, line_)) {
    ++line_number_;
    cut_off_ = in_.eof();
    if (!line_.empty() && line_.back() == '\r') line_.pop_back();
    if (!line_.empty()) return true;
  }
  return false;
}

Reader::Reader(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {
  if (!read_line()) {
    line_number_ = 1;
    fail("empty file: a trace begins with a header");
  }
  header_ = checked([&] {
    const Json line = parsed(line_);
    if (text(line, "kind") != "trace") throw Fault{"'kind' must be \"trace\""};
    if (count<std::uint32_t>(line, "schema") != schema) throw Fault{"'schema': only 1 is known"};
    Header h;
    h.source = text(line, "source");
    h.task_set = text(line, "task_set");
    h.task_set_sha256 = text_if_any(line, "task_set_sha256");
    h.release = text_if_any(line, "release");
    h.device = text_if_any(line, "device");
    h.driver = text_if_any(line, "driver");
    if (line.contains("clock_error_ns")) h.clock_error = instant(line, "clock_error_ns");
    h.started = text_if_any(line, "started");
    for (const auto& [key, value] : line.items()) {
      if (!is_known(key)) h.details.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
    }
    return h;
  });
}

std::optional<Record> Reader::next() {
  if (ended_ || !read_line()) return std::nullopt;
  return checked([&]() -> std::optional<Record> {
    // A writer that was killed leaves half a line.
    if (cut_off_ && Json::parse(line_, nullptr, false).is_discarded()) {
      ended_ = true;
      return std::nullopt;
    }
    const Json line = parsed(line_);
    const std::string kind = text(line, "t");
    if (kind != "end") return record(kind, line);
    ended_ = true;
    const Json& complete = member(line, "complete");
    if (!complete.is_boolean()) throw Fault{"'complete' must be true or false"};
    complete_ = complete.get<bool>();
    lost_records_ = count<std::uint64_t>(line, "lost_records");
    if (read_line()) throw Fault{"a line after the end of the trace"};
    return std::nullopt;
  });
}

}  // namespace rta::trace
