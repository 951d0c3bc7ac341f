// What an examination hears of traces, and what becomes of it: a device profile, reports and evidence.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command.hpp"
#include "process/own_folder.hpp"
#include "rta/examine/examination.hpp"
#include "rta/model/device_profile.hpp"
#include "rta/report/format.hpp"

namespace rta::cli {

/// Throws `io::InputError` when it cannot be opened.
[[nodiscard]] std::string content_of(const std::filesystem::path& path);

/// Hears the traces `NAME-*.jsonl` of a probe in the folder, which is in `root`, in the order of their names; `started` becomes the first
/// one's date.
void hear_traces(examine::Examination& examination, std::size_t probe, const std::filesystem::path& folder,
                 const std::filesystem::path& root, std::string& started);
void add_measurements(examine::Examination& examination, const std::filesystem::path& file);

struct ExaminationResult {
  DeviceProfile profile;
  std::vector<std::string> remarks;
};

/// Writes profile, reports and evidence into `output`, if there is one, and the report to standard output.
[[nodiscard]] ExitStatus write_results(const examine::Examination& examination, ExaminationResult result, const process::OwnFolder* output,
                                       const report::Format& format);

}  // namespace rta::cli
