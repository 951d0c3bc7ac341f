// What a device profile, options and a recorded trace make of the table of rules.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <sstream>
#include <string>
#include <vector>

#include "rta/io/diagnostic.hpp"
#include "rta/lint/lint.hpp"
#include "rta/model/error.hpp"
#include "rta/trace/activity.hpp"

using namespace rta;
using namespace rta::lint;

namespace {

Report lint_text(const std::string& text, const Options& options = {}) {
  return lint_sources(std::vector<SourceText>{{"t.cu", text}}, options);
}

/// `free error, launch note`: rules with their levels, in the order of the findings.
std::string rules_of(const Report& report) {
  std::string all;
  for (const Finding& finding : report.findings) {
    all += fmt::format("{}{} {}", all.empty() ? "" : ", ", rule(finding.rule).name, to_string(finding.level));
    if (finding.allowed) all += " allowed";
  }
  return all;
}

MeasuredCall measured(std::string name, Answer blocks_others, Answer synchronises, Answer caller_waits) {
  return {
      .name = std::move(name), .blocks_others = blocks_others, .synchronises = synchronises, .caller_waits = caller_waits, .samples = 40};
}

DeviceProfile profile_with(std::vector<MeasuredCall> calls) {
  DeviceProfile profile;
  profile.limits.product = "NVIDIA X";
  profile.calls = std::move(calls);
  return profile;
}

const std::string free_in_job = "// rta: job\nvoid f(void* p) { cudaFree(p); }\n";

using namespace rta::trace;

std::string trace_of(const std::vector<Activity>& activities) {
  std::string text = "{\"schema\": 1, \"kind\": \"trace\", \"source\": \"recording\", \"task_set\": \"\"}\n";
  for (const Activity& activity : activities) text += line_of(activity) + "\n";
  return text + "{\"t\": \"end\", \"complete\": true, \"lost_records\": 0}\n";
}

Report judged(const std::vector<Activity>& activities, const Options& options = {}) {
  std::istringstream in(trace_of(activities));
  return lint_trace(in, "t.jsonl", options);
}

CallActivity call(const std::string& name, std::uint32_t correlation, std::int64_t start, std::int64_t end) {
  return {.name = name, .process = 1, .thread = 2, .correlation = correlation, .start = Time(start), .end = Time(end)};
}
RangeActivity range(const std::string& name, std::int64_t start, std::int64_t end) {
  return {.name = name, .domain = "", .process = 1, .thread = 2, .end_thread = 2, .start = Time(start), .end = Time(end)};
}
KernelActivity kernel(std::uint32_t stream, std::uint32_t correlation) {
  return {.name = "_Z1kPi",
          .origin = {.process = 1, .context = 1, .stream = stream, .correlation = correlation, .graph = {}, .graph_node = {}},
          .start = Time(20),
          .end = Time(40),
          .grid = {1, 1, 1},
          .block = {32, 1, 1}};
}

}  // namespace

TEST_CASE("a device profile that saw a call do no harm acquits it, and one that saw harm says so") {
  CHECK(rules_of(lint_text(free_in_job)) == "free error");
  const DeviceProfile harmless = profile_with({measured("cudaFree", Answer::no, Answer::no, Answer::no)});
  Options options;
  options.profile = &harmless;
  const Report acquitted = lint_text(free_in_job, options);
  CHECK(rules_of(acquitted).empty());
  CHECK(acquitted.acquitted == 1);

  const DeviceProfile harmful = profile_with(
      {measured("cudaFree", Answer::no, Answer::yes, Answer::no), measured("cudaFuncGetAttributes", Answer::yes, Answer::no, Answer::no)});
  options.profile = &harmful;
  const Report report = lint_text(free_in_job, options);
  REQUIRE(rules_of(report) == "free error");
  CHECK(report.findings[0].message == "cudaFree frees memory: it keeps kernels of other streams from starting (measured on NVIDIA X)");
  // A call that no rule is about is told of because it was seen to hold others up.
  CHECK(rules_of(lint_text("void f() { cudaFuncGetAttributes(&a, k); }")).empty());
  CHECK(rules_of(lint_text("void f() { cudaFuncGetAttributes(&a, k); }", options)) == "measured-blocking error");
}

TEST_CASE("where the profile is unclear, what was an error becomes a warning") {
  const DeviceProfile unclear = profile_with({measured("cudaFree", Answer::unclear, Answer::no, Answer::no)});
  Options options;
  options.profile = &unclear;
  CHECK(rules_of(lint_text(free_in_job, options)) == "free warning");
}

TEST_CASE("options name jobs, start-up and what unmarked code is") {
  const std::string text = "void frame(void* p) { cudaFree(p); }\nvoid begin(void* p) { cudaFree(p); }\n";
  CHECK(rules_of(lint_text(text)) == "free error, free error");
  Options options;
  options.jobs = {"frame"};
  CHECK(rules_of(lint_text(text, options)) == "free error");
  options.jobs.clear();
  options.start_ups = {"begin"};
  CHECK(rules_of(lint_text(text, options)) == "free error");
  options.unmarked = Unmarked::other;
  CHECK(rules_of(lint_text(text, options)).empty());
  options.jobs = {"none"};
  CHECK_THROWS_WITH_AS((void)lint_text(text, options), "--job 'none': no file defines such a function", UserError);
}

