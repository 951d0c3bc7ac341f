// A schedule that two clients play, one of whom goes wrong.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "played.hpp"

namespace rta::test {

inline constexpr auto in_time = std::chrono::seconds(30);

/// Statuses of a client's `rta_static_enter`.
inline constexpr int ended_well = 0;
inline constexpr int misuse = 1;
inline constexpr int refused = 2;
inline constexpr int ended_early = 3;
inline constexpr int master_lost = 4;
inline constexpr int stuck = 5;

/// Relay of a (first, last) and b (middle): one of them goes wrong.
struct Relay {
  explicit Relay(std::uint16_t identifier) : stage(relay(1_ms, 20_ms, identifier)) {}

  void start(const std::vector<std::string>& options, const std::vector<std::string>& fault_of_a,
             const std::vector<std::string>& fault_of_b) {
    master = stage.master(options);
    std::vector<std::string> a{"a"};
    a.insert(a.end(), fault_of_a.begin(), fault_of_a.end());
    std::vector<std::string> b{"b"};
    b.insert(b.end(), fault_of_b.begin(), fault_of_b.end());
    first = stage.client(STATIC_FAULTY, a);
    second = stage.client(STATIC_FAULTY, b);
  }

  Stage stage;
  std::unique_ptr<Process> master;
  std::unique_ptr<Process> first;
  std::unique_ptr<Process> second;
};

/// Of a client whose run did not begin: it was there, or came when all was over.
inline bool left_before_the_beginning(Process& client) {
  const int status = client.wait(in_time);
  return status == ended_early || status == refused;
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace rta::test
