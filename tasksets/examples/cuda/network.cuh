// A small convolutional network: two convolutions, a third one as im2col and matrix product, and two fully connected layers, which give
// each place of the picture a score for each class. Every layer has its result of one element in a function of its own, by which the host
// checks the kernels.
#pragma once

#include <cuda_runtime.h>

namespace network {

/// Numbers of channels, and of columns of the matrices.
constexpr int channels_1 = 8, channels_2 = 16, channels_3 = 32, hidden = 64, classes = 16;
constexpr int taps = 9;  // of a convolution of 3 x 3
constexpr int row_3 = channels_2 * taps;
constexpr int tile = 16;  // elements of a matrix that a block has in each direction

/// Of a layer: every convolution halves both.
struct Size {
  int width, height;
};
__host__ __device__ inline Size half(Size size) { return {size.width / 2, size.height / 2}; }

/// What stands at the place, 0 outside of the picture.
template <class Value>
__host__ __device__ inline float value_at(const Value* plane, Size size, int x, int y) {
  return x < 0 || y < 0 || x >= size.width || y >= size.height ? 0 : static_cast<float>(plane[y * size.width + x]);
}

/// One element of a convolution of 3 x 3 in steps of 2 that leaves out what is negative.
template <class Value>
__host__ __device__ inline float convolved(const Value* in, Size size, int channels, const float* weights, int channel, int x, int y) {
  float sum = 0;
  for (int c = 0; c < channels; ++c) {
    for (int t = 0; t < taps; ++t) {
      const float weight = weights[(channel * channels + c) * taps + t];
      sum += weight * value_at(in + c * size.width * size.height, size, 2 * x + t % 3 - 1, 2 * y + t / 3 - 1);
    }
  }
  return sum > 0 ? sum : 0;
}

/// Threads along x and y are places, blocks along z channels of the result.
template <class Value>
__global__ void convolve(const Value* in, Size size, int channels, const float* weights, float* out) {
  const Size to = half(size);
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int channel = static_cast<int>(blockIdx.z);
  if (x < to.width && y < to.height) out[(channel * to.height + y) * to.width + x] = convolved(in, size, channels, weights, channel, x, y);
}

/// Row: a place; column: what the convolution of this place takes there.
__host__ __device__ inline float of_column(const float* in, Size size, int row, int column) {
  const int width = half(size).width;
  const int t = column % taps;
  return value_at(in + column / taps * size.width * size.height, size, 2 * (row % width) + t % 3 - 1, 2 * (row / width) + t / 3 - 1);
}

__global__ void im2col(const float* in, Size size, int rows, float* out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < rows * row_3) out[i] = of_column(in, size, i / row_3, i % row_3);
}

/// out = in x weights, of `rows` x `inner` and `inner` x `columns` elements, without what is negative where `positive`. All are multiples
/// of a tile.
__global__ void multiply(const float* in, const float* weights, int inner, int columns, bool positive, float* out) {
  __shared__ float left[tile][tile];
  __shared__ float right[tile][tile];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int column = static_cast<int>(blockIdx.x) * tile + x;
  const int row = static_cast<int>(blockIdx.y) * tile + y;
  float sum = 0;
  for (int first = 0; first < inner; first += tile) {
    left[y][x] = in[row * inner + first + x];
    right[y][x] = weights[(first + y) * columns + column];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  out[row * columns + column] = positive && sum < 0 ? 0 : sum;
}

}  // namespace network
