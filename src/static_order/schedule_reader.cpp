#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

#include "../io/decimal.hpp"
#include "../io/file_kind.hpp"
#include "../io/yaml_document.hpp"
#include "named_entries.hpp"
#include "rta/static_order/schedule_file.hpp"

namespace rta::static_order {
namespace {

using io::Diagnostics;
using io::Fields;
using io::quote;
using io::Value;

constexpr std::array<std::string_view, 7> top_keys{"schedule",  "graph",   "graph_sha256", "identifier",
                                                   "submittee", "clients", "hyperepochs"};
constexpr std::array<std::string_view, 8> scheduled_hyperepoch_keys{"name",      "period",  "length", "lower_bound",
                                                                    "resources", "sharing", "epochs", "runnables"};
constexpr std::array<std::string_view, 3> resource_keys{"name", "type", "serves"};
constexpr std::array<std::string_view, 3> sharing_keys{"resource", "by", "capacity"};
constexpr std::array<std::string_view, 3> scheduled_epoch_keys{"name", "period", "frames"};
constexpr std::array<std::string_view, 19> scheduled_runnable_keys{
    "id",    "name",        "client", "steps",  "kind",    "epoch", "frame",    "resources", "stream", "submits",
    "after", "after_start", "blocks", "weight", "release", "wcet",  "deadline", "start",     "end"};
constexpr std::array<std::string_view, 2> submittee_rules{"after", "overlap"};
constexpr std::array<std::string_view, 2> sharings{"weights", "streams"};
constexpr std::array<std::string_view, 4> roles{"runnable", "submitter", "submittee", "frame-sync"};
constexpr std::uint64_t most_scheduled_frames = 1'000'000'000;
constexpr std::uint64_t most_count = std::numeric_limits<std::int64_t>::max();

/// The entries of a list of mappings.
std::vector<const Value*> entries(const Fields& fields, std::string_view key, bool required, std::string_view hint) {
  std::vector<const Value*> all;
  const Value* const list = required ? fields.require(key, hint) : fields.find(key);
  if (list == nullptr || list->kind == Value::Kind::null || list->kind == Value::Kind::rejected) return all;
  if (list->kind != Value::Kind::sequence) {
    fields.error(*list, fmt::format("{}: a list is expected, not {}", key, kind_text(*list)));
    return all;
  }
  for (const Value* entry = list->first(); entry != list->next(); entry = entry->next()) all.push_back(entry);
  return all;
}

std::string required_name(const Fields& fields, std::string_view key, std::string_view hint) {
  static_cast<void>(fields.require(key, hint));
  return std::string(fields.name(key).value_or(""));
}

std::vector<std::string> names(const Fields& fields, std::string_view key, std::string_view what) {
  std::vector<std::string> all;
  for (const Value* const name : plain_list(fields, key, what)) {
    if (const auto fault = io::name_fault(name->text)) fields.error(*name, fmt::format("{}: {}", key, *fault));
    all.emplace_back(name->text);
  }
  return all;
}

Time required_time(const Fields& fields, std::string_view key, std::string_view hint, Wide least) {
  static_cast<void>(fields.require(key, hint));
  const auto time = fields.time(key, nullptr, least);
  return time ? to_time(*time) : Time::zero();
}

Time optional_time(const Fields& fields, std::string_view key) {
  const auto time = fields.time(key, nullptr, 0);
  return time ? to_time(*time) : Time::zero();
}

class HyperepochReader {
 public:
  HyperepochReader(const Fields& fields, ScheduledHyperepoch& hyperepoch, Diagnostics& out)
      : fields_(fields), hyperepoch_(hyperepoch), out_(out) {}

  void read() {
    fields_.allow_only(scheduled_hyperepoch_keys);
    hyperepoch_.name = required_name(fields_, "name", "of the hyperepoch");
    hyperepoch_.period = required_time(fields_, "period", "how often it repeats", 1);
    hyperepoch_.length = optional_time(fields_, "length");
    hyperepoch_.lower_bound = optional_time(fields_, "lower_bound");
    read_resources();
    for (const Value* entry : entries(fields_, "epochs", true, "the epochs of its runnables")) read_epoch(*entry);
    for (const Value* entry : entries(fields_, "sharing", false, "")) read_sharing(*entry);
    const auto lines = entries(fields_, "runnables", true, "what runs, in order");
    for (const Value* entry : lines) read_id(*entry);
    for (const Value* entry : lines) read_runnable(*entry);
  }

 private:
  template <class Map>
  std::optional<std::size_t> look_up(const Map& map, const Value& word, const Fields& fields, std::string_view key,
                                     std::string_view what) const {
    const auto at = map.find(word.text);
    if (at != map.end()) return at->second;
    std::vector<std::string_view> names;
    names.reserve(map.size());
    for (const auto& [name, index] : map) names.push_back(name);
    std::ranges::sort(names);
    fields.error(word, fmt::format("{}: {} is no {} of this hyperepoch{}", key, quote(word.text), what, io::suggestion(word.text, names)));
    return std::nullopt;
  }

