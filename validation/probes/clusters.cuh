// Thread block clusters (compute capability 9.0 on): their limits, the GPCs that their SMs show, and P3.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>

#include "bench.cuh"

namespace probes {

constexpr unsigned most_sm_numbers = 1024;

inline cudaLaunchConfig_t cluster_launch(unsigned blocks, unsigned threads, std::size_t shared_memory, cudaStream_t stream,
                                         cudaLaunchAttribute& attribute, unsigned size) {
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = size;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t launch{};
  launch.gridDim = dim3(blocks);
  launch.blockDim = dim3(threads);
  launch.dynamicSmemBytes = shared_memory;
  launch.stream = stream;
  launch.attrs = &attribute;
  launch.numAttrs = 1;
  return launch;
}

class Clusters {
 public:
  explicit Clusters(Bench& bench) : bench_(bench) {
    if (bench.attribute(cudaDevAttrClusterLaunch) == 0) throw NotPossible{"the device has no thread block clusters"};
    // Beyond 8, which not every device takes.
    allows_16_ = cudaFuncSetAttribute(common::spin<0>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) == cudaSuccess;
    cudaGetLastError();
  }

  /// How many clusters of that size may be resident at once, as the driver says; -1: none can be launched.
  [[nodiscard]] int most_at_once(unsigned size, unsigned threads, std::size_t shared_memory) const {
    cudaLaunchAttribute attribute{};
    const cudaLaunchConfig_t launch = cluster_launch(size, threads, shared_memory, nullptr, attribute, size);
    int clusters = -1;
    if ((size > 8 && !allows_16_) || cudaOccupancyMaxActiveClusters(&clusters, kernel(), &launch) != cudaSuccess) {
      cudaGetLastError();
      return -1;
    }
    return clusters;
  }
  /// Blocks with an SM each.
  Seen hold(cudaStream_t stream, unsigned size, unsigned clusters, std::int64_t length) {
    BlockTimes* times = bench_.records(size * clusters);
    auto ns = static_cast<unsigned long long>(length);
    const unsigned* seed = nullptr;
    void* arguments[] = {&ns, &times, &seed};
    cudaLaunchAttribute attribute{};
    const cudaLaunchConfig_t launch = cluster_launch(size * clusters, Bench::threads, bench_.whole_sm(), stream, attribute, size);
    CUDA_CALL(cudaLaunchKernelExC(&launch, kernel(), arguments));
    return {times, size * clusters};
  }

 private:
  static const void* kernel() { return reinterpret_cast<const void*>(static_cast<common::SpinFunction>(common::spin<0>)); }
  Bench& bench_;
  bool allows_16_ = false;
};

inline std::vector<unsigned> sizes_of_clusters(const Bench& bench, const Clusters& clusters) {
  std::vector<unsigned> sizes;
  for (const unsigned size : {2U, 4U, 8U, 16U}) {
    if (clusters.most_at_once(size, Bench::threads, bench.whole_sm()) > 0) sizes.push_back(size);
  }
  return sizes;
}

/// The same numbers on every machine.
class Numbers {
 public:
  unsigned below(unsigned limit) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<unsigned>(state_ >> 33U) % limit;
  }
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(static_cast<unsigned>(i))]);
  }

 private:
  unsigned long long state_ = 1;
};

