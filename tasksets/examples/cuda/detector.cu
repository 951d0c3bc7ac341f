// A detector, to be recorded (docs/guide-record.md): pictures come by a timer; a convolutional network and histograms of oriented gradients
// at three scales look at each in two streams, a third one copies. At the end the scores of the last picture are checked on the host; exit
// status 1: they are wrong, or CUDA failed. Usage: detector [FRAMES [PERIOD_MS [WIDTH]]] Build: nvcc -std=c++17 -O2 -arch=native -o
// detector tasksets/examples/cuda/detector.cu
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "hog.cuh"
#include "network.cuh"

namespace {

using Pixel = unsigned char;
constexpr unsigned threads = 256;
constexpr int scales = 3;

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "detector: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(1);
}
#define CHECK(call) check(call, #call)

template <class T>
T* on_device(std::size_t count) {
  T* memory = nullptr;
  CHECK(cudaMalloc(&memory, count * sizeof(T)));
  return memory;
}

template <class T>
T* pinned(std::size_t count) {
  T* memory = nullptr;
  CHECK(cudaMallocHost(&memory, count * sizeof(T)));
  return memory;
}

cudaStream_t stream() {
  cudaStream_t made = nullptr;
  CHECK(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
  return made;
}

cudaEvent_t event() {
  cudaEvent_t made = nullptr;
  CHECK(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
  return made;
}

unsigned blocks_for(int elements) { return (static_cast<unsigned>(elements) + threads - 1) / threads; }

/// Weights on host and device: small numbers that look random, the same in each run.
class Weights {
 public:
  Weights(int count, cudaStream_t in) : host_(static_cast<std::size_t>(count)), device_(on_device<float>(host_.size())) {
    static unsigned state = 1;
    for (float& weight : host_) {
      state = state * 1664525U + 1013904223U;
      weight = static_cast<float>(state >> 16U) / 65536.0F - 0.5F;
    }
    CHECK(cudaMemcpyAsync(device_, host_.data(), host_.size() * sizeof(float), cudaMemcpyHostToDevice, in));
    CHECK(cudaStreamSynchronize(in));
  }
  [[nodiscard]] const float* host() const { return host_.data(); }
  [[nodiscard]] const float* device() const { return device_; }

 private:
  std::vector<float> host_;
  float* device_;
};

class Network {
 public:
  Network(network::Size picture, cudaStream_t copies)
      : sizes_{picture, half(picture), half(half(picture)), half(half(half(picture)))},
        first_(network::channels_1 * network::taps, copies),
        second_(network::channels_2 * network::channels_1 * network::taps, copies),
        third_(network::row_3 * network::channels_3, copies),
        fourth_(network::channels_3 * network::hidden, copies),
        fifth_(network::hidden * network::classes, copies) {}

  [[nodiscard]] int places() const { return area(3); }
  [[nodiscard]] int scores() const { return places() * network::classes; }
  [[nodiscard]] const float* result() const { return scores_; }

  void launch(const Pixel* picture, cudaStream_t in) const {
    using namespace network;
    const dim3 block(32, 8);
    const auto grid = [&](Size to, int channels) {
      return dim3((static_cast<unsigned>(to.width) + 31) / 32, (static_cast<unsigned>(to.height) + 7) / 8, static_cast<unsigned>(channels));
    };
    convolve<<<grid(sizes_[1], channels_1), block, 0, in>>>(picture, sizes_[0], 1, first_.device(), layer_1_);
    convolve<<<grid(sizes_[2], channels_2), block, 0, in>>>(static_cast<const float*>(layer_1_), sizes_[1], channels_1, second_.device(),
                                                            layer_2_);
    im2col<<<blocks_for(places() * row_3), threads, 0, in>>>(layer_2_, sizes_[2], places(), columns_);
    const dim3 square(tile, tile);
    const auto tiles = static_cast<unsigned>(places() / tile);
    multiply<<<dim3(channels_3 / tile, tiles), square, 0, in>>>(columns_, third_.device(), row_3, channels_3, true, layer_3_);
    multiply<<<dim3(hidden / tile, tiles), square, 0, in>>>(layer_3_, fourth_.device(), channels_3, hidden, true, layer_4_);
    multiply<<<dim3(classes / tile, tiles), square, 0, in>>>(layer_4_, fifth_.device(), hidden, classes, false, scores_);
    CHECK(cudaGetLastError());
  }

  [[nodiscard]] std::vector<float> on_host(const Pixel* picture) const {
    using namespace network;
    const auto one = convolution(picture, 0, 1, channels_1, first_.host());
    const auto two = convolution(one.data(), 1, channels_1, channels_2, second_.host());
    std::vector<float> columns(static_cast<std::size_t>(places()) * row_3);
    for (int i = 0; i < places() * row_3; ++i)
      columns[static_cast<std::size_t>(i)] = of_column(two.data(), sizes_[2], i / row_3, i % row_3);
    return product(product(product(columns, third_.host(), row_3, channels_3, true), fourth_.host(), channels_3, hidden, true),
                   fifth_.host(), hidden, classes, false);
  }

 private:
  [[nodiscard]] int area(std::size_t layer) const { return sizes_[layer].width * sizes_[layer].height; }
  [[nodiscard]] std::size_t elements(std::size_t layer, int channels) const { return static_cast<std::size_t>(area(layer) * channels); }

  template <class Value>
  std::vector<float> convolution(const Value* in, std::size_t layer, int channels, int channels_out, const float* weights) const {
    const network::Size to = sizes_[layer + 1];
    std::vector<float> out(elements(layer + 1, channels_out));
    for (int i = 0; i < area(layer + 1) * channels_out; ++i) {
      const int place = i % area(layer + 1);
      out[static_cast<std::size_t>(i)] =
          network::convolved(in, sizes_[layer], channels, weights, i / area(layer + 1), place % to.width, place / to.width);
    }
    return out;
  }

  static std::vector<float> product(const std::vector<float>& in, const float* weights, int inner, int columns, bool positive) {
    const int rows = static_cast<int>(in.size()) / inner;
    std::vector<float> out(static_cast<std::size_t>(rows * columns), 0.0F);
    for (int row = 0; row < rows; ++row) {
      float* const sums = &out[static_cast<std::size_t>(row * columns)];
      for (int k = 0; k < inner; ++k) {
        const float factor = in[static_cast<std::size_t>(row * inner + k)];
        for (int column = 0; column < columns; ++column) sums[column] += factor * weights[k * columns + column];
      }
      for (int column = 0; positive && column < columns; ++column) sums[column] = std::max(sums[column], 0.0F);
    }
    return out;
  }

  std::array<network::Size, 4> sizes_;
  Weights first_, second_, third_, fourth_, fifth_;
  float* layer_1_ = on_device<float>(elements(1, network::channels_1));
  float* layer_2_ = on_device<float>(elements(2, network::channels_2));
  float* columns_ = on_device<float>(elements(3, network::row_3));
  float* layer_3_ = on_device<float>(elements(3, network::channels_3));
  float* layer_4_ = on_device<float>(elements(3, network::hidden));
  float* scores_ = on_device<float>(elements(3, network::classes));
};

/// The scores of all scales lie one after the other.
class Pyramid {
 public:
  Pyramid(hog::Size picture, cudaStream_t copies) : weights_(hog::weights_of_window, copies) {
    for (Level& level : levels_) {
      level.size = picture;
      level.first_score = scores_;
      scores_ += hog::windows(picture).area();
      if (&level != levels_.data()) level.picture = on_device<Pixel>(static_cast<std::size_t>(picture.area()));
      level.gradients = on_device<int>(static_cast<std::size_t>(picture.area()));
      level.histograms = on_device<unsigned>(static_cast<std::size_t>(hog::cells(picture).area() * hog::bins));
      level.normal = on_device<float>(static_cast<std::size_t>(hog::blocks(picture).area() * hog::features));
      picture = half(picture);
    }
    result_ = on_device<float>(static_cast<std::size_t>(scores_));
  }

  [[nodiscard]] int scores() const { return scores_; }
  [[nodiscard]] const float* result() const { return result_; }

  void launch(const Pixel* picture, cudaStream_t in) const {
    using namespace hog;
    for (std::size_t k = 0; k < scales; ++k) {
      const Level& level = levels_[k];
      if (k > 0) {
        resize<<<blocks_for(level.size.area()), threads, 0, in>>>(picture, levels_[k - 1].size, level.picture);
        picture = level.picture;
      }
      const dim3 grid(static_cast<unsigned>(cells(level.size).width), static_cast<unsigned>(cells(level.size).height));
      gradient<<<blocks_for(level.size.area()), threads, 0, in>>>(picture, level.size, level.gradients);
      histogram<<<grid, dim3(cell, cell), 0, in>>>(level.gradients, level.size, level.histograms);
      normalise<<<blocks_for(blocks(level.size).area()), threads, 0, in>>>(level.histograms, level.size, level.normal);
      classify<<<blocks_for(windows(level.size).area()), threads, 0, in>>>(level.normal, level.size, weights_.device(),
                                                                           result_ + level.first_score);
    }
    CHECK(cudaGetLastError());
  }

  [[nodiscard]] std::vector<float> on_host(const Pixel* first) const {
    using namespace hog;
    std::vector<float> scores;
    std::vector<Pixel> picture(first, first + levels_[0].size.area());
    for (const Level& level : levels_) {
      const Size size = level.size;
      if (&level != levels_.data()) {
        const Size before{2 * size.width, 2 * size.height};
        std::vector<Pixel> smaller(static_cast<std::size_t>(size.area()));
        for (int i = 0; i < size.area(); ++i)
          smaller[static_cast<std::size_t>(i)] = halved(picture.data(), before, i % size.width, i / size.width);
        picture = std::move(smaller);
      }
      std::vector<unsigned> histograms(static_cast<std::size_t>(cells(size).area() * bins));
      for (int y = 0; y < size.height; ++y) {
        for (int x = 0; x < size.width; ++x) {
          const int found = gradient_at(picture.data(), size, x, y);
          histograms[static_cast<std::size_t>((y / cell * cells(size).width + x / cell) * bins + found % bins)] +=
              static_cast<unsigned>(found / bins);
        }
      }
      std::vector<float> normal(static_cast<std::size_t>(blocks(size).area() * features));
      for (int i = 0; i < blocks(size).area(); ++i)
        normalised(histograms.data(), size, i % blocks(size).width, i / blocks(size).width,
                   &normal[static_cast<std::size_t>(i * features)]);
      for (int i = 0; i < windows(size).area(); ++i)
        scores.push_back(classified(normal.data(), size, weights_.host(), i % windows(size).width, i / windows(size).width));
    }
    return scores;
  }

 private:
  struct Level {
    hog::Size size{};
    int first_score = 0;
    Pixel* picture = nullptr;  // the first level's is the camera's
    int* gradients = nullptr;
    unsigned* histograms = nullptr;
    float* normal = nullptr;
  };

  Weights weights_;
  std::array<Level, scales> levels_;
  int scores_ = 0;
  float* result_ = nullptr;
};

/// How many differ by more than rounding does.
std::size_t wrong(const float* found, const std::vector<float>& expected) {
  float largest = 0;
  for (const float score : expected) largest = std::max(largest, std::fabs(score));
  std::size_t count = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (!(std::fabs(found[i] - expected[i]) <= 1e-4F * largest)) ++count;
  }
  return count;
}

int number(int argc, char** argv, int at, int otherwise, int least, int most) {
  const int given = argc > at ? std::atoi(argv[at]) : otherwise;
  if (given >= least && given <= most) return given;
  std::fprintf(stderr, "usage: detector [FRAMES [PERIOD_MS [WIDTH]]]; '%s': allowed are %d to %d\n", argv[at], least, most);
  std::exit(2);
}

}  // namespace

