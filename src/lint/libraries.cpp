#include "libraries.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace rta::lint {
namespace {

constexpr std::array<std::string_view, 12> cublas_exempt{"cublasSet",  "cublasGet",      "cublasCreate", "cublasDestroy",
                                                         "cublasLt",   "cublasXt",       "cublasAlloc",  "cublasFree",
                                                         "cublasInit", "cublasShutdown", "cublasLogger", "cublasMigrate"};
constexpr std::array<std::string_view, 7> cudnn_exempt{"cudnnSet",   "cudnnGet",     "cudnnCreate", "cudnnDestroy",
                                                       "cudnnQuery", "cudnnBackend", "cudnnInit"};
constexpr std::array<std::string_view, 1> cufft_only{"cufftExec"};
constexpr std::array<std::string_view, 1> curand_only{"curandGenerate"};
constexpr std::array<std::string_view, 4> cusparse_exempt{"cusparseSet", "cusparseGet", "cusparseCreate", "cusparseDestroy"};
constexpr std::array<std::string_view, 4> cusolver_exempt{"cusolverDnSet", "cusolverDnGet", "cusolverDnCreate", "cusolverDnDestroy"};

constexpr std::array<Library, 6> known_libraries{{
    {"cublas", "cublasSetStream", cublas_exempt, {}},
    {"cudnn", "cudnnSetStream", cudnn_exempt, {}},
    {"cufft", "cufftSetStream", {}, cufft_only},
    {"curand", "curandSetStream", {}, curand_only},
    {"cusparse", "cusparseSetStream", cusparse_exempt, {}},
    {"cusolverDn", "cusolverDnSetStream", cusolver_exempt, {}},
}};

constexpr std::array<std::string_view, 37> unknown_headers{"ATen/",       "Kokkos_",  "NvCaffeParser", "NvOnnxParser", "arrayfire",
                                                           "c10/cuda",    "cuco/",    "cudf/",         "cudss",        "cufile",
                                                           "cugraph/",    "cuml/",    "cusolverMg",    "cusolverRf",   "cusolverSp",
                                                           "cusparseLt",  "cutensor", "cutlass/",      "cuvs/",        "dali/",
                                                           "faiss/",      "nvcomp",   "nvcuvid",       "nvcv/",        "nvjpeg",
                                                           "nvshmem",     "nvtiff",   "nvvpi",         "onnxruntime",  "opencv2/core/cuda",
                                                           "opencv2/cud", "pcl/gpu/", "raft/",         "rmm/",         "tensorflow/",
                                                           "torch/",      "vpi/"};

}  // namespace

bool is_unknown_library(std::string_view header) {
  return std::ranges::any_of(unknown_headers, [&](std::string_view prefix) { return header.starts_with(prefix); });
}

const Library* library_of(std::string_view name) {
  const auto begins = [&](std::string_view prefix) { return name.starts_with(prefix); };
  for (const Library& library : known_libraries) {
    if (!begins(library.prefix) || name.size() == library.prefix.size()) continue;
    const char next = name[library.prefix.size()];
    if (next < 'A' || next > 'Z') continue;  // `cublas_handle` is a variable
    if (!library.only.empty()) return std::ranges::any_of(library.only, begins) ? &library : nullptr;
    return std::ranges::any_of(library.exempt, begins) ? nullptr : &library;
  }
  return nullptr;
}

}  // namespace rta::lint
