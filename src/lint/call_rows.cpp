// The table of calls: Yang (2020), what CUDA documents, and what `rta examine` measures.
#include "call_table.hpp"

namespace rta::lint {
namespace {

using enum Answer;
using enum RuleId;
using C = Condition;

// Yang (2020), Table 3.8, the observed columns.
constexpr Effects of_device_sync{no, no, yes};
constexpr Effects of_free{yes, yes, yes};
constexpr Effects of_malloc{unclear, no, no};
constexpr Effects of_memset{no, yes, no};
constexpr Effects of_wait{no, no, yes};
// The same, 3.2.1: whatever is put into the NULL stream.
constexpr Effects on_null_stream{no, yes, no};
constexpr Effects of_sync_copy{unclear, yes, yes};

constexpr CallRow row(std::string_view name, RuleId rule, Effects effects = {}, std::string_view measured = {}) {
  return {.name = name, .rule = rule, .effects = effects, .measured = measured};
}
constexpr CallRow when(std::string_view name, RuleId rule, Condition condition, std::int8_t argument, Effects effects = {}) {
  return {.name = name, .rule = rule, .condition = condition, .argument = argument, .effects = effects};
}
/// The argument that names the stream.
constexpr CallRow in_stream(std::string_view name, std::int8_t argument) {
  return {.name = name,
          .rule = null_stream,
          .condition = C::stream,
          .argument = argument,
          .effects = on_null_stream,
          .measured = "cudaMemsetAsync NULL stream|kernel NULL stream"};
}
/// The stream is the last of at least so many arguments.
constexpr CallRow in_last(std::string_view name, std::int8_t before) {
  CallRow made = in_stream(name, before);
  made.last = true;
  return made;
}
constexpr CallRow pageable(std::string_view name, std::int8_t source, std::int8_t target, std::int8_t direction) {
  return {.name = name,
          .rule = pageable_copy,
          .condition = C::pageable,
          .argument = direction,
          .source = source,
          .target = target,
          .effects = {unclear, unclear, unclear},
          .measured = "cudaMemcpyAsync H-D pageable|cudaMemcpyAsync D-H pageable"};
}
constexpr CallRow spins(std::string_view name, Condition condition, std::int8_t argument, std::string_view measured) {
  return {.name = name, .rule = active_wait, .condition = condition, .argument = argument, .effects = of_wait, .measured = measured};
}
constexpr CallRow says(std::string_view name, RuleId rule, std::string_view words) { return {.name = name, .rule = rule, .says = words}; }
constexpr CallRow mentioned(std::string_view name, RuleId rule, bool everywhere, std::string_view words) {
  return {.name = name, .rule = rule, .condition = C::mention, .everywhere = everywhere, .says = words};
}

/// Of TensorRT.
constexpr CallRow of_object(CallRow made) {
  made.is_member = true;
  return made;
}

constexpr std::string_view makes_handle = "makes a handle, which allocates memory and loads kernels";
constexpr std::string_view loads_code = "loads code";
constexpr std::string_view makes_plan = "makes a plan, which allocates memory and loads kernels";
constexpr std::string_view takes_from_pool =
    "takes memory from a pool: it may make its stream wait for another one that gives memory back (unless "
    "cudaMemPoolReuseAllowInternalDependencies is 0), and asks the system for more where the pool has none (fill it first, with a release "
    "threshold)";
constexpr std::string_view gives_to_pool =
    "gives memory back to a pool, for which other streams may be made to wait (unless cudaMemPoolReuseAllowInternalDependencies is 0)";
constexpr std::string_view asks_for_clusters = "asks for clusters, whose blocks have to start together";
constexpr std::string_view graph_from_kernel = "is for graphs that kernels launch";
constexpr std::string_view own_carveout = "asks for a carve-out of the kernel's own, for which an SM may have to drain";
constexpr CallRow from_pool(std::string_view name, std::string_view words, std::string_view measured) {
  return {.name = name, .rule = allocation, .measured = measured, .says = words};
}

constexpr CallRow table[] = {
    row("cudaDeviceSynchronize", device_sync, of_device_sync, "cudaDeviceSynchronize"),
    row("cudaThreadSynchronize", device_sync, of_device_sync, "cudaDeviceSynchronize"),
    row("cuCtxSynchronize", device_sync, of_device_sync, "cudaDeviceSynchronize"),

    row("cudaFree", free, of_free, "cudaFree"),
    row("cudaFreeHost", free, of_free, "cudaFreeHost"),
    row("cudaFreeArray", free),
    row("cudaFreeMipmappedArray", free),
    row("cudaHostUnregister", free),
    row("cudaDestroyExternalMemory", free),
    row("cuMemFree", free, of_free, "cudaFree"),
    row("cuMemFreeHost", free, of_free, "cudaFreeHost"),
    row("cuMemHostUnregister", free),
    row("cuArrayDestroy", free),
    row("cuMipmappedArrayDestroy", free),
    row("device_free", free, of_free, "cudaFree"),
    row("device_delete", free, of_free, "cudaFree"),
    row("nppiFree", free, of_free, "cudaFree"),
    row("nppsFree", free, of_free, "cudaFree"),
    says("cudaMemPoolTrimTo", free, "gives a pool's memory back"),
    says("cuMemPoolTrimTo", free, "gives a pool's memory back"),
    row("cuMemUnmap", free),
    row("cuMemRelease", free),

    row("cudaMalloc", allocation, of_malloc, "cudaMalloc"),
    row("cudaMallocPitch", allocation, of_malloc, "cudaMalloc"),
    row("cudaMalloc3D", allocation, of_malloc, "cudaMalloc"),
    row("cudaMallocArray", allocation),
    row("cudaMalloc3DArray", allocation),
    row("cudaMallocMipmappedArray", allocation),
    row("cudaMallocManaged", allocation),
    row("cudaMallocHost", allocation, of_malloc, "cudaMallocHost"),
    row("cudaHostAlloc", allocation, of_malloc, "cudaMallocHost"),
    row("cudaHostRegister", allocation),
    row("cuMemAlloc", allocation, of_malloc, "cudaMalloc"),
    row("cuMemAllocPitch", allocation, of_malloc, "cudaMalloc"),
    row("cuMemAllocManaged", allocation),
    row("cuMemAllocHost", allocation, of_malloc, "cudaMallocHost"),
    row("cuMemHostAlloc", allocation, of_malloc, "cudaMallocHost"),
    row("cuMemHostRegister", allocation),
    row("cuArrayCreate", allocation),
    row("cuArray3DCreate", allocation),
    row("cuMipmappedArrayCreate", allocation),
    row("cuMemCreate", allocation),
    row("cuMemMap", allocation),
    from_pool("cudaMallocAsync", takes_from_pool, "cudaMallocAsync"),
    from_pool("cudaMallocFromPoolAsync", takes_from_pool, "cudaMallocAsync"),
    from_pool("cudaFreeAsync", gives_to_pool, "cudaFreeAsync"),
    from_pool("cuMemAllocAsync", takes_from_pool, "cudaMallocAsync"),
    from_pool("cuMemAllocFromPoolAsync", takes_from_pool, "cudaMallocAsync"),
    from_pool("cuMemFreeAsync", gives_to_pool, "cudaFreeAsync"),
    says("cudaGraphAddMemAllocNode", allocation, "lets a graph allocate memory when it runs"),
    says("cudaGraphAddMemFreeNode", allocation, "lets a graph free memory when it runs"),
    says("cuGraphAddMemAllocNode", allocation, "lets a graph allocate memory when it runs"),
    says("cuGraphAddMemFreeNode", allocation, "lets a graph free memory when it runs"),
    row("nppiMalloc*", allocation, of_malloc, "cudaMalloc"),
    row("nppsMalloc*", allocation, of_malloc, "cudaMalloc"),
    row("device_malloc", allocation, of_malloc, "cudaMalloc"),
    row("device_new", allocation, of_malloc, "cudaMalloc"),
    mentioned("universal_vector", allocation, false, "allocates and frees managed memory with its scope, and fills it on the NULL stream"),
    mentioned("device_vector", allocation, false, "allocates and frees device memory with its scope, and fills it on the NULL stream"),

    row("cudaMemcpy", sync_copy, of_sync_copy, "cudaMemcpy D-H|cudaMemcpy H-D"),
    row("cudaMemcpy2D", sync_copy, of_sync_copy),
    row("cudaMemcpy3D", sync_copy, of_sync_copy),
    row("cudaMemcpyToSymbol", sync_copy, of_sync_copy),
    row("cudaMemcpyFromSymbol", sync_copy, of_sync_copy),
    row("cudaMemcpyToArray", sync_copy, of_sync_copy),
    row("cudaMemcpyFromArray", sync_copy, of_sync_copy),
    row("cudaMemcpyArrayToArray", sync_copy, of_sync_copy),
    row("cudaMemcpy2DToArray", sync_copy, of_sync_copy),
    row("cudaMemcpy2DFromArray", sync_copy, of_sync_copy),
    row("cudaMemcpy2DArrayToArray", sync_copy, of_sync_copy),
    row("cudaMemcpyPeer", sync_copy, of_sync_copy),
    row("cudaMemcpy3DPeer", sync_copy, of_sync_copy),
    row("cuMemcpy", sync_copy, of_sync_copy),
    row("cuMemcpyHtoD", sync_copy, of_sync_copy, "cudaMemcpy H-D"),
    row("cuMemcpyDtoH", sync_copy, of_sync_copy, "cudaMemcpy D-H"),
    row("cuMemcpyDtoD", sync_copy, of_sync_copy),
    row("cuMemcpyHtoA", sync_copy, of_sync_copy),
    row("cuMemcpyAtoH", sync_copy, of_sync_copy),
    row("cuMemcpyDtoA", sync_copy, of_sync_copy),
    row("cuMemcpyAtoD", sync_copy, of_sync_copy),
    row("cuMemcpyAtoA", sync_copy, of_sync_copy),
    row("cuMemcpy2D", sync_copy, of_sync_copy),
    row("cuMemcpy2DUnaligned", sync_copy, of_sync_copy),
    row("cuMemcpy3D", sync_copy, of_sync_copy),
    row("cuMemcpyPeer", sync_copy, of_sync_copy),
    row("cuMemcpy3DPeer", sync_copy, of_sync_copy),
    row("cublasSetMatrix", sync_copy, of_sync_copy),
    row("cublasGetMatrix", sync_copy, of_sync_copy),
    row("cublasSetVector", sync_copy, of_sync_copy),
    row("cublasGetVector", sync_copy, of_sync_copy),

    row("cudaMemset", sync_memset, of_memset, "cudaMemset"),
    row("cudaMemset2D", sync_memset, of_memset, "cudaMemset"),
    row("cudaMemset3D", sync_memset, of_memset, "cudaMemset"),
    row("cuMemsetD8", sync_memset, of_memset, "cudaMemset"),
    row("cuMemsetD16", sync_memset, of_memset, "cudaMemset"),
    row("cuMemsetD32", sync_memset, of_memset, "cudaMemset"),
    row("cuMemsetD2D8", sync_memset, of_memset, "cudaMemset"),
    row("cuMemsetD2D16", sync_memset, of_memset, "cudaMemset"),
    row("cuMemsetD2D32", sync_memset, of_memset, "cudaMemset"),

    in_stream("cudaMemcpyAsync", 4),
    in_stream("cudaMemcpy2DAsync", 7),
    in_stream("cudaMemcpy3DAsync", 1),
    in_stream("cudaMemcpyPeerAsync", 5),
    in_stream("cudaMemcpy3DPeerAsync", 1),
    in_stream("cudaMemcpyToSymbolAsync", 5),
    in_stream("cudaMemcpyFromSymbolAsync", 5),
    in_stream("cudaMemcpyToArrayAsync", 6),
    in_stream("cudaMemcpyFromArrayAsync", 6),
    in_stream("cudaMemcpy2DToArrayAsync", 8),
    in_stream("cudaMemcpy2DFromArrayAsync", 8),
    in_last("cudaMemcpyBatchAsync", 7),
    in_last("cudaMemcpy3DBatchAsync", 3),
    in_stream("cudaMemsetAsync", 3),
    in_stream("cudaMemset2DAsync", 5),
    in_stream("cudaMemset3DAsync", 3),
    in_last("cudaMemPrefetchAsync", 3),
    in_last("cudaMallocAsync", 2),
    in_stream("cudaMallocFromPoolAsync", 3),
    in_stream("cudaFreeAsync", 1),
    in_stream("cudaStreamAttachMemAsync", 0),
    in_stream("cudaSignalExternalSemaphoresAsync", 3),
    in_stream("cudaWaitExternalSemaphoresAsync", 3),
    in_stream("cudaEventRecord", 1),
    in_stream("cudaEventRecordWithFlags", 1),
    in_stream("cudaStreamWaitEvent", 0),
    in_stream("cudaStreamSynchronize", 0),
    in_stream("cudaStreamQuery", 0),
    in_stream("cudaStreamAddCallback", 0),
    in_stream("cudaLaunchHostFunc", 0),
    in_stream("cudaLaunchKernel", 5),
    in_stream("cudaLaunchCooperativeKernel", 5),
    in_stream("cudaGraphLaunch", 1),
    in_stream("cudaGraphUpload", 1),
    in_stream("cudaGraphicsMapResources", 2),
    in_stream("cudaGraphicsUnmapResources", 2),
    in_stream("cuMemcpyAsync", 3),
    in_stream("cuMemcpyHtoDAsync", 3),
    in_stream("cuMemcpyDtoHAsync", 3),
    in_stream("cuMemcpyDtoDAsync", 3),
    in_stream("cuMemcpyHtoAAsync", 4),
    in_stream("cuMemcpyAtoHAsync", 4),
    in_stream("cuMemcpy2DAsync", 1),
    in_stream("cuMemcpy3DAsync", 1),
    in_stream("cuMemcpyPeerAsync", 5),
    in_stream("cuMemcpy3DPeerAsync", 1),
    in_last("cuMemcpyBatchAsync", 7),
    in_last("cuMemcpy3DBatchAsync", 3),
    in_stream("cuMemsetD8Async", 3),
    in_stream("cuMemsetD16Async", 3),
    in_stream("cuMemsetD32Async", 3),
    in_stream("cuMemsetD2D8Async", 5),
    in_stream("cuMemsetD2D16Async", 5),
    in_stream("cuMemsetD2D32Async", 5),
    in_last("cuMemPrefetchAsync", 3),
    in_stream("cuMemAllocAsync", 2),
    in_stream("cuMemAllocFromPoolAsync", 3),
    in_stream("cuMemFreeAsync", 1),
    in_stream("cuStreamAttachMemAsync", 0),
    in_stream("cuEventRecord", 1),
    in_stream("cuEventRecordWithFlags", 1),
    in_stream("cuStreamWaitEvent", 0),
    in_stream("cuStreamSynchronize", 0),
    in_stream("cuStreamQuery", 0),
    in_stream("cuStreamAddCallback", 0),
    in_stream("cuStreamWaitValue32", 0),
    in_stream("cuStreamWaitValue64", 0),
    in_stream("cuStreamWriteValue32", 0),
    in_stream("cuStreamWriteValue64", 0),
    in_stream("cuStreamBatchMemOp", 0),
    in_stream("cuLaunchHostFunc", 0),
    in_stream("cuLaunchKernel", 8),
    in_stream("cuLaunchCooperativeKernel", 8),
    in_stream("cuLaunchGridAsync", 3),
    in_stream("cuGraphLaunch", 1),
    in_stream("cuGraphUpload", 1),
    in_stream("cublasSetStream", 1),
    in_stream("cudnnSetStream", 1),
    in_stream("cufftSetStream", 1),
    in_stream("curandSetStream", 1),
    in_stream("cusparseSetStream", 1),
    in_stream("cusolverDnSetStream", 1),
    in_stream("cusolverSpSetStream", 1),
    in_stream("nppSetStream", 0),
    in_last("cublasSetMatrixAsync", 6),
    in_last("cublasGetMatrixAsync", 6),
    in_last("cublasSetVectorAsync", 6),
    in_last("cublasGetVectorAsync", 6),
    in_last("cublasLtMatmul", 15),
    in_last("ncclAllReduce", 6),
    in_last("ncclBroadcast", 6),
    in_last("ncclReduce", 7),
    in_last("ncclAllGather", 5),
    in_last("ncclReduceScatter", 6),
    in_last("ncclSend", 5),
    in_last("ncclRecv", 5),
    of_object(in_stream("enqueueV3", 0)),
    of_object(in_stream("enqueueV2", 1)),
    of_object(says("executeV2", library_stream, "runs on the NULL stream and waits for the result")),
    when("cudaLaunchKernelExC", null_stream, C::launch_config, 0, on_null_stream),
    when("cudaLaunchKernelEx", null_stream, C::launch_config, 0, on_null_stream),
    when("cuLaunchKernelEx", null_stream, C::launch_config, 0, on_null_stream),

    row("cudaStreamCreate", blocking_stream),
    when("cudaStreamCreateWithFlags", blocking_stream, C::default_flags, 1),
    when("cudaStreamCreateWithPriority", blocking_stream, C::default_flags, 1),
    when("cuStreamCreate", blocking_stream, C::default_flags, 1),
    when("cuStreamCreateWithPriority", blocking_stream, C::default_flags, 1),

    mentioned("cudaStreamPerThread", blocking_stream, false,
              "is a stream that waits for the NULL stream, and that the NULL stream waits for"),
    mentioned("CU_STREAM_PER_THREAD", blocking_stream, false,
              "is a stream that waits for the NULL stream, and that the NULL stream waits for"),

    pageable("cudaMemcpyAsync", 1, 0, 3),
    pageable("cudaMemcpy2DAsync", 2, 0, 6),
    pageable("cudaMemcpyToSymbolAsync", 1, -1, -1),
    pageable("cudaMemcpyFromSymbolAsync", -1, 0, -1),
    pageable("cuMemcpyHtoDAsync", 1, -1, -1),
    pageable("cuMemcpyDtoHAsync", -1, 0, -1),

    row("cudaMallocManaged", managed_memory),
    row("cuMemAllocManaged", managed_memory),
    mentioned("__managed__", managed_memory, true, "is managed memory: pages move when they are touched, and kernels wait for them"),

    says("cudaGraphUpload", creation, "sets a graph up on the device, and may allocate"),
    says("cuGraphUpload", creation, "sets a graph up on the device, and may allocate"),
    row("cudaStreamCreate*", creation, {}, "cudaStreamCreate"),
    row("cudaStreamDestroy", creation, {}, "cudaStreamDestroy"),
    row("cudaEventCreate*", creation),
    row("cudaEventDestroy", creation),
    row("cuStreamCreate*", creation, {}, "cudaStreamCreate"),
    row("cuStreamDestroy", creation, {}, "cudaStreamDestroy"),
    row("cuEventCreate", creation),
    row("cuEventDestroy", creation),
    row("cudaGraphInstantiate*", creation),
    row("cudaGraphExecDestroy", creation),
    row("cuGraphInstantiate*", creation),
    row("cuGraphExecDestroy", creation),
    says("cuModuleLoad*", creation, loads_code),
    says("cuModuleUnload", creation, "unloads code"),
    says("cuLibraryLoad*", creation, loads_code),
    says("cudaLibraryLoad*", creation, loads_code),
    says("nvrtcCompileProgram", creation, "compiles code"),
    says("cublasCreate", creation, makes_handle),
    says("cublasLtCreate", creation, makes_handle),
    says("cudnnCreate", creation, makes_handle),
    says("cusparseCreate", creation, makes_handle),
    says("cusolverDnCreate", creation, makes_handle),
    says("cusolverSpCreate", creation, makes_handle),
    says("curandCreateGenerator", creation, makes_handle),
    row("cublasDestroy", creation),
    row("cublasLtDestroy", creation),
    row("cudnnDestroy", creation),
    row("cusparseDestroy", creation),
    row("cusolverDnDestroy", creation),
    row("cusolverSpDestroy", creation),
    row("curandDestroyGenerator", creation),
    says("cufftPlan*", creation, makes_plan),
    says("cufftMakePlan*", creation, makes_plan),
    row("cufftDestroy", creation),
    of_object(says("deserializeCudaEngine", creation, "makes an engine, which allocates memory and loads kernels")),
    of_object(says("createExecutionContext", creation, "makes a context, which allocates memory")),

    row("cudaDeviceReset", reconfiguration),
    row("cudaSetDeviceFlags", reconfiguration),
    row("cudaDeviceSetLimit", reconfiguration),
    row("cudaDeviceSetCacheConfig", reconfiguration),
    row("cudaDeviceSetSharedMemConfig", reconfiguration),
    row("cudaDeviceEnablePeerAccess", reconfiguration),
    row("cudaDeviceDisablePeerAccess", reconfiguration),
    row("cudaFuncSetCacheConfig", reconfiguration),
    row("cudaFuncSetSharedMemConfig", reconfiguration),
    when("cudaFuncSetAttribute", reconfiguration, C::carveout, 1),
    row("cuCtxCreate", reconfiguration),
    row("cuCtxDestroy", reconfiguration),
    row("cuCtxSetLimit", reconfiguration),
    row("cuCtxSetCacheConfig", reconfiguration),
    row("cuCtxSetSharedMemConfig", reconfiguration),
    row("cuDevicePrimaryCtxReset", reconfiguration),
    row("cuFuncSetCacheConfig", reconfiguration),
    when("cuFuncSetAttribute", reconfiguration, C::carveout, 1),
    mentioned("cudaLaunchAttributePreferredSharedMemoryCarveout", reconfiguration, false, own_carveout),
    mentioned("CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT", reconfiguration, false, own_carveout),
    when("setenv", client_limit, C::client_limit, 0),
    when("putenv", client_limit, C::client_limit, 0),
    mentioned("CU_EXEC_AFFINITY_TYPE_SM_COUNT", client_limit, true, {}),

    spins("cudaStreamSynchronize", C::spinning_stream, -1, "cudaStreamSynchronize"),
    spins("cuStreamSynchronize", C::spinning_stream, -1, "cudaStreamSynchronize"),
    spins("cudaEventSynchronize", C::spinning_event, 0, "cudaEventSynchronize"),
    spins("cuEventSynchronize", C::spinning_event, 0, "cudaEventSynchronize"),
    when("cudaStreamQuery", active_wait, C::polling, -1),
    when("cudaEventQuery", active_wait, C::polling, -1),
    when("cuStreamQuery", active_wait, C::polling, -1),
    when("cuEventQuery", active_wait, C::polling, -1),

    row("cudaLaunchHostFunc", host_function),
    row("cudaStreamAddCallback", host_function),
    row("cuLaunchHostFunc", host_function),
    row("cuStreamAddCallback", host_function),

    row("cudaGraphLaunch", graph_launch),
    row("cuGraphLaunch", graph_launch),

    row("cudaLaunchCooperativeKernel", cooperative_launch),
    row("cudaLaunchCooperativeKernelMultiDevice", cooperative_launch),
    row("cuLaunchCooperativeKernel", cooperative_launch),
    row("cuLaunchCooperativeKernelMultiDevice", cooperative_launch),
    mentioned("cudaLaunchAttributeCooperative", cooperative_launch, false, "asks for a cooperative launch: all blocks have to run at once"),
    mentioned("CU_LAUNCH_ATTRIBUTE_COOPERATIVE", cooperative_launch, false,
              "asks for a cooperative launch: all blocks have to run at once"),
    mentioned("cudaLaunchAttributeClusterDimension", cooperative_launch, false, asks_for_clusters),
    mentioned("CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION", cooperative_launch, false, asks_for_clusters),
    mentioned("cudaLaunchAttributePreferredClusterDimension", cooperative_launch, false, asks_for_clusters),
    mentioned("CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION", cooperative_launch, false, asks_for_clusters),
    mentioned("cudaFuncAttributeRequiredClusterWidth", cooperative_launch, true, asks_for_clusters),
    mentioned("CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH", cooperative_launch, true, asks_for_clusters),
    mentioned("cudaFuncAttributeNonPortableClusterSizeAllowed", cooperative_launch, true, asks_for_clusters),
    mentioned("CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED", cooperative_launch, true, asks_for_clusters),
    mentioned("__cluster_dims__", cooperative_launch, true, "makes clusters, whose blocks have to start together"),

    mentioned("cudaLaunchAttributeProgrammaticStreamSerialization", dependent_launch, false, {}),
    mentioned("CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION", dependent_launch, false, {}),
    mentioned("cudaLaunchAttributeProgrammaticEvent", dependent_launch, false, {}),
    mentioned("CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT", dependent_launch, false, {}),
    mentioned("cudaGraphDependencyTypeProgrammatic", dependent_launch, true, {}),
    mentioned("CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC", dependent_launch, true, {}),
    mentioned("cudaTriggerProgrammaticLaunchCompletion", dependent_launch, true, "lets the kernel behind start before this one has ended"),
    mentioned("cudaGridDependencySynchronize", dependent_launch, true, "waits, on its SM, for the kernel ahead"),

    row("cudaGraphConditionalHandleCreate", conditional_graph),
    row("cuGraphConditionalHandleCreate", conditional_graph),
    row("cudaGraphSetConditional", conditional_graph),
    mentioned("cudaGraphNodeTypeConditional", conditional_graph, true, {}),
    mentioned("CU_GRAPH_NODE_TYPE_CONDITIONAL", conditional_graph, true, {}),

    mentioned("cudaGraphInstantiateFlagDeviceLaunch", device_launch, true, graph_from_kernel),
    mentioned("CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH", device_launch, true, graph_from_kernel),
    mentioned("cudaStreamGraphFireAndForget", device_launch, true, graph_from_kernel),
    mentioned("cudaStreamGraphFireAndForgetAsSibling", device_launch, true, graph_from_kernel),
    mentioned("cudaStreamGraphTailLaunch", device_launch, true, graph_from_kernel),

    row("cudaLaunchKernel", launch),
    row("cudaLaunchKernelExC", launch),
    row("cudaLaunchKernelEx", launch),
    row("cuLaunchKernel", launch),
    row("cuLaunchKernelEx", launch),
    row("cuLaunchGrid", launch),
    row("cuLaunchGridAsync", launch),
    of_object(says("enqueueV3", launch, "launches the kernels of an engine")),
    of_object(says("enqueueV2", launch, "launches the kernels of an engine")),
    of_object(says("executeV2", launch, "launches the kernels of an engine")),
};

}  // namespace

std::span<const CallRow> call_rows() { return table; }

}  // namespace rta::lint