  std::optional<std::size_t> resource(const Fields& fields, std::string_view key) const {
    if (!fields.name(key)) return std::nullopt;
    return look_up(resource_, *fields.find(key), fields, key, "resource");
  }

  void read_resources() {
    const auto all = entries(fields_, "resources", true, "what its runnables run on");
    for (const Value* entry : all) {
      const Fields fields(*entry, {}, out_, "resources");
      if (!fields.usable()) continue;
      fields.allow_only(resource_keys);
      ScheduledResource resource;
      resource.name = required_name(fields, "name", "of the resource");
      resource.type = required_name(fields, "type", "of the resource");
      const Value* const name = fields.find("name");
      if (name != nullptr && !resource_.emplace(name->text, hyperepoch_.resources.size()).second)
        fields.error(*name, fmt::format("the resource {} is given twice", quote(name->text)));
      hyperepoch_.resources.push_back(std::move(resource));
    }
    std::size_t index = 0;
    for (const Value* entry : all) {
      const Fields fields(*entry, {}, silent_, "resources");
      if (!fields.usable()) continue;
      if (const Value* const serves = fields.find("serves"); serves != nullptr && serves->kind == Value::Kind::scalar)
        hyperepoch_.resources[index].serves = look_up(resource_, *serves, Fields(*entry, {}, out_, "resources"), "serves", "resource");
      ++index;
    }
  }

  void read_epoch(const Value& entry) {
    const Fields fields(entry, {}, out_, "epochs");
    if (!fields.usable()) return;
    fields.allow_only(scheduled_epoch_keys);
    ScheduledEpoch epoch;
    epoch.name = required_name(fields, "name", "of the epoch");
    epoch.period = required_time(fields, "period", "how far its frames are apart", 1);
    epoch.frames = fields.integer("frames", 1, most_scheduled_frames).value_or(1);
    const Value* const name = fields.find("name");
    if (name != nullptr && !epoch_.emplace(name->text, hyperepoch_.epochs.size()).second)
      fields.error(*name, fmt::format("the epoch {} is given twice", quote(name->text)));
    hyperepoch_.epochs.push_back(std::move(epoch));
  }

  void read_sharing(const Value& entry) {
    const Fields fields(entry, {}, out_, "sharing");
    if (!fields.usable()) return;
    fields.allow_only(sharing_keys);
    static_cast<void>(fields.require("resource", "the GPU that kernels share"));
    static_cast<void>(fields.require("by", "weights or streams"));
    static_cast<void>(fields.require("capacity", "what its SMs hold when no block finds room"));
    Sharing sharing;
    const auto shared = resource(fields, "resource");
    if (const auto by = fields.choice("by", sharings)) sharing.by = static_cast<Sharing::By>(*by);
    if (const auto capacity = fields.integer("capacity", 1, most_count)) sharing.capacity = static_cast<std::int64_t>(*capacity);
    if (!shared) return;
    sharing.resource = *shared;
    if (std::ranges::any_of(hyperepoch_.sharing, [&](const Sharing& s) { return s.resource == *shared; }))
      fields.error(*fields.find("resource"), "resource: its sharing is given twice");
    hyperepoch_.sharing.push_back(sharing);
  }

  void read_id(const Value& entry) {
    const Fields fields(entry, {}, out_, "runnables");
    if (!fields.usable()) return;
    static_cast<void>(fields.require("id", "a number, by which others wait for it"));
    if (const auto id = fields.integer("id", 0, most_count); id && !id_.emplace(*id, lines_).second)
      fields.error(*fields.find("id"), fmt::format("id: {} is given twice", *id));
    ++lines_;
  }