/// SMs that clusters have been seen to share, transitively: those of a GPC.
inline std::vector<std::vector<unsigned>> find_gpcs(Bench& bench, Clusters& clusters, Numbers& numbers) {
  std::vector<unsigned> of(most_sm_numbers);
  std::iota(of.begin(), of.end(), 0U);
  const auto root = [&](unsigned sm) {
    while (of[sm] != sm) sm = of[sm];
    return sm;
  };
  const cudaStream_t busy = common::new_stream(0);
  const cudaStream_t stream = common::new_stream(0);
  auto* lengths = common::on_host<unsigned long long>(most_sm_numbers);
  std::set<unsigned> seen;
  for (const unsigned size : sizes_of_clusters(bench, clusters)) {
    for (unsigned i = 0; i < 12; ++i) {
      bench.forget();
      // Other SMs are busy each time, so that clusters are not always of the same.
      for (unsigned sm = 0; sm < most_sm_numbers; ++sm)
        lengths[sm] = static_cast<unsigned long long>(i > 0 && numbers.below(3) == 0 ? 400 * us : 20 * us);
      const Seen fillers = bench.hold_sms(busy, lengths);
      const unsigned many = std::max(1U, bench.sms() / size);
      const Seen found = clusters.hold(stream, size, many, 20 * us);
      Bench::finish({busy, stream});
      for (unsigned b = 0; b < fillers.blocks(); ++b) seen.insert(fillers.sm(b));
      for (unsigned b = 0; b < found.blocks(); ++b) {
        if (found.sm(b) < most_sm_numbers) of[root(found.sm(b))] = root(found.sm(b / size * size));
      }
    }
  }
  std::map<unsigned, std::vector<unsigned>> members;
  for (const unsigned sm : seen) members[root(sm)].push_back(sm);
  std::vector<std::vector<unsigned>> gpcs;
  for (const auto& one : members) gpcs.push_back(one.second);
  return gpcs;
}

inline Answer cluster_limits(Bench& bench, unsigned runs) {
  Clusters clusters(bench);
  Numbers numbers;
  Answer answer;
  const auto list = [&](unsigned threads, std::size_t shared_memory) {
    std::string all;
    for (const unsigned size : {1U, 2U, 4U, 8U, 16U}) {
      all += (all.empty() ? "\"" : ", \"") + std::to_string(size) +
             "\": " + std::to_string(clusters.most_at_once(size, threads, shared_memory));
    }
    return "{" + all + "}";
  };
  answer.figure("most_clusters_of_blocks_with_an_sm_each", list(Bench::threads, bench.whole_sm()));
  answer.figure("most_clusters_of_blocks_of_128_threads", list(128, 0));
  answer.figure("most_clusters_of_blocks_of_1024_threads", list(1024, 0));
  const auto gpcs = find_gpcs(bench, clusters, numbers);
  std::string text;
  std::string counts;
  for (const auto& sms : gpcs) {
    counts += (counts.empty() ? "" : ", ") + std::to_string(sms.size());
    text += (text.empty() ? "" : ", ") + json_list(sms);
  }
  answer.figure("sms_of_each_gpc", "[" + counts + "]");
  answer.figure("sm_numbers_of_each_gpc", "[" + text + "]");
  // As many clusters at once as the driver says?
  const cudaStream_t stream = common::new_stream(0);
  for (const unsigned size : sizes_of_clusters(bench, clusters)) {
    const auto most = static_cast<unsigned>(clusters.most_at_once(size, Bench::threads, bench.whole_sm()));
    unsigned reached = 0;
    play(std::min(runs, 5U), answer, [&](unsigned) {
      bench.forget();
      const Seen seen = clusters.hold(stream, size, most + 1, 200 * us);
      Bench::finish({stream});
      unsigned at_once = 0;
      for (unsigned c = 0; c <= most; ++c) {
        if (seen.start(c * size) < seen.first_end()) ++at_once;
      }
      reached = std::max(reached, at_once);
      return at_once == most ? Outcome::agrees : Outcome::contradicts;
    });
    answer.figure("clusters_of_" + std::to_string(size) + "_seen_at_once", reached);
  }
  answer.decide();
  return answer;
}

/// A scene in which all SMs but some of each GPC are held for 2 ms.
class HeldSms {
 public:
  HeldSms(Bench& bench, std::vector<std::vector<unsigned>> gpcs, Numbers& numbers)
      : bench_(bench),
        gpcs_(std::move(gpcs)),
        numbers_(numbers),
        lengths_(common::on_host<unsigned long long>(most_sm_numbers)),
        stream_(common::new_stream(0)) {}

