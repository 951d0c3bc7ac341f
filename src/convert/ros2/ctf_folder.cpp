#include "ctf_folder.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <exception>
#include <fstream>
#include <istream>
#include <optional>
#include <system_error>

#include "../notes.hpp"
#include "process/tool.hpp"

namespace rta::convert {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view little_metadata = "\x57\x1D\xD1\x75", big_metadata = "\x75\xD1\x1D\x57", plain_metadata = "/* CTF 1.";
constexpr std::size_t most_entries = 100'000;  // that are looked at

std::string beginning_of(std::istream& in, std::size_t count) {
  std::string text(count, '\0');
  in.read(text.data(), static_cast<std::streamsize>(count));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

bool is_metadata(const fs::path& path) {
  if (path.filename() != "metadata") return false;
  std::ifstream in(path, std::ios::binary);
  const std::string text = beginning_of(in, 16);
  return text.starts_with(little_metadata) || text.starts_with(big_metadata) || text.starts_with(plain_metadata);
}

// Metadata lie in packets, whose heads say how large they are. Where one is cut off, babeltrace2 reads for ever.
void check_metadata(const fs::path& path) {
  constexpr std::size_t head_size = 37, at_packet_size = 28;
  std::error_code missing;
  const std::uintmax_t size = fs::file_size(path, missing);
  std::ifstream in(path, std::ios::binary);
  for (std::uintmax_t at = 0; at < size;) {
    in.seekg(static_cast<std::streamoff>(at));
    const std::string head = beginning_of(in, head_size);
    const bool little = head.starts_with(little_metadata);
    if (at == 0 && !little && !head.starts_with(big_metadata)) return;  // plain text
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < 4 && head.size() == head_size; ++i)
      bits = bits << 8U | static_cast<unsigned char>(head[at_packet_size + (little ? 3 - i : i)]);
    if ((!little && !head.starts_with(big_metadata)) || bits / 8 < head_size || bits / 8 > size - at)
      refuse(path.string(), fmt::format("the metadata of the trace are damaged or cut off: no whole packet is at byte {}", at));
    at += bits / 8;
  }
}

/// Calls `take` with the files in and below the folder until it says that it has enough.
template <class Take>
void each_file(const fs::path& folder, const Take& take) {
  std::error_code missing;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, missing);
  for (std::size_t seen = 0; !missing && at != fs::recursive_directory_iterator() && seen < most_entries; at.increment(missing), ++seen) {
    std::error_code gone;
    if (at->is_regular_file(gone) && take(at->path())) return;
  }
}

/// A damaged folder can catch babeltrace2 for ever; a large one takes it a while until it prints the first event.
std::uint32_t patience_for(const fs::path& folder) {
  constexpr std::uintmax_t bytes_of_second = 20'000'000;
  std::uintmax_t size = 0;
  each_file(folder, [&](const fs::path& file) {
    std::error_code gone;
    const auto of_file = fs::file_size(file, gone);
    size += gone ? 0 : of_file;
    return false;
  });
  return static_cast<std::uint32_t>(std::min<std::uintmax_t>(20 + size / bytes_of_second, 3600));
}

struct Said {
  std::string sentence;
  bool error = false;
};

// A line of its log is `11-28 03:39:45.995 11581 11581 E PLUGIN/SRC.CTF.FS add_ds_file@fs.c:803 [source] Failed to …`. What it prints of
// its errors at the end says the same once more.
std::vector<Said> said_in(const std::string& text) {
  std::vector<Said> all;
  std::string_view rest = text;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.empty() || std::isspace(static_cast<unsigned char>(line[0])) != 0) continue;
    const bool logged = std::isdigit(static_cast<unsigned char>(line[0])) != 0;
    const bool error = logged && line.find(" E ") < line.find('/');
    if (const std::size_t source = line.find("] "); logged && source != std::string_view::npos) {
      line.remove_prefix(source + 2);
    } else if (logged || line.starts_with("CAUSED BY") || line.starts_with("ERROR:")) {
      continue;
    }
    all.push_back({one_line(line, 200), error});
  }
  return all;
}

}  // namespace

bool has_ctf(const fs::path& folder) {
  bool found = false;
  each_file(folder, [&](const fs::path& file) {
    found = is_metadata(file);
    return found;
  });
  return found;
}

std::vector<std::string> print_ctf(const fs::path& folder, const Progress& progress, const std::function<void(Bytes& bytes)>& take) {
  each_file(folder, [](const fs::path& file) {
    if (is_metadata(file)) check_metadata(file);
    return false;
  });
  std::error_code missing;
  const fs::path path = fs::absolute(folder, missing);  // a name of its own that begins with `-` would be an option
  process::RunningTool tool({"babeltrace2", path.string()});
  if (!tool.started()) {
    refuse(folder.string(),
           "this is a trace in CTF, which babeltrace2 prints, and that is not installed here: install it (apt install babeltrace2), or "
           "convert what `babeltrace2 FOLDER > FILE` writes elsewhere");
  }
  std::exception_ptr fault;
  try {
    Bytes bytes(tool.output(), folder.string(), patience_for(folder), progress);
    take(bytes);
  } catch (const io::InputError&) {
    fault = std::current_exception();
  }
  // Where babeltrace2 itself gave up, it says why; a reader that gave up leaves it something to print.
  pollfd pipe{tool.output(), POLLIN, 0};
  const bool drained = ::poll(&pipe, 1, 0) > 0 && (pipe.revents & POLLIN) == 0;
  if (fault && !drained) std::rethrow_exception(fault);
  const process::ToolOutput result = tool.end();
  const std::vector<Said> said = said_in(result.text);
  if (result.status != 0) {
    const auto error = std::ranges::find_if(said, &Said::error);
    const std::string why = error != said.end() ? error->sentence
                            : result.status > 0 ? fmt::format("it ended with exit status {}", result.status)
                                                : std::string("a signal ended it");
    refuse(folder.string(), fmt::format("babeltrace2 cannot read all of it: {}", why));
  }
  std::vector<std::string> says;
  says.reserve(said.size());
  for (const Said& one : said) says.push_back(one.sentence);
  if (fault) std::rethrow_exception(fault);
  return says;
}

}  // namespace rta::convert