  std::vector<std::size_t> ids(const Fields& fields, std::string_view key) const {
    std::vector<std::size_t> all;
    for (const Value* word : plain_list(fields, key, "ids")) {
      const auto number = io::parse_decimal(word->text);
      const auto whole = number && number->rest.empty() && number->is_whole() && !number->negative ? number->scaled(1) : std::nullopt;
      const auto at =
          whole && whole->floor <= static_cast<Wide>(most_count) ? id_.find(static_cast<std::uint64_t>(whole->floor)) : id_.end();
      if (at == id_.end()) {
        fields.error(*word, fmt::format("{}: no runnable has the id {}", key, quote(word->text)));
      } else {
        all.push_back(at->second);
      }
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  void read_runnable(const Value& entry) {
    const Fields bare(entry, {}, silent_, "runnables");
    if (!bare.usable()) return;
    const Value* const named = bare.find("name");
    const Fields fields(entry, {"runnable", named != nullptr ? named->text : std::string_view()}, out_, "runnables");
    fields.allow_only(scheduled_runnable_keys);
    ScheduledRunnable r;
    r.name = required_name(fields, "name", "of the runnable");
    if (const auto client = fields.name("client")) r.client = *client;
    r.steps = names(fields, "steps", "runnables");
    std::ranges::replace(r.steps, "none", "");
    static_cast<void>(fields.require("kind", "runnable, submitter, submittee or frame-sync"));
    if (const auto role = fields.choice("kind", roles)) r.role = static_cast<Role>(*role);
    static_cast<void>(fields.require("epoch", "whose frames it belongs to"));
    if (fields.name("epoch")) r.epoch = look_up(epoch_, *fields.find("epoch"), fields, "epoch", "epoch").value_or(0);
    if (const auto frame = fields.integer("frame", 0, most_scheduled_frames)) r.frame = *frame;
    for (const Value* word : plain_list(fields, "resources", "resources")) {
      if (const auto at = look_up(resource_, *word, fields, "resources", "resource")) r.resources.push_back(*at);
    }
    std::ranges::sort(r.resources);
    if (std::ranges::adjacent_find(r.resources) != r.resources.end())
      fields.error(*fields.find("resources"), "resources: one is given twice");
    r.stream = resource(fields, "stream");
    r.submits = ids(fields, "submits");
    r.after = ids(fields, "after");
    r.after_start = ids(fields, "after_start");
    if (const auto blocks = fields.integer("blocks", 1, most_count)) r.blocks = *blocks;
    if (const auto weight = fields.integer("weight", 1, most_count)) r.weight = static_cast<std::int64_t>(*weight);
    r.release = optional_time(fields, "release");
    r.wcet = required_time(fields, "wcet", "the longest time that it takes", 0);
    if (const auto deadline = fields.time("deadline", nullptr, 0)) r.deadline = to_time(*deadline);
    r.start = optional_time(fields, "start");
    r.end = optional_time(fields, "end");
    hyperepoch_.runnables.push_back(std::move(r));
  }

  const Fields& fields_;
  ScheduledHyperepoch& hyperepoch_;
  Diagnostics& out_;
  Diagnostics silent_{""};  // for what was reported before
  std::unordered_map<std::string_view, std::size_t> resource_, epoch_;
  std::unordered_map<std::uint64_t, std::size_t> id_;
  std::size_t lines_ = 0;
};

}  // namespace

bool is_schedule(std::string_view text) {
  try {
    Diagnostics unread("");
    const io::YamlDocument document(text, unread, "");
    const Value& root = document.root();
    if (root.kind != Value::Kind::mapping) return false;
    for (const Value* key = root.first(); key != root.next(); key = key->next()->next()) {
      if (key->kind == Value::Kind::scalar && key->text == "schedule") return true;
    }
    return false;
  } catch (const io::InputError&) {
    return false;  // whoever reads it says why
  }
}

Schedule parse_schedule(std::string_view text, const std::string& name) {
  Diagnostics out(name);
  if (const auto kind = io::file_kind(text, name); kind && kind->is != io::FileIs::schedule) out.error({1, 1}, mixup(*kind, "no schedule"));
  out.throw_if_failed();
  const io::YamlDocument document(text, out, "a schedule has `schedule: 1`, `graph` and `hyperepochs`");
  const Fields top(document.root(), {}, out);
  if (!top.usable()) out.throw_if_failed();
  static_cast<void>(top.require("schedule", "the version of the format, 1; this is no schedule that rta compile wrote"));
  out.throw_if_failed();
  static_cast<void>(top.integer("schedule", 1, 1));
  top.allow_only(top_keys);
  Schedule schedule;
  const auto word = [&](std::string_view key) {
    const Value* const value = top.require(key, "what the schedule was made from");
    if (value == nullptr || value->kind == Value::Kind::rejected) return std::string();
    if (value->kind != Value::Kind::scalar) top.error(*value, fmt::format("{}: a text is expected, not {}", key, kind_text(*value)));
    return std::string(value->text);
  };
  schedule.graph = word("graph");
  schedule.graph_sha256 = word("graph_sha256");
  if (const auto id = top.integer("identifier", 0, 65'535)) schedule.identifier = static_cast<std::uint32_t>(*id);
  if (const auto submittee = top.choice("submittee", submittee_rules)) schedule.submittee = static_cast<Submittee>(*submittee);
  schedule.clients = names(top, "clients", "processes");
  for (const Value* entry : entries(top, "hyperepochs", true, "what repeats")) {
    const Fields fields(*entry, {}, out, "hyperepochs");
    if (fields.usable()) HyperepochReader(fields, schedule.hyperepochs.emplace_back(), out).read();
  }
  out.throw_if_failed();
  return schedule;
}

}  // namespace rta::static_order