  /// `free`: of each GPC, how many. Those are free from `free_from` on.
  Seen hold(const std::vector<unsigned>& free) {
    for (unsigned sm = 0; sm < most_sm_numbers; ++sm) lengths_[sm] = static_cast<unsigned long long>(2 * ms);
    for (std::size_t g = 0; g < gpcs_.size(); ++g) {
      std::vector<unsigned> sms = gpcs_[g];
      numbers_.shuffle(sms);
      // Not at once: a place that is free too early is taken by another of these blocks.
      for (unsigned i = 0; i < free[g] && i < sms.size(); ++i) lengths_[sms[i]] = static_cast<unsigned long long>(50 * us);
    }
    return bench_.hold_sms(stream_, lengths_);
  }
  /// For how long each SM is held when `free` of each GPC are free from the start and others, one after another, from `later` on.
  std::vector<std::int64_t> freed_in_turn(unsigned free, std::int64_t later) {
    constexpr unsigned steps = 8;
    std::vector<std::int64_t> lengths(most_sm_numbers);
    for (std::int64_t& length : lengths) length = later + 100 * us * numbers_.below(steps);
    for (std::vector<unsigned> sms : gpcs_) {
      numbers_.shuffle(sms);
      for (unsigned i = 0; i < free && i < sms.size(); ++i) lengths[sms[i]] = 50 * us;
    }
    return lengths;
  }
  Seen hold_for(const std::vector<std::int64_t>& lengths) {
    std::copy(lengths.begin(), lengths.end(), lengths_);
    return bench_.hold_sms(stream_, lengths_);
  }
  /// When the first of those that hold ends; 0: they did not take an SM each.
  [[nodiscard]] std::int64_t until(const Seen& held) const {
    if (held.sms().size() != held.blocks()) return 0;
    std::int64_t first = INT64_MAX;
    for (unsigned b = 0; b < held.blocks(); ++b) {
      if (held.end(b) - held.start(b) > ms) first = std::min(first, held.end(b));
    }
    return first;
  }
  /// How many SMs the GPC of that one has.
  [[nodiscard]] std::size_t size_of_gpc(unsigned sm) const {
    for (const auto& sms : gpcs_) {
      if (std::find(sms.begin(), sms.end(), sm) != sms.end()) return sms.size();
    }
    return 1;
  }
  [[nodiscard]] cudaStream_t stream() const { return stream_; }
  [[nodiscard]] const std::vector<std::vector<unsigned>>& gpcs() const { return gpcs_; }

 private:
  Bench& bench_;
  std::vector<std::vector<unsigned>> gpcs_;
  Numbers& numbers_;
  unsigned long long* lengths_;
  cudaStream_t stream_;
};

/// One cluster is launched while a GPC has just as many free SMs as it has blocks, or each GPC one less.
class ClusterScenes {
 public:
  explicit ClusterScenes(Bench& bench)
      : bench_(bench),
        clusters_(bench),
        held_(bench, find_gpcs(bench, clusters_, numbers_), numbers_),
        stream_(common::new_stream(0)),
        behind_(common::new_stream(0)) {}

  [[nodiscard]] std::vector<unsigned> sizes() const { return sizes_of_clusters(bench_, clusters_); }

  /// It is to start on that GPC. `margins`: how much earlier than others ended it did.
  Outcome fits(unsigned size, unsigned run, std::vector<std::int64_t>& margins) {
    std::vector<std::size_t> large;
    for (std::size_t g = 0; g < held_.gpcs().size(); ++g) {
      if (held_.gpcs()[g].size() >= size) large.push_back(g);
    }
    if (large.empty()) return Outcome::no_scene;
    const std::size_t chosen = large[run % large.size()];
    std::vector<unsigned> free(held_.gpcs().size());
    for (std::size_t g = 0; g < free.size(); ++g) free[g] = g == chosen ? size : numbers_.below(size);
    bench_.forget();
    const std::int64_t since = common::now();
    const Seen holding = held_.hold(free);
    Bench::pause(300 * us);
    const Seen cluster = clusters_.hold(stream_, size, 1, 20 * us);
    const bool in_time = Bench::in_time(held_.stream(), since);
    Bench::finish({held_.stream(), stream_});
    const std::int64_t until = held_.until(holding);
    if (!in_time || until == 0) return Outcome::no_scene;
    margins.push_back(until - cluster.last_start());
    return cluster.last_start() < until ? Outcome::agrees : Outcome::contradicts;
  }

