#include "chain_table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "report/parts/ratio_text.hpp"
#include "report/parts/times.hpp"
#include "rta/io/csv.hpp"
#include "rta/report/time_text.hpp"

namespace rta::report {

std::vector<std::vector<std::string>> chain_table(std::span<const compare::ComparedChain> chains) {
  std::vector<std::vector<std::string>> table{{"chain", "communication", "latency", "max", "bound", "bound/max", "limit", ""}};
  for (const compare::ComparedChain& chain : chains) {
    const auto add = [&](const char* name, const compare::ChainLatency& latency, const std::optional<Time>& limit) {
      const int digits = digits_of_row(latency.seen, latency.bound, limit);
      const auto text = [&](const std::optional<Time>& time) { return time ? rounded_text(*time, digits) : "-"; };
      const bool missed = limit && latency.seen && *latency.seen > *limit;
      std::string mark = latency.over() ? "ABOVE" : "";
      if (missed) mark += mark.empty() ? "MISSED" : ", MISSED";
      const std::string ratio = ratio_text(latency.bound, latency.seen);
      table.push_back({chain.chain, chain.communication, name, text(latency.seen), text(latency.bound), ratio.empty() ? "-" : ratio,
                       optional_time(limit), mark});
    };
    add("reaction", chain.reaction, chain.reaction_limit);
    add("reduced reaction", chain.reduced_reaction, std::nullopt);
    add("age", chain.age, chain.age_limit);
    add("reduced age", chain.reduced_age, std::nullopt);
  }
  return table;
}

nlohmann::ordered_json chain_json(const compare::ComparedChain& chain) {
  nlohmann::ordered_json json;
  const auto set = [&](const std::string& key, const std::optional<Time>& time) {
    json[key] = time ? nlohmann::ordered_json(time->count()) : nlohmann::ordered_json(nullptr);
  };
  const auto add = [&](const std::string& name, const compare::ChainLatency& latency) {
    set("observed_" + name + "_ns", latency.seen);
    set(name + "_bound_ns", latency.bound);
  };
  json["name"] = chain.chain;
  json["communication"] = chain.communication;
  add("reaction_time", chain.reaction);
  set("reaction_limit_ns", chain.reaction_limit);
  add("reduced_reaction_time", chain.reduced_reaction);
  add("data_age", chain.age);
  set("age_limit_ns", chain.age_limit);
  add("reduced_data_age", chain.reduced_age);
  json["above_bound"] = chain.over();
  json["missed_limit"] = chain.missed();
  return json;
}

std::string chain_fields(const compare::ComparedChain& chain) {
  std::string line = io::csv_field(chain.chain) + ',' + chain.communication;
  for (const auto& time :
       {chain.reaction.seen, chain.reaction.bound, chain.reaction_limit, chain.reduced_reaction.seen, chain.reduced_reaction.bound,
        chain.age.seen, chain.age.bound, chain.age_limit, chain.reduced_age.seen, chain.reduced_age.bound}) {
    line += time ? fmt::format(",{}", time->count()) : ",";
  }
  return line + fmt::format(",{}", chain.missed());
}

}  // namespace rta::report
