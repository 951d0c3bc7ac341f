// Histograms of oriented gradients at several scales, and a linear classifier of their windows.
#pragma once

#include <cuda_runtime.h>

namespace hog {

constexpr int cell = 8;                    // pixels in each direction
constexpr int bins = 9;                    // orientations
constexpr int parts = 4;                   // cells of a block, 2 x 2
constexpr int window_x = 3, window_y = 3;  // blocks of a window
constexpr int features = parts * bins;     // of a block
constexpr int weights_of_window = window_x * window_y * features;

struct Size {
  int width, height;

  [[nodiscard]] __host__ __device__ int area() const { return width * height; }
};
__host__ __device__ inline Size half(Size size) { return {size.width / 2, size.height / 2}; }
__host__ __device__ inline Size cells(Size picture) { return {picture.width / cell, picture.height / cell}; }
__host__ __device__ inline Size blocks(Size picture) { return {cells(picture).width - 1, cells(picture).height - 1}; }
__host__ __device__ inline Size windows(Size picture) {
  return {blocks(picture).width - window_x + 1, blocks(picture).height - window_y + 1};
}

/// The mean of four pixels.
__host__ __device__ inline unsigned char halved(const unsigned char* in, Size size, int x, int y) {
  const unsigned char* at = in + 2 * y * size.width + 2 * x;
  return static_cast<unsigned char>((at[0] + at[1] + at[size.width] + at[size.width + 1] + 2) / 4);
}

__global__ void resize(const unsigned char* in, Size size, unsigned char* out) {
  const Size to = half(size);
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < to.area()) out[i] = halved(in, size, i % to.width, i / to.width);
}

/// Its length times bins, plus the bin of its orientation; in whole numbers, so that every machine finds the same.
__host__ __device__ inline int gradient_at(const unsigned char* in, Size size, int x, int y) {
  const int x_before = x > 0 ? x - 1 : x, x_after = x + 1 < size.width ? x + 1 : x;
  const int y_before = y > 0 ? y - 1 : y, y_after = y + 1 < size.height ? y + 1 : y;
  int along = in[y * size.width + x_after] - in[y * size.width + x_before];
  int down = in[y_after * size.width + x] - in[y_before * size.width + x];
  if (down < 0) {  // an orientation has no sign
    along = -along;
    down = -down;
  }
  const int length = (along < 0 ? -along : along) + down;
  // Turns by 20 degrees until the gradient is passed; cosine and sine in 1/1024.
  constexpr int cosines[bins - 1] = {962, 784, 512, 178, -178, -512, -784, -962};
  constexpr int sines[bins - 1] = {350, 658, 887, 1008, 1008, 887, 658, 350};
  int bin = 0;
  for (int k = 0; k < bins - 1; ++k) bin += cosines[k] * down >= sines[k] * along ? 1 : 0;
  return length * bins + bin;
}

__global__ void gradient(const unsigned char* in, Size size, int* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < size.area()) out[i] = gradient_at(in, size, i % size.width, i / size.width);
}

/// A block per cell, a thread per pixel.
__global__ void histogram(const int* gradients, Size size, unsigned* out) {
  __shared__ unsigned local[bins];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int own = y * cell + x;
  if (own < bins) local[own] = 0;
  __syncthreads();
  const int found = gradients[(static_cast<int>(blockIdx.y) * cell + y) * size.width + static_cast<int>(blockIdx.x) * cell + x];
  atomicAdd(&local[found % bins], static_cast<unsigned>(found / bins));
  __syncthreads();
  if (own < bins) out[static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x) * bins + own] = local[own];
}

/// The histograms of a block's cells, by their sum.
__host__ __device__ inline void normalised(const unsigned* histograms, Size picture, int x, int y, float* out) {
  float sum = 1;
  for (int f = 0; f < features; ++f) {
    const int at = (y + f / bins / 2) * cells(picture).width + x + f / bins % 2;
    out[f] = static_cast<float>(histograms[at * bins + f % bins]);
    sum += out[f];
  }
  for (int f = 0; f < features; ++f) out[f] /= sum;
}

__global__ void normalise(const unsigned* histograms, Size picture, float* out) {
  const Size all = blocks(picture);
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < all.area()) normalised(histograms, picture, i % all.width, i / all.width, out + i * features);
}

__host__ __device__ inline float classified(const float* normal, Size picture, const float* weights, int x, int y) {
  float sum = 0;
  for (int w = 0; w < weights_of_window; ++w) {
    const int block = w / features;
    sum += weights[w] * normal[((y + block / window_x) * blocks(picture).width + x + block % window_x) * features + w % features];
  }
  return sum;
}

__global__ void classify(const float* normal, Size picture, const float* weights, float* scores) {
  const Size all = windows(picture);
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < all.area()) scores[i] = classified(normal, picture, weights, i % all.width, i / all.width);
}

}  // namespace hog