  /// It is to wait until others end; `all`: SMs of GPCs that are too small for it are free, too. `behind`: whether a block that is launched
  /// behind it waits for it, though SMs are free; `where`: how many SMs the GPC of that block has.
  Outcome across(unsigned size, bool all, Outcome& behind, std::size_t& where) {
    bench_.forget();
    behind = Outcome::no_scene;
    const std::int64_t since = common::now();
    std::vector<unsigned> free(held_.gpcs().size());
    for (std::size_t g = 0; g < free.size(); ++g) free[g] = all || held_.gpcs()[g].size() >= size ? size - 1 : 0;
    const Seen holding = held_.hold(free);
    Bench::pause(300 * us);
    const Seen cluster = clusters_.hold(stream_, size, 1, 20 * us);
    Bench::pause(50 * us);
    const Seen one = bench_.hold(behind_, 1, 20 * us);
    const bool in_time = Bench::in_time(held_.stream(), since);
    Bench::finish({held_.stream(), stream_, behind_});
    const std::int64_t until = held_.until(holding);
    if (!in_time || until == 0) return Outcome::no_scene;
    if (cluster.first_start() < until) return Outcome::contradicts;
    behind = one.first_start() >= cluster.first_start() ? Outcome::agrees : Outcome::contradicts;
    where = held_.size_of_gpc(one.sm(0));
    return Outcome::agrees;
  }

  /// How long each SM is held while clusters of that size wait; each GPC has one SM less free than they need.
  std::vector<std::int64_t> draw(unsigned size) { return held_.freed_in_turn(size - 1, later); }
  /// When clusters started that waited, from the first start of what held SMs on, in order; none: there was no scene. `long_blocks`: with
  /// blocks of a millisecond for every SM behind them; `where`: the sizes of the GPCs on which such began before the last cluster did.
  std::vector<std::int64_t> starts(unsigned size, const std::vector<std::int64_t>& held_for, bool long_blocks,
                                   std::set<std::size_t>& where) {
    constexpr unsigned many = 12;  // more than start at once, so that some start where others have ended
    bench_.forget();
    const std::int64_t since = common::now();
    const Seen holding = held_.hold_for(held_for);
    Bench::pause(300 * us);
    const Seen clusters = clusters_.hold(stream_, size, many, 100 * us);
    Bench::pause(50 * us);
    const Seen behind = long_blocks ? bench_.hold(behind_, bench_.sms(), ms) : Seen();
    const bool in_time = common::now() - since < later - 200 * us;
    Bench::finish({held_.stream(), stream_, behind_});
    const std::int64_t begin = holding.first_start();
    if (!in_time || holding.sms().size() != holding.blocks() || clusters.first_start() < begin + later - 50 * us) return {};
    std::vector<std::int64_t> found;
    for (unsigned c = 0; c < many; ++c) found.push_back(clusters.start(c * size) - begin);
    std::sort(found.begin(), found.end());
    for (unsigned b = 0; b < behind.blocks(); ++b) {
      if (behind.start(b) < clusters.last_start()) where.insert(held_.size_of_gpc(behind.sm(b)));
    }
    return found;
  }

 private:
  static constexpr std::int64_t later = 1'000 * us;  // until then clusters wait
  Bench& bench_;
  Clusters clusters_;
  Numbers numbers_;
  HeldSms held_;
  cudaStream_t stream_, behind_;
};

inline std::string counts_of(const Answer& of) {
  return "{\"agreeing\": " + std::to_string(of.agreeing) + ", \"runs\": " + std::to_string(of.runs) + "}";
}

inline void add_to(Answer& sum, const Answer& part) {
  sum.agreeing += part.agreeing;
  sum.runs += part.runs;
  sum.wanted += part.wanted;
}

/// P3.
inline Answer cluster_start(Bench& bench, unsigned runs) {
  ClusterScenes scenes(bench);
  Answer answer;
  std::vector<std::int64_t> margins;
  for (const unsigned size : scenes.sizes()) {
    Answer fits;
    play(runs, fits, [&](unsigned run) { return scenes.fits(size, run, margins); });
    Answer across;
    Outcome behind{};
    std::size_t where = 0;
    play(runs, across, [&](unsigned) { return scenes.across(size, true, behind, where); });
    answer.figure("starts_where_it_fits_" + std::to_string(size), counts_of(fits));
    answer.figure("waits_where_it_fits_only_across_gpcs_" + std::to_string(size), counts_of(across));
    add_to(answer, fits);
    add_to(answer, across);
  }
  answer.margin(margins);
  answer.decide();
  return answer;
}