int main(int argc, char** argv) {
  const int frames = number(argc, argv, 1, 300, 1, 1'000'000);
  const std::chrono::milliseconds period(number(argc, argv, 2, 20, 1, 10'000));
  const int width = number(argc, argv, 3, 2048, 256, 8192) / 256 * 256;  // layers of the network are whole tiles
  const int height = width / 2;
  const auto pixels = static_cast<std::size_t>(width * height);

  // What the camera sees moves by a few pixels from picture to picture.
  constexpr int speed = 4, steps = 16;
  std::vector<Pixel> scene(pixels + speed * steps);
  for (std::size_t i = 0; i < scene.size(); ++i) scene[i] = static_cast<Pixel>((i % 251 * (i / 1021 % 7 + 1) + i / 4096) % 256);
  const cudaStream_t copies = stream(), first = stream(), second = stream();
  const Network network({width, height}, copies);
  const Pyramid pyramid({width, height}, copies);
  const auto network_scores = static_cast<std::size_t>(network.scores());
  const auto pyramid_scores = static_cast<std::size_t>(pyramid.scores());
  auto* const picture = pinned<Pixel>(pixels);
  auto* const of_network = pinned<float>(network_scores);
  auto* const of_pyramid = pinned<float>(pyramid_scores);
  auto* const on_gpu = on_device<Pixel>(pixels);
  const cudaEvent_t uploaded = event(), classified = event(), searched = event();
  cudaEvent_t done = nullptr;  // the host sleeps until it has come
  CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming | cudaEventBlockingSync));

  int best = 0;
  // rta: job frame
  const auto look = [&](int f) {
    std::memcpy(picture, scene.data() + speed * (f % steps), pixels);
    CHECK(cudaMemcpyAsync(on_gpu, picture, pixels, cudaMemcpyHostToDevice, copies));
    CHECK(cudaEventRecord(uploaded, copies));
    CHECK(cudaStreamWaitEvent(first, uploaded, 0));
    network.launch(on_gpu, first);
    CHECK(cudaEventRecord(classified, first));
    CHECK(cudaStreamWaitEvent(second, uploaded, 0));
    pyramid.launch(on_gpu, second);
    CHECK(cudaEventRecord(searched, second));
    CHECK(cudaStreamWaitEvent(copies, classified, 0));
    CHECK(cudaMemcpyAsync(of_network, network.result(), network_scores * sizeof(float), cudaMemcpyDeviceToHost, copies));
    CHECK(cudaStreamWaitEvent(copies, searched, 0));
    CHECK(cudaMemcpyAsync(of_pyramid, pyramid.result(), pyramid_scores * sizeof(float), cudaMemcpyDeviceToHost, copies));
    CHECK(cudaEventRecord(done, copies));
    CHECK(cudaEventSynchronize(done));
    best = static_cast<int>(std::max_element(of_pyramid, of_pyramid + pyramid_scores) - of_pyramid);
  };
  look(0);  // loads the kernels
  auto next = std::chrono::steady_clock::now();
  for (int f = 0; f < frames; ++f) {
    std::this_thread::sleep_until(next += period);
    nvtxRangePushA("frame");
    look(f);
    nvtxRangePop();
  }

  const std::size_t wrong_classes = wrong(of_network, network.on_host(picture));
  const std::size_t wrong_windows = wrong(of_pyramid, pyramid.on_host(picture));
  std::printf("%d frames of %d x %d pixels; best window %d of %zu; wrong: %zu of %zu scores of the network, %zu of the pyramid\n", frames,
              width, height, best, pyramid_scores, wrong_classes, network_scores, wrong_windows);
  return wrong_classes + wrong_windows == 0 ? 0 : 1;
}
