#include "rta/trace/reader.hpp"

#include <algorithm>
#include <array>
#include <istream>
#include <string_view>

#include "io/diagnostics.hpp"
#include "line_fields.hpp"
#include "rta/io/diagnostic.hpp"

namespace rta::trace {
namespace {

Job node_job(const Json& line) { return {text(line, "dag"), text(line, "node"), count<std::uint64_t>(line, "job")}; }

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
  if (auto activity = activity_of(kind, line)) return *std::move(activity);
  throw Fault{"'t': no record is called " + io::quote(kind)};
}

constexpr std::string_view of_work = "process device context stream correlation graph graph_node start_ns end_ns ";

// The fields that records have, besides `t`.
std::string fields_of(std::string_view kind) {
  struct Known {
    std::string_view kind, fields;
    bool work = false;  // those of what ran on a GPU, too
  };
  static constexpr std::array all{
      Known{"dag", "dag job release_ns end_ns "},
      Known{"job", "dag node job release_ns start_ns end_ns "},
      Known{"block", "dag node job block sm start_ns end_ns "},
      Known{"copy", "dag node job engine start_ns end_ns "},
      Known{"run", "dag node job cpu start_ns end_ns consumed_ns "},
      Known{"check", "name outcome text "},
      Known{"end", "complete lost_records valid "},
      Known{"kernel", "name grid block cluster registers static_shared dynamic_shared launch ", true},
      Known{"memcpy", "direction from to bytes async ", true},
      Known{"memset", "to bytes async ", true},
      Known{"call", "api name process thread correlation result start_ns end_ns "},
      Known{"sync", "kind process context stream event record correlation start_ns end_ns "},
      Known{"event", "process context stream event record correlation "},
      Known{"range", "name domain process thread end_thread start_ns end_ns "},
      Known{"mark", "name domain process thread at_ns "},
      Known{"overhead", "kind process thread start_ns end_ns "},
      Known{"stream", "process context stream priority kind "},
      Known{"context", "process context device null_stream "},
      Known{"device",
            "process device name uuid compute_capability sms threads_per_sm threads_per_block blocks_per_sm shared_per_sm shared_per_block "
            "registers_per_sm copy_engines clock_khz "},
      Known{"process", "process parent program "},
  };
  const auto* const at = std::ranges::find(all, kind, &Known::kind);
  if (at == all.end()) return " t ";
  return " t " + std::string(at->fields) + std::string(at->work ? of_work : "");
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

// Lines of one kind are alike: only those that differ from the last one are looked through.
void look_for_unknown(const std::string& kind, const Json& line, std::map<std::string, std::vector<std::string>>& known_lines,
                      Reader::UnknownFields& unknown) {
  constexpr std::size_t most = 1000;
  std::vector<std::string>& last = known_lines[kind];
  const bool alike = line.size() == last.size() && std::equal(line.items().begin(), line.items().end(), last.begin(),
                                                              [](const auto& field, const std::string& key) { return field.key() == key; });
  if (alike) return;
  const std::string known = fields_of(kind);
  bool all = true;
  for (const auto& [key, value] : line.items()) {
    const bool plain = key.find(' ') == std::string::npos;
    if (plain && known.find(' ' + key + ' ') != std::string::npos) continue;
    all = false;
    if (unknown.size() < most || unknown.contains({kind, key})) ++unknown[{kind, key}];
  }
  if (!all) return;
  last.clear();
  last.reserve(line.size());
  for (const auto& [key, value] : line.items()) last.push_back(key);
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
    if (kind != "end") {
      Record one = record(kind, line);
      look_for_unknown(kind, line, known_lines_, unknown_fields_);
      return one;
    }
    ended_ = true;
    look_for_unknown(kind, line, known_lines_, unknown_fields_);
    const Json& complete = member(line, "complete");
    if (!complete.is_boolean()) throw Fault{"'complete' must be true or false"};
    complete_ = complete.get<bool>();
    lost_records_ = count<std::uint64_t>(line, "lost_records");
    if (read_line()) throw Fault{"a line after the end of the trace"};
    return std::nullopt;
  });
}

}  // namespace rta::trace
