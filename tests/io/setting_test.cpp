#include "rta/io/setting.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "rta/io/task_set_file.hpp"
#include "rta/model/error.hpp"

using namespace rta;

namespace {

std::vector<std::string> values(std::string_view text) {
  std::vector<std::string> all;
  const std::vector<io::Setting> settings = io::read_settings(text);
  all.reserve(settings.size());
  for (const io::Setting& one : settings) all.push_back(one.place + "=" + one.value);
  return all;
}

using Strings = std::vector<std::string>;

constexpr std::string_view two_dags = R"(platform:
  cpu: {processors: 4}
  gpu: {device: h100, sms: 2}
dags:
  - name: camera
    T: 20 ms
    nodes:
      grab: {on: cpu, C: 2 ms}
      detect: {on: gpu, B: 4, H: 128, L: 1 ms}
    edges: [grab -> detect]
tasks:
  - {name: log.file, T: 100 ms, on: cpu, C: 1 ms}
)";

TaskSet with(const std::vector<std::string>& texts) {
  std::vector<io::Setting> settings;
  settings.reserve(texts.size());
  for (const std::string& text : texts) settings.push_back(io::read_settings(text).front());
  return io::parse_task_set(two_dags, "set.yaml", io::BareC::block, settings).task_set;
}

std::string refusal(const std::string& text) {
  try {
    (void)with({text});
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a setting has values, separated by commas or as a range") {
  CHECK(values("gpu.sms=8") == Strings{"gpu.sms=8"});
  CHECK(values("gpu.sms = 8, 16 ,32") == Strings{"gpu.sms=8", "gpu.sms=16", "gpu.sms=32"});
  CHECK(values("m=2..4") == Strings{"m=2", "m=3", "m=4"});
  CHECK(values("T=10..20:5 ms,40 ms") == Strings{"T=10 ms", "T=15 ms", "T=20 ms", "T=40 ms"});
  CHECK(values("T=10ms..12ms:5ms") == Strings{"T=10 ms"});
  CHECK(values("C={max: 3 ms, min: 1 ms},'a,b'") == Strings{"C={max: 3 ms, min: 1 ms}", "C='a,b'"});
  CHECK(values("m=9223372036854775806..9223372036854775807").size() == 2);
}

TEST_CASE("what is no setting is refused") {
  for (const char* const wrong :
       {"gpu.sms", "=8", "gpu.sms=", "a=1,,2", "a=4..2", "a=1..9:0", "a=1 ms..2 us", "a=1..10001", "a=1..99999999999999999999"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS((void)io::read_settings(wrong), UserError);
  }
}

TEST_CASE("settings take the place of a file's values, or come beside them") {
  const TaskSet set = with({"platform.cpu.processors=6", "gpu.sms=8", "camera.T=30 ms", "dags.camera.nodes.grab.C={max: 5 ms, min: 1 ms}",
                            "log.file.T=50 ms", "camera.D=25 ms", "cpu.scheduler=FIFO"});
  CHECK(std::get<CpuPool>(set.pools()[0].resource).processors == 6);
  CHECK(std::get<CpuPool>(set.pools()[0].resource).scheduler == Scheduler::fifo);
  CHECK(std::get<GpuPool>(set.pools()[1].resource).sms == 8);
  CHECK(set.dags()[0].nominal_period() == Time(30'000'000));
  CHECK(set.dags()[0].deadline() == Time(25'000'000));
  CHECK(longest_piece(set.dags()[0].nodes()[0]) == Time(5'000'000));
  CHECK(set.dags()[1].nominal_period() == Time(50'000'000));
}

TEST_CASE("a place that is not there, and a value that is none, are refused where they would stand") {
  CHECK(refusal("camra.T=1 ms").find("there is no 'camra'") != std::string::npos);
  CHECK(refusal("camera.nodes.detct.C=1 ms").find("there is no 'detct'; did you mean 'detect'?") != std::string::npos);
  CHECK(refusal("camera.T.x=1").find("'camera.T' is a plain value, in which nothing has a name") != std::string::npos);
  CHECK(refusal("camera.T=soon").find("set.yaml:6:8: DAG 'camera': ") != std::string::npos);
  CHECK(refusal("camera.nodes.grab.colour=red").find("'colour'") != std::string::npos);
  CHECK(refusal("camera.T={").find("camera.T={") != std::string::npos);
  CHECK(refusal("camera=1").find("set.yaml:5:5: ") != std::string::npos);
}

TEST_CASE("a kernel whose duration was measured keeps its SMs, unless the duration is set, too") {
  constexpr std::string_view text = R"(platform:
  g: {device: orin, partitions: {a: {sms: 12, kind: green}, b: {sms: 4, kind: green}}}
  h: {device: orin}
tasks:
  - {name: t, T: 10 ms, on: g/a, time: 4 ms}
dags:
  - {name: d, T: 10 ms, nodes: {k: {on: h, B: 240, H: 512, L: 600 us, time: 4 ms}}}
)";
  const auto fault = [&](const std::vector<std::string>& texts) {
    std::vector<io::Setting> settings;
    settings.reserve(texts.size());
    for (const std::string& one : texts) settings.push_back(io::read_settings(one).front());
    try {
      (void)io::parse_task_set(text, "set.yaml", io::BareC::block, settings);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(
      fault({"g.partitions.a.sms=4"}) ==
      "g.partitions.a.sms=4: node 't' of 't' has a time that was measured on the 12 SMs of pool 'g/a' in the file, and would run on 4 SMs "
      "of pool 'g/a'; set its time, too, or give B, H and L without time");
  CHECK(fault({"t.on=g/b"}).find("would run on 4 SMs of pool 'g/b'") != std::string::npos);
  CHECK(fault({"h.sms=8"}).find("node 'k' of 'd'") != std::string::npos);
  CHECK(fault({"h.device=thor"}).find("would run on 20 SMs of pool 'h'") != std::string::npos);
  CHECK(fault({"d.nodes.k.time=5 ms", "t.on=g/b"}).find("node 't' of 't'") != std::string::npos);
  CHECK(fault({"t.on=g/b", "t.time=9 ms"}).empty());
  CHECK(fault({"t.on=g/b", "tasks.t.time=4 ms"}).empty());
  CHECK(fault({"h.sms=8", "d.nodes.k.time=9 ms"}).empty());
  CHECK(fault({"t.T=20 ms"}).empty());
}
