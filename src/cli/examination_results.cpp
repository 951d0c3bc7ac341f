#include "examination_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <sstream>

#include "evidence.hpp"
#include "rta/examine/reproduction.hpp"
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

ExitStatus write_results(const examine::Examination& examination, ExaminationResult result, const process::OwnFolder* output,
                         const report::Format& format) {
  report::ExaminationReport report{examination, std::move(result.profile), {}, std::move(result.remarks), {}};
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
    output->write(profile_name(report.profile) + ".yaml", io::format_profile(report.profile));
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
  return has(RuleState::confirmed) && !has(RuleState::refuted) ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace rta::cli
