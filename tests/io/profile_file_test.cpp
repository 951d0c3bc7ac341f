// Device profiles: written and read back, and every error with its place.
#include "rta/io/profile_file.hpp"

#include <doctest/doctest.h>

#include <string>

#include "io/messages.hpp"

using namespace rta;

namespace {

DeviceProfile example() {
  DeviceProfile profile;
  profile.device = "h200";
  profile.date = "2026-01-31";
  profile.limits = limits_of(*find_device("h200"));
  profile.limits.driver = "550.54.15";
  profile.limits.cuda = "12.4";
  profile.limits.clock_khz = 1'980'000;
  profile.latencies = {{"dispatch", Time(1'250), Time(2'000), Time(3'104), 4'356}, {"launch", Time(4'000), Time(9'000), Time(9'500), 33}};
  profile.rules = {{Rule::G2, RuleState::confirmed, "",
                    "no block of c starts before the last block of b has started: c started 12.0 us after", "", 33, 0},
                   {Rule::X1, RuleState::refuted, "", "says: \"no\" \\ really", "evidence/X1.jsonl", 3, 3},
                   {Rule::C_queue, RuleState::confirmed, "C1-C4", "", "", 35, 1},
                   {Rule::S_processes, RuleState::untested, "", "MPS is not running", "", 0, 0}};
  profile.calls = {{"cudaFree", Answer::yes, Answer::yes, Answer::unclear, 40},
                   {"cudaMemcpyAsync D-H pageable", Answer::no, Answer::no, Answer::yes, 7}};
  profile.interference = {{"L2", "DRAM"},
                          {{460'000'001, 2'320'000'000, 1, 50'000'000}, {0, 1'740'000'000, 0, 400'000'000}},
                          {{1'000'000'000, 0}, {0, 0}},
                          Combine::max};
  return profile;
}

MeasuredCompany company() {
  MeasuredCompany company;
  company.classes = {"L2", "DRAM"};
  company.mixtures = MeasuredCompany::Mixtures{4, "sum", 353'000'001, -20'000'000};
  company.rows = {{"other SMs", "L2", {460'000'000, 710'000'000}},
                  {"other SMs", "DRAM on a half", {-4'500'001, std::nullopt}},
                  {"CPUs", "7 that read, \"and\" write: memory", {1'900'000'000, 0}}};
  return company;
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = io::format_profile(example());
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a profile that was written reads back equal") {
  const DeviceProfile profile = example();
  CHECK(io::parse_profile(io::format_profile(profile), "p.yaml") == profile);
  DeviceProfile bare;
  bare.limits.product = "a GPU: \"of\" no table";
  bare.limits.compute_capability = "13.0";
  bare.date = "2026-01-31";
  CHECK(io::parse_profile(io::format_profile(bare), "p.yaml") == bare);
}

TEST_CASE("what company was measured to do is read back equal, with and without mixtures") {
  MeasuredCompany is = company();
  auto file = io::parse_profile_file(io::format_profile(example(), is), "p.yaml");
  CHECK(file.profile == example());
  CHECK(file.company == is);
  is.mixtures.reset();
  CHECK(io::parse_profile_file(io::format_profile(example(), is), "p.yaml").company == is);
  is.rows.clear();
  CHECK(io::parse_profile_file(io::format_profile(example(), is), "p.yaml").company == is);
  CHECK_FALSE(io::parse_profile_file(io::format_profile(example()), "p.yaml").company.has_value());
}

TEST_CASE("errors in what company was measured to do name their place") {
  const auto message = [](const std::string& from, const std::string& to) {
    std::string text = io::format_profile(example(), company());
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    try {
      (void)io::parse_profile_file(text.replace(at, from.size(), to), "p.yaml");
    } catch (const io::InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK(message("confirm: sum", "confirm: most").find("confirm: 'most' is not known (allowed: max, sum, neither)") != std::string::npos);
  CHECK(message("measured: 4, ", "").find("'measured' is missing: how mixtures of classes were checked") != std::string::npos);
  CHECK(message("beyond-sum: -0.02", "beyond-sum: little").find("beyond-sum: a number is expected") != std::string::npos);
  CHECK(message("[0.46, 0.71]", "[0.46]").find("L2: a number for each of the 2 classes is expected, or null, not 1") != std::string::npos);
  CHECK(message("[0.46, 0.71]", "[0.46, more]").find("L2: a number is expected") != std::string::npos);
  CHECK(message("[0.46, 0.71]", "0.46").find("L2: 2 numbers are expected, not") != std::string::npos);
  CHECK(message("  beside:", "  besides:").find("unknown key 'besides'") != std::string::npos);
  CHECK(message("company:\n  classes: [L2, DRAM]", "company:\n  classes: L2").find("classes: a list of names is expected") !=
        std::string::npos);
  CHECK(message("company:\n", "company: [1]\ncalls-:\n").find("p.yaml:") == 0);
}

TEST_CASE("line breaks in texts become spaces") {
  DeviceProfile profile = example();
  profile.rules[0].reason = "one\nline";
  CHECK(io::parse_profile(io::format_profile(profile), "p.yaml").rules[0].reason == "one line");
}

TEST_CASE("errors name file, line and column, what is wrong and what is allowed") {
  const auto message = [](const std::string& text) {
    try {
      (void)io::parse_profile(text, "p.yaml");
    } catch (const io::InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK(message("") == "p.yaml:1:1: the file is empty: a device profile has `product`, `limits` and `rules`");
  CHECK(
      message(with("verdict: refuted", "verdict: refused"))
          .starts_with(
              "p.yaml:25:17: rule 'X1': verdict: 'refused' is not known; did you mean 'refuted'? (allowed: untested, confirmed, refuted)"));
  CHECK(message(with("  X1:", "  X9:")).find("p.yaml:25:3: unknown key 'X9'") == 0);
  CHECK(message(with("runs: 3, contradicting: 3", "runs: 3, contradicting: 4")).find("contradicting: '4' is too large (at most 3)") !=
        std::string::npos);
  CHECK(message(with("device: h200", "device: h201")) == "p.yaml:1:9: device: no built-in device is called 'h201'");
  CHECK(message(with("  sms: 132\n", "")) == "p.yaml:8:3: 'sms' is missing: the number of SMs");
  CHECK(message(with("sms: 132", "sms: 0")).find("p.yaml:8:8: sms: must be at least 1, not '0'") == 0);
  CHECK(
      message(with("threads_per_block: 1024", "threads_per_block: 4096")).find("threads_per_block: 4096 are more than an SM has (2048)") !=
      std::string::npos);
  CHECK(message(with("median: 1250 ns", "median: 1250")).find("has no unit") != std::string::npos);
  CHECK(message(with("max: 3104 ns", "max: 1 us")).find("latency 'dispatch': needs median <= p99 <= max") != std::string::npos);
  CHECK(message(with("blocks_others: yes", "blocks_others: maybe"))
            .find("call 'cudaFree': blocks_others: 'maybe' is not known (allowed: no, yes, unclear)") != std::string::npos);
  CHECK(message(with("caller_waits: unclear, ", "")).find("call 'cudaFree': 'caller_waits' is missing: yes, no or unclear") !=
        std::string::npos);
  CHECK(message(with("samples: 40", "samples: 0")).find("call 'cudaFree': samples: must be at least 1") != std::string::npos);
  CHECK(message(with("rules:", "rule:")).find("unknown key 'rule'; did you mean 'rules'?") != std::string::npos);
}
