#include "convert/json_stream.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "convert/trace_events.hpp"
#include "rta/io/task_set_file.hpp"

using namespace rta;

namespace {

std::string mended(const std::string& text, std::uint64_t* count = nullptr) {
  convert::Bytes bytes(text, "x.json");
  convert::JsonStream in(bytes);
  std::string out;
  for (int c = in.sbumpc(); c != std::char_traits<char>::eof(); c = in.sbumpc()) out += static_cast<char>(c);
  if (count != nullptr) *count = in.mended();
  return out;
}

std::string fault(const std::string& text) {
  convert::Bytes bytes(text, "x.json");
  convert::JsonStream in(bytes);
  try {
    convert::read_trace_events(in, {});
  } catch (const io::InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("Backslashes that begin no escape are doubled, and control characters in texts become spaces") {
  std::uint64_t count = 0;
  CHECK(mended(R"({"a": "C:\Users\me", "b": "x\ny\"z\\"})", &count) == R"({"a": "C:\\Users\\me", "b": "x\ny\"z\\"})");
  CHECK(count == 2);
  CHECK(mended(R"({"a": "\u00e9 \uzz \u12"})") == R"({"a": "\u00e9 \\uzz \\u12"})");
  CHECK(mended("{\"a\": \"tab\there\"}") == "{\"a\": \"tab here\"}");
  CHECK(mended("{\n\t\"a\": 1}", &count) == "{\n\t\"a\": 1}");
  CHECK(count == 0);
}

TEST_CASE("What is no JSON is refused with line and column") {
  CHECK(fault("{\n  \"a\": [1, }\n}").find("x.json:2:12: not JSON: syntax error") == 0);
  CHECK(fault("{\"a\": 1").find("x.json:1:") == 0);
  CHECK(fault("{\"a\": \"\\").find("x.json:1:") == 0);
  CHECK(fault("{\"a\": 1e999}").find("not JSON") != std::string::npos);
  CHECK(fault("{\"a\": " + std::string(100, '[')).find("nest more than 64 deep") != std::string::npos);
  CHECK(fault("{\"a\": \"" + std::string(2U << 20U, 'x') + "\"}").find("longer than a megabyte") != std::string::npos);
  CHECK(fault("{\"a\": " + std::string(2U << 20U, '1') + "}").find("longer than a megabyte") != std::string::npos);
  CHECK(fault("{}") == "");
}

TEST_CASE("Events are flat: values of args have its name before theirs, lists their elements one after another") {
  const std::string text = R"({"schemaVersion": 1, "deviceProperties": [{"id": 3}], "traceEvents": [
    {"ph": "X", "tid": "25772", "ts": 2413669096090.1, "args": {"grid": [8, 16, 5], "deep": {"no": 1}, "flag": true, "none": null}},
    {"ts": -5}], "skipped": {"a": [{"b": 1}]}})";
  convert::Bytes bytes(text, "x");
  convert::JsonStream in(bytes);
  std::vector<std::string> seen;
  convert::TraceHandlers handlers;
  handlers.top = [&](const std::string& key, const convert::Scalar& value) { seen.push_back(key + "=" + std::to_string(value.integer)); };
  handlers.other = [&](const std::string& list, const convert::Record& record) {
    seen.push_back(list + " " + std::to_string(*record.integer("id")));
  };
  int events = 0;
  handlers.event = [&](const convert::Record& event) {
    if (++events == 2) {
      CHECK(event.find("ts")->as_time(1000) == -5000);
      CHECK(event.find("ph") == nullptr);
      CHECK(event.place().line == 3);
      CHECK(event.place().column == 5);
      return;
    }
    CHECK(event.text("ph") == "X");
    CHECK(event.integer("tid") == 25772);
    CHECK(event.find("ts")->as_time(1000) == 2413669096090100);
    CHECK(event.integer("args.grid", 1) == 16);
    CHECK_FALSE(event.integer("args.grid", 3));
    CHECK(event.find("args.no") == nullptr);
    CHECK(event.find("args.flag")->integer == 1);
    CHECK_FALSE(event.integer("args.none"));
  };
  convert::read_trace_events(in, handlers);
  CHECK(events == 2);
  CHECK(seen == std::vector<std::string>{"schemaVersion=1", "deviceProperties 3"});
}

TEST_CASE("Times are exact, and out of range they are none") {
  const auto time = [](const std::string& text, convert::Scalar::Kind kind) {
    return convert::Scalar{kind, kind == convert::Scalar::Kind::integer ? std::stoll(text) : 0, text}.as_time(1000);
  };
  using enum convert::Scalar::Kind;
  CHECK(time("1.76", number) == 1760);
  CHECK(time("0.0009", number) == 0);  // less than a ns is cut off
  CHECK(time("1.5e3", number) == 1'500'000);
  CHECK(time("-1.001", number) == -1001);
  CHECK_FALSE(time("9223372036854775", integer));
  CHECK_FALSE(time("1e300", number));
  CHECK_FALSE(time("12", text));
}
