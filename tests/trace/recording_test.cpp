// The recordings of several processes become one trace.
#include "rta/trace/recording.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "rta/io/diagnostic.hpp"
#include "rta/trace/reader.hpp"
#include "support/folder.hpp"

using namespace rta;
using namespace rta::trace;

namespace {

const std::string header = "{\"schema\": 1, \"kind\": \"trace\", \"source\": \"recording\", \"task_set\": \"\"}\n";
const std::string end = "{\"t\": \"end\", \"complete\": true, \"lost_records\": 2}\n";

std::string memset_line(std::uint32_t process, std::int64_t start, std::int64_t end_time) {
  MemsetActivity a;
  a.origin.process = process;
  a.start = Time(start);
  a.end = Time(end_time);
  return line_of(a) + "\n";
}

std::filesystem::path written(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << text;
  return path;
}

}  // namespace

TEST_CASE("parts are counted and put together with their checks, losses and one end") {
  const test::TemporaryFolder folder;
  DeviceActivity device;
  device.limits.product = "NVIDIA X";
  const std::string check = "{\"t\": \"check\", \"name\": \"ranges\", \"outcome\": \"warning\", \"text\": \"one is open\"}\n";
  const std::vector<std::filesystem::path> parts{
      written(folder.path / "1.jsonl",
              header + line_of(ProcessActivity{1, 0, "/a"}) + "\n" + line_of(device) + "\n" + memset_line(1, 5, 9) + check + end),
      written(folder.path / "2.jsonl",
              header + line_of(ProcessActivity{2, 1, "/b"}) + "\n" + line_of(device) + "\n" + memset_line(2, 3, 4) + end)};
  const RecordingSummary summary = summary_of(parts);
  CHECK(summary.processes == 2);
  CHECK(summary.memsets == 2);
  CHECK(summary.devices == std::vector<std::string>{"NVIDIA X"});
  CHECK(summary.faults == std::vector<std::string>{"one is open"});
  CHECK(summary.lost_records == 4);
  CHECK(summary.first == Time(3));
  CHECK(summary.last == Time(9));

  std::stringstream out;
  write_recording(parts, summary, {.program = {"./a", "\xFF"}, .plain_run = Time(100), .recorded_run = Time(110)}, out);
  Reader reader(out, "t");
  CHECK(reader.header().source == "recording");
  CHECK(reader.header().device == "NVIDIA X");
  std::size_t records = 0;
  std::size_t checks = 0;
  while (const auto record = reader.next()) {
    ++records;
    if (const auto* found = std::get_if<CheckRecord>(&*record)) checks += found->text == "one is open" ? 1 : 0;
  }
  CHECK(records == 7);
  CHECK(checks == 1);
  CHECK(reader.complete());
  CHECK(reader.lost_records() == 4);
}

TEST_CASE("a part that was cut off makes the whole incomplete; one that is damaged is refused") {
  const test::TemporaryFolder folder;
  const std::vector<std::filesystem::path> cut{written(folder.path / "1.jsonl", header + memset_line(1, 5, 9) + R"({"t": "memset", "to")"),
                                               written(folder.path / "2.jsonl", header + end), written(folder.path / "4.jsonl", "")};
  const RecordingSummary summary = summary_of(cut);
  CHECK_FALSE(summary.complete);
  CHECK(summary.memsets == 1);
  std::stringstream out;
  write_recording(cut, summary, {}, out);
  Reader reader(out, "t");
  while (reader.next()) {
  }
  CHECK_FALSE(reader.complete());

  const std::vector<std::filesystem::path> damaged{written(folder.path / "3.jsonl", header + "{\"t\": \"memset\"}\n" + end)};
  CHECK_THROWS_AS((void)summary_of(damaged), io::InputError);
  CHECK_THROWS_AS((void)summary_of(std::vector<std::filesystem::path>{folder.path / "none"}), io::InputError);
}
