#include "examination_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <sstream>

#include "evidence.hpp"
#include "rta/examine/reproduction.hpp"
#include "rta/io/digest.hpp"
#include "rta/io/profile_file.hpp"
#include "rta/report/examination_report.hpp"
#include "trace_input.hpp"
#include "write_report.hpp"

namespace rta::cli {
namespace {

namespace fs = std::filesystem;

// `h200`; of a device that is not in the table, its product in small letters: `nvidia-geforce-gtx-1080`.
std::string profile_name(const DeviceProfile& profile) {
  if (!profile.device.empty()) return profile.device;
  std::string name;
  for (const char c : profile.limits.product) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      name += static_cast<char>(std::tolower(byte));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  if (name.ends_with('-')) name.pop_back();
  return name.empty() ? "device" : name;
}

/// Of the same device under the same driver; nothing where the folder has none that can be read.
std::optional<io::ProfileFile> earlier_profile(const DeviceProfile& now, const std::string& name, const process::OwnFolder& output) {
  const auto content = output.content(name);
  if (!content) return std::nullopt;
  try {
    io::ProfileFile earlier = io::parse_profile_file(*content, name);
    const DeviceLimits& was = earlier.profile.limits;
    if (was.product == now.limits.product && was.driver == now.limits.driver && was.cuda == now.limits.cuda) return earlier;
  } catch (const io::InputError&) {  // it was not this command that wrote it: it is replaced
  }
  return std::nullopt;
}

void write_profile(report::ExaminationReport& report, bool quick, const process::OwnFolder& output) {
  DeviceProfile profile = report.profile;
  std::optional<MeasuredCompany> company;
  const bool measured = report.company && !quick;
  if (measured) company = report.company->measured;
  const std::string name = profile_name(profile) + ".yaml";
  if (auto earlier = earlier_profile(profile, name, output)) {
    const auto kept = [&](std::string_view what) {
      report.remarks.push_back(fmt::format("{} in {}: as examined on {}", what, name, earlier->profile.date));
    };
    if (!measured && earlier->profile.interference) {
      profile.interference = earlier->profile.interference;
      company = earlier->company;
      kept("interference");
    }
    if (profile.rules.empty() && profile.latencies.empty() && !earlier->profile.rules.empty()) {
      profile.rules = std::move(earlier->profile.rules);
      profile.latencies = std::move(earlier->profile.latencies);
      profile.calls = std::move(earlier->profile.calls);
      kept("rules and latencies");
      profile.date = earlier->profile.date;
    }
  }
  output.write(name, io::format_profile(profile, company));
}

}  // namespace

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw io::InputError({{path.string(), 0, 0, "cannot be opened"}});
  return {std::istreambuf_iterator<char>(in), {}};
}

void hear_traces(examine::Examination& examination, std::size_t probe, const fs::path& folder, const fs::path& root, std::string& started) {
  const examine::Probe& description = examination.judge(probe).probe();
  const std::string prefix = description.name + "-";
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool numbered = name.starts_with(prefix) && name.ends_with(".jsonl") && name.size() > prefix.size() + 6 &&
                          name.find_first_not_of("0123456789", prefix.size()) == name.size() - 6;
    if (numbered) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    TraceInput in(file.string());
    const examine::ReadRun read = examine::read_run(description.experiment, in.stream(), file.string());
    note_input_in(root, file.lexically_relative(root).string(), in.sha256());
    if (started.empty() && read.header.started) started = *read.header.started;
    (void)examination.hear(probe, read.run);
  }
}

void add_measurements(examine::Examination& examination, const fs::path& file) {
  TraceInput in(file.string());
  examination.add(examine::read_measurements(in.stream(), file.string()));
  note_input_in(file.parent_path(), file.filename().string(), in.sha256());
}

std::string interference_file(std::string_view part) { return fmt::format("interference-{}.json", part); }

void add_interference(examine::CompanyPart& all, const fs::path& file) {
  const std::string content = content_of(file);
  examine::CompanyPart one = examine::read_company(content, file.string());
  all.cases.insert(all.cases.end(), one.cases.begin(), one.cases.end());
  all.not_possible.insert(all.not_possible.end(), one.not_possible.begin(), one.not_possible.end());
  note_input_in(file.parent_path(), file.filename().string(), io::sha256(content));
}

ExitStatus write_results(const examine::Examination& examination, ExaminationResult result, const process::OwnFolder* output,
                         const report::Format& format) {
  report::ExaminationReport report{examination, std::move(result.profile), {}, std::move(result.remarks), {}, std::nullopt, {}};
  if (result.company) {
    report.company = examine::company_of(*result.company);
    report.company_missing = std::move(result.company->not_possible);
    if (!result.quick) report.profile.interference = report.company->interference;
    if (result.quick) report.remarks.emplace_back("--quick: few repetitions: the profile gets no interference");
  }
  for (std::size_t p = 0; p < examination.probes(); ++p) {
    report.simulated.push_back(examine::simulated_run(examination.judge(p).probe().experiment));
  }
  if (output != nullptr) {
    for (RuleVerdict& verdict : report.profile.rules) {
      if (verdict.evidence.empty()) continue;
      const std::string name = std::string(to_string(verdict.rule)) + ".jsonl";
      output->below("evidence").write(name, content_of(verdict.evidence));
      verdict.evidence = "evidence/" + name;
    }
    write_profile(report, result.quick, *output);
    for (const report::Format* const each : formats_of<report::ExaminationReport>()) {
      std::ostringstream text;
      print_report(
          *each, [&](std::ostream& to) { report::printer_of<report::ExaminationReport> (*each)(report, to); }, text);
      output->write(fmt::format("report.{}", each->extension), text.view());
    }
  }
  write_report<report::ExaminationReport>({std::nullopt, &format}, report);
  const auto has = [&](RuleState state) {
    return std::ranges::find(report.profile.rules, state, &RuleVerdict::state) != report.profile.rules.end();
  };
  const bool rules_hold = has(RuleState::confirmed) && !has(RuleState::refuted);
  const bool asked_for_none = report.profile.rules.empty() && report.company;
  return (rules_hold || asked_for_none) && (!report.company || report.company->interference) ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace rta::cli
