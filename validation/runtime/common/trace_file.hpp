// The trace as JSON Lines (schema 1): one header, one line per record, one end line.
#pragma once

#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "record.hpp"

namespace common {

inline std::string json_string(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      out += code;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// Fields of the header beyond the first: values are JSON already.
using HeaderFields = std::vector<std::pair<std::string, std::string>>;

/// What records refer to by number.
struct DagNames {
  std::string dag;
  std::vector<std::string> nodes;
};

class TraceFile {
 public:
  /// Times are written relative to the origin.
  TraceFile(const std::vector<DagNames>& names, std::FILE* file) : file_(file) {
    for (const DagNames& names_of_dag : names) {
      const std::string dag = json_string(names_of_dag.dag);
      dag_.push_back("\"dag\": " + dag);
      node_.emplace_back();
      for (const std::string& node : names_of_dag.nodes) node_.back().push_back("\"dag\": " + dag + ", \"node\": " + json_string(node));
    }
  }
  void set_origin(std::int64_t origin) { origin_ = origin; }

  void header(const std::string& task_set, const HeaderFields& fields) {
    std::string line = "{\"schema\": 1, \"kind\": \"trace\", \"source\": \"measurement\", \"task_set\": " + json_string(task_set);
    for (const auto& field : fields) line += ", " + json_string(field.first) + ": " + field.second;
    put(line + "}\n");
  }

  void record(const Record& r) {
    const auto at = [&](std::int64_t t) { return static_cast<long long>(t - origin_); };
    const auto number = static_cast<long long>(r.number);
    switch (r.kind) {
      case RecordKind::dag:
        print("{\"t\": \"dag\", %s, \"job\": %lld, \"release_ns\": %lld, \"end_ns\": %lld}\n", dag_[r.dag].c_str(), number, at(r.release),
              at(r.end));
        break;
      case RecordKind::job:
        print("{\"t\": \"job\", %s, \"job\": %lld, \"release_ns\": %lld, \"start_ns\": %lld, \"end_ns\": %lld}\n", name(r), number,
              at(r.release), at(r.start), at(r.end));
        break;
      case RecordKind::block:
        print("{\"t\": \"block\", %s, \"job\": %lld, \"block\": %u, \"sm\": %u, \"start_ns\": %lld, \"end_ns\": %lld}\n", name(r), number,
              r.block, static_cast<unsigned>(r.place), at(r.start), at(r.end));
        break;
      case RecordKind::copy:
        print("{\"t\": \"copy\", %s, \"job\": %lld, \"engine\": %u, \"start_ns\": %lld, \"end_ns\": %lld}\n", name(r), number,
              static_cast<unsigned>(r.place), at(r.start), at(r.end));
        break;
      case RecordKind::run:
        print("{\"t\": \"run\", %s, \"job\": %lld, \"cpu\": %u, \"start_ns\": %lld, \"end_ns\": %lld, \"consumed_ns\": %lld}\n", name(r),
              number, static_cast<unsigned>(r.place), at(r.start), at(r.end), static_cast<long long>(r.consumed));
        break;
    }
  }

  /// What the run says of itself; `outcome` is ok, warning or failed.
  void check(const std::string& name, const std::string& outcome, const std::string& text) {
    put("{\"t\": \"check\", \"name\": " + json_string(name) + ", \"outcome\": " + json_string(outcome) +
        ", \"text\": " + json_string(text) + "}\n");
  }

  void end(bool complete, std::uint64_t lost, bool valid) {
    print("{\"t\": \"end\", \"complete\": %s, \"lost_records\": %" PRIu64 ", \"valid\": %s}\n", complete ? "true" : "false", lost,
          valid ? "true" : "false");
  }

  void raw(const std::string& line) { put(line); }

  /// Empty, or why some line could not be written.
  [[nodiscard]] const std::string& error() const { return error_; }
  void flush() {
    if (std::fflush(file_) != 0) fail();
  }

 private:
  template <class... Values>
  void print(const char* format, Values... values) {
    if (std::fprintf(file_, format, values...) < 0) fail();
  }
  void put(const std::string& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail();
  }
  void fail() {
    if (error_.empty()) error_ = std::strerror(errno);
  }
  [[nodiscard]] const char* name(const Record& r) const { return node_[r.dag][r.node].c_str(); }

  std::FILE* file_;
  std::int64_t origin_ = 0;
  std::string error_;
  std::vector<std::string> dag_;
  std::vector<std::vector<std::string>> node_;
};

}  // namespace common