TEST_CASE("chains name every call from the job down to the one that breaks the rule") {
  const Report report =
      lint_text("void c(void* p) { cudaFree(p); }\nvoid b(void* p) { c(p); }\n// rta: job camera\nvoid a(void* p) {\n  b(p);\n}\n");
  REQUIRE(rules_of(report) == "free error");
  const Finding& finding = report.findings[0];
  CHECK(finding.place == Place{"t.cu", 5, 3});
  CHECK(finding.job == "camera");
  std::string chain;
  for (const Step& step : finding.chain) chain += fmt::format("{}:{} ", step.place.line, step.place.column);
  CHECK(chain == "5:3 2:19 1:19 ");
}

TEST_CASE("a trace is judged by what happened within its job ranges") {
  const std::vector<Activity> activities{
      ContextActivity{1, 1, 0, 7},
      StreamActivity{1, 1, 13, 0, StreamKind::non_blocking},
      call("cudaFree", 1, 0, 5),  // before the job
      range("rta: job camera #0", 10, 100),
      call("cudaFree_v3020", 2, 11, 15),
      call("cudaLaunchKernel", 3, 16, 18),
      kernel(7, 3),  // on the NULL stream
      call("cudaLaunchKernel", 4, 19, 20),
      kernel(13, 4),
  };
  const Report report = judged(activities);
  CHECK(rules_of(report) == "free error, null-stream error, launch note");
  for (const Finding& finding : report.findings) CHECK(finding.job == "camera");
  CHECK(report.findings[0].place == Place{"t.jsonl", 6, 1});
  CHECK(report.findings[1].message.starts_with("k(int*) ran on the NULL stream"));
  CHECK(report.findings[2].message == "a job launches k(int*): 2 times, at most 0.020 us");
  CHECK(report.jobs_marked);
}

TEST_CASE("in a trace a kernel that begins before the one ahead in its stream has ended is a dependent launch") {
  const auto of_two = [](std::int64_t start, std::uint32_t stream, std::optional<std::uint32_t> graph) {
    KernelActivity first = kernel(7, 1), second = kernel(stream, 2);
    first.start = Time(100);
    first.end = Time(200);
    second.start = Time(start);
    second.end = Time(start + 100);
    first.origin.graph = second.origin.graph = graph;
    return rules_of(
        judged({ContextActivity{1, 1, 0, 0}, call("cuLaunchKernelEx", 1, 0, 5), first, call("cuLaunchKernelEx", 2, 6, 9), second}));
  };
  CHECK(of_two(199, 7, std::nullopt) == "launch note, dependent-launch error");
  CHECK(of_two(200, 7, std::nullopt) == "launch note");
  CHECK(of_two(199, 13, std::nullopt) == "launch note");
  CHECK(of_two(199, 7, 3) == "launch note");
}

TEST_CASE("memory from a pool is a warning that says what to set") {
  const Report report = lint_text("// rta: job\nvoid f(void** p, cudaStream_t s) { cudaMallocAsync(p, 1, s); cudaFreeAsync(*p, s); }\n");
  REQUIRE(rules_of(report) == "allocation warning, allocation warning");
  for (const Finding& finding : report.findings) {
    CAPTURE(finding.message);
    CHECK(finding.message.find("(unless cudaMemPoolReuseAllowInternalDependencies is 0)") != std::string::npos);
  }
  CHECK(report.findings[0].message.find("fill it first, with a release threshold") != std::string::npos);
}

TEST_CASE("in a trace without marks all is judged, and a profile acquits there, too") {
  const std::vector<Activity> activities{call("cudaFree", 1, 0, 2'000'000), call("cudaFree", 2, 2'000'000, 5'000'000)};
  const Report report = judged(activities);
  REQUIRE(rules_of(report) == "free error");
  CHECK(report.findings[0].message.ends_with(": 2 times, at most 3.000 ms"));
  CHECK(report.findings[0].place.line == 3);  // the longest
  const DeviceProfile harmless = profile_with({measured("cudaFree", Answer::no, Answer::no, Answer::no)});
  Options options;
  options.profile = &harmless;
  CHECK(rules_of(judged(activities, options)).empty());
  options.profile = nullptr;
  options.unmarked = Unmarked::other;
  CHECK(rules_of(judged(activities, options)).empty());
}

TEST_CASE("in a trace pageable copies, blocking streams and polling show themselves") {
  TransferActivity copy{.direction = CopyDirection::h2d,
                        .from = MemoryKind::pageable,
                        .to = MemoryKind::device,
                        .bytes = 64,
                        .async = true,
                        .origin = {.process = 1, .context = 1, .stream = 13, .correlation = 1, .graph = {}, .graph_node = {}},
                        .start = Time(3),
                        .end = Time(9)};
  CHECK(rules_of(judged({call("cudaMemcpyAsync", 1, 0, 2), copy})) == "pageable-copy warning");
  copy.from = MemoryKind::pinned;
  CHECK(rules_of(judged({call("cudaMemcpyAsync", 1, 0, 2), copy})).empty());
  CHECK(rules_of(judged({StreamActivity{1, 1, 13, 0, StreamKind::blocking}})) == "blocking-stream error");
  CHECK(rules_of(judged({call("cudaEventQuery", 1, 0, 1), call("cudaEventQuery", 2, 2, 3), call("cudaEventQuery", 3, 4, 5)})) ==
        "active-wait warning");
  CHECK(rules_of(judged({call("cudaEventQuery", 1, 0, 1), call("cudaEventQuery", 2, 2, 3)})).empty());
}

TEST_CASE("a trace that was not recorded of a CUDA program is refused") {
  std::istringstream in(
      "{\"schema\": 1, \"kind\": \"trace\", \"source\": \"simulation\", \"task_set\": \"a\"}\n{\"t\": \"end\", \"complete\": true, "
      "\"lost_records\": 0}\n");
  CHECK_THROWS_AS((void)lint_trace(in, "t.jsonl", {}), io::InputError);
}