/// Whether what is behind a cluster that waits, waits too: one queue of which nothing overtakes the head.
inline Answer cluster_queue(Bench& bench, unsigned runs) {
  ClusterScenes scenes(bench);
  Answer answer;
  for (const unsigned size : scenes.sizes()) {
    for (const bool all : {false, true}) {
      Answer waits;
      std::set<std::size_t> went_to;
      play(runs, waits, [&](unsigned) {
        Outcome behind{};
        std::size_t where = 0;
        (void)scenes.across(size, all, behind, where);
        if (behind == Outcome::contradicts) went_to.insert(where);
        return behind;
      });
      const std::string name = "behind_clusters_of_" + std::to_string(size) + (all ? "_smaller_gpcs_free" : "_smaller_gpcs_held");
      answer.figure(name, counts_of(waits));
      answer.figure(name + "_overtook_on_gpcs_of", json_list(went_to));
      add_to(answer, waits);
    }
  }
  answer.decide();
  return answer;
}

/// How much later the first list has an entry than the other at most; 0: none.
inline std::int64_t latest(const std::vector<std::int64_t>& these, const std::vector<std::int64_t>& those) {
  std::int64_t most = 0;
  for (std::size_t i = 0; i < these.size(); ++i) most = std::max(most, these[i] - those[i]);
  return most;
}

/// How much later clusters started with long blocks behind them than in both of two runs without; below 0: a scene did not come about.
/// `where`: as `ClusterScenes::starts`. `unlike`: how much the two differ.
inline std::int64_t delay_of(ClusterScenes& scenes, unsigned size, const std::vector<std::int64_t>& held_for, std::set<std::size_t>& where,
                             std::int64_t& unlike) {
  const auto before = scenes.starts(size, held_for, false, where);
  const auto with = scenes.starts(size, held_for, true, where);
  const auto after = scenes.starts(size, held_for, false, where);
  if (before.empty() || with.empty() || after.empty()) return -1;
  unlike = std::max(latest(before, after), latest(after, before));
  std::vector<std::int64_t> without;
  for (std::size_t c = 0; c < before.size(); ++c) without.push_back(std::max(before[c], after[c]));
  return latest(with, without);
}

/// Whether clusters that wait start as early with long blocks behind them as without. SMs become free in steps of 100 us. Which of several
/// GPCs a cluster takes may differ from run to run, and with it where the next one fits: only what is later than in both runs without long
/// blocks is a delay, and it has to come again when the same SMs are held once more.
inline Answer cluster_delay(Bench& bench, unsigned runs) {
  constexpr std::int64_t same = 50 * us;
  ClusterScenes scenes(bench);
  Answer answer;
  for (const unsigned size : scenes.sizes()) {
    Answer in_time;
    std::set<std::size_t> went_to;
    std::int64_t most = 0;
    unsigned overtaken = 0;
    unsigned unlike = 0;
    unsigned once = 0;
    play(runs, in_time, [&](unsigned) {
      const auto held_for = scenes.draw(size);
      std::set<std::size_t> where;
      std::int64_t between = 0;
      std::int64_t delay = delay_of(scenes, size, held_for, where, between);
      if (delay < 0) return Outcome::no_scene;
      overtaken += where.empty() ? 0 : 1;
      unlike += between > same ? 1 : 0;
      went_to.insert(where.begin(), where.end());
      if (delay > same) {
        const std::int64_t again = delay_of(scenes, size, held_for, where, between);
        if (again < 0) return Outcome::no_scene;
        once += again <= same ? 1 : 0;
        delay = std::min(delay, again);
      }
      most = std::max(most, delay);
      return delay <= same ? Outcome::agrees : Outcome::contradicts;
    });
    const std::string name = "clusters_of_" + std::to_string(size);
    answer.figure(name, counts_of(in_time));
    answer.figure(name + "_latest_by_ns", most);
    answer.figure(name + "_delays_that_did_not_come_again", once);
    answer.figure(name + "_runs_without_that_differed", unlike);
    answer.figure(name + "_runs_with_long_blocks_that_began_before_them", overtaken);
    answer.figure(name + "_where_those_began_gpcs_of", json_list(went_to));
    add_to(answer, in_time);
  }
  answer.decide();
  return answer;
}

}  // namespace probes
