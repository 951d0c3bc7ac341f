// Models of Amalthea.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "conversion.hpp"

using namespace rta;

namespace {

// Two cores of 1 GHz and a GPU of 500 MHz that moves 1 GB a second; a task that offloads, one that only computes.
struct Parts {
  std::string waiting = "active";
  std::string tasks;  // further tasks
  std::string stimulus = R"(<stimuli xsi:type="am:PeriodicStimulus" name="every 10ms"><recurrence value="10" unit="ms"/></stimuli>)";
  std::string priority = R"(<schedulingParameters priority="7"/>)";
  std::string affinity = "Core0?type=ProcessingUnit";
  std::string rest;  // further parts
  std::string doctype;
};

std::string model(const Parts& parts = {}) {
  return R"(<?xml version="1.0" encoding="UTF-8"?>
)" + parts.doctype +
         R"(<am:Amalthea xmlns:am="http://app4mc.eclipse.org/amalthea/1.0.0" xmlns:xmi="http://www.omg.org/XMI" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmi:version="2.0">
<swModel>
  <tasks name="Offload" stimuli="every%2010ms?type=PeriodicStimulus" preemption="preemptive">
    <activityGraph><items xsi:type="am:Group" ordered="true">
      <items xsi:type="am:RunnableCall" runnable="Pre?type=Runnable"/>
      <items xsi:type="am:InterProcessTrigger" stimulus="go?type=InterProcessStimulus"/>
      <items xsi:type="am:WaitEvent" waitingBehaviour=")" +
         parts.waiting + R"("><eventMask events="done?type=OsEvent"/></items>
      <items xsi:type="am:ClearEvent"><eventMask events="done?type=OsEvent"/></items>
      <items xsi:type="am:RunnableCall" runnable="Post?type=Runnable"/>
    </items></activityGraph>
  </tasks>
  <tasks name="Kernel" stimuli="go?type=InterProcessStimulus">
    <activityGraph>
      <items xsi:type="am:RunnableCall" runnable="ToDevice?type=Runnable"/>
      <items xsi:type="am:RunnableCall" runnable="Function?type=Runnable"/>
      <items xsi:type="am:SetEvent" process="Offload?type=Task"><eventMask events="done?type=OsEvent"/></items>
    </activityGraph>
  </tasks>
)" + parts.tasks +
         R"(
  <runnables name="Pre"><activityGraph>
    <items xsi:type="am:LabelAccess" data="Image?type=Label" access="read"/>
    <items xsi:type="am:Ticks"><extended key="A57?type=ProcessingUnitDefinition">
      <value xsi:type="am:DiscreteValueStatistics" lowerBound="500000" upperBound="1000001" average="7.5E5"/></extended></items></activityGraph></runnables>
  <runnables name="Post"><activityGraph>
    <items xsi:type="am:Ticks"><default xsi:type="am:DiscreteValueConstant" value="250000"/></items></activityGraph></runnables>
  <runnables name="ToDevice"><activityGraph>
    <items xsi:type="am:LabelAccess" data="Image?type=Label" access="read"/>
    <items xsi:type="am:LabelAccess" data="Image?type=Label" access="write"/></activityGraph></runnables>
  <runnables name="Function"><activityGraph>
    <items xsi:type="am:Ticks"><extended key="GPU?type=ProcessingUnitDefinition">
      <value xsi:type="am:DiscreteValueBoundaries" lowerBound="100000" upperBound="1000000"/></extended></items></activityGraph></runnables>
  <labels name="Image"><size value="2" unit="MB"/></labels>
</swModel>
<hwModel>
  <definitions xsi:type="am:ProcessingUnitDefinition" name="A57" puType="CPU"/>
  <definitions xsi:type="am:ProcessingUnitDefinition" name="GPU" puType="GPU"/>
  <structures name="SoC"><structures name="cluster">
    <modules xsi:type="am:ProcessingUnit" name="Core0" frequencyDomain="cpu?type=FrequencyDomain" definition="A57?type=ProcessingUnitDefinition">
      <accessElements destination="DRAM?type=Memory"><readLatency xsi:type="am:DiscreteValueConstant" value="40"/></accessElements></modules>
    <modules xsi:type="am:ProcessingUnit" name="Core1" frequencyDomain="cpu?type=FrequencyDomain" definition="A57?type=ProcessingUnitDefinition"/>
    <modules xsi:type="am:ProcessingUnit" name="GP10B" frequencyDomain="gpu?type=FrequencyDomain" definition="GPU?type=ProcessingUnitDefinition">
      <accessElements destination="DRAM?type=Memory"><readLatency xsi:type="am:DiscreteValueConstant" value="5"/><dataRate value="1" unit="GBPerSecond"/></accessElements></modules>
  </structures></structures>
  <domains xsi:type="am:FrequencyDomain" name="cpu"><defaultValue value="1.0" unit="GHz"/></domains>
  <domains xsi:type="am:FrequencyDomain" name="gpu"><defaultValue value="500" unit="MHz"/></domains>
</hwModel>
<osModel><operatingSystems name="os"><taskSchedulers name="linux"><schedulingAlgorithm xsi:type="am:FixedPriorityPreemptive"/></taskSchedulers>
  <taskSchedulers name="driver"><schedulingAlgorithm xsi:type="am:UserSpecificSchedulingAlgorithm"><parameterExtensions key="maximumTimeslice" value="1000 µs"/></schedulingAlgorithm></taskSchedulers></operatingSystems></osModel>
<stimuliModel>)" +
         parts.stimulus + R"(<stimuli xsi:type="am:InterProcessStimulus" name="go"/></stimuliModel>
<constraintsModel>
  <requirements xsi:type="am:ProcessRequirement" name="d" process="Offload?type=Task"><limit limitType="UpperLimit" metric="ResponseTime"><limitValue value="9" unit="ms"/></limit></requirements>
  <eventChains name="c" stimulus="start?type=ProcessEvent" response="end?type=ProcessEvent"/>
</constraintsModel>
<eventModel><events xsi:type="am:ProcessEvent" name="start" entity="Offload?type=Task"/><events xsi:type="am:ProcessEvent" name="end" entity="Other?type=Task"/></eventModel>
<mappingModel>
  <schedulerAllocation scheduler="linux?type=TaskScheduler" responsibility="Core0?type=ProcessingUnit Core1?type=ProcessingUnit"/>
  <schedulerAllocation scheduler="driver?type=TaskScheduler" responsibility="GP10B?type=ProcessingUnit"/>
  <taskAllocation task="Offload?type=Task" scheduler="linux?type=TaskScheduler" affinity=")" +
         parts.affinity + R"(">)" + parts.priority + R"(</taskAllocation>
  <taskAllocation task="Kernel?type=Task" scheduler="driver?type=TaskScheduler" affinity="GP10B?type=ProcessingUnit"/>
  <taskAllocation task="Other?type=Task" scheduler="linux?type=TaskScheduler"/>
  <memoryMapping abstractElement="Image?type=Label" memory="DRAM?type=Memory"/>
</mappingModel>
)" + parts.rest +
         "</am:Amalthea>\n";
}

}  // namespace

TEST_CASE("A task that offloads becomes a DAG with its copy, its kernel and its wait") {
  const auto result = convert::convert_text(model(), "m.amxmi", {});
  // Ticks over frequency: 1000001 at 1 GHz are 1000001 ns; 1000000 at 500 MHz are 2 ms. The copy reads and writes 2 MB at 1 GB a second,
  // and the read waits 5 ticks of 2 ns: 4000010 ns. The wait lasts as long as both together. Mean 750000: 3 x 750000 - 500000 - 1000001 =
  // 749999.
  CHECK(io::format_task_set(std::get<TaskSet>(result.content)) == R"(platform:
  Core0: {processors: 1, scheduler: FP}
  GP10B: {sms: 1, threads: 1, blocks: 1}
  copy: {engines: 1}
dags:
  - name: Offload
    T: 10 ms
    D: 9 ms
    priority: 7
    nodes:
      Pre: {on: Core0, C: {max: 1000001 ns, min: 500 us, mode: 749999 ns}}
      ToDevice: {on: copy, C: 4000010 ns}
      Function: {on: GP10B, B: 1, H: 1, L: {max: 2 ms, min: 200 us}}
      wait-done: {on: Core0, C: 6000010 ns}
      Post: {on: Core0, C: 250 us}
    edges:
      - Pre -> ToDevice -> Function
      - Pre -> wait-done
      - Function -> Post
      - wait-done -> Post
)");
  CHECK_FALSE(test::mentions(result.assumed, "priorit"));
  CHECK(test::mentions(result.assumed, "processes share pool 'GP10B' in time slices of 1 ms"));
  CHECK(test::mentions(result.assumed, "chain 'c' (Offload -> Other) is left out"));
  CHECK(test::mentions(result.assumed, "node 'wait-done' keeps its core for 6000010 ns"));
  CHECK(test::mentions(result.assumed, "1 accesses of labels take no time of their own"));
}

TEST_CASE("A passive wait keeps no core") {
  Parts parts;
  parts.waiting = "passive";
  const TaskSet set = test::converted(model(parts));
  CHECK(test::edges_of(set.dags().front()) == "Pre -> ToDevice\nToDevice -> Function\nPre -> Post\nFunction -> Post\n");
}

TEST_CASE("Accesses of labels count where the size of an access is given") {
  convert::Options options;
  options.access_size = 64;
  // 2 MB are 31250 accesses of 64 bytes of 40 ticks of 1 ns each: 1250000 ns more.
  CHECK(longest_piece(test::node_of(test::converted(model(), options).dags().front(), "Pre")) == Time(2'250'001));
}

TEST_CASE("Cores that one task may share are one pool, and its tasks are told of") {
  Parts parts;
  parts.affinity = "Core0?type=ProcessingUnit Core1?type=ProcessingUnit";
  const auto result = convert::convert_text(model(parts), "m", {});
  const auto& pool = std::get<TaskSet>(result.content).pools().front();
  CHECK(pool.name == "Core0-Core1");
  CHECK(std::get<CpuPool>(pool.resource).processors == 2);
  CHECK(test::mentions(result.assumed, "tasks of these 2 cores run on any of them"));
}

TEST_CASE("A named device gives the GPU its SMs, and a function all of them") {
  convert::Options options;
  options.device = "tx2";
  const TaskSet set = test::converted(model(), options);
  const auto& kernel = std::get<GpuDemand>(test::node_of(set.dags().front(), "Function").demand);
  CHECK(kernel.B == 4);  // 2 SMs of 2048 threads are 4 blocks of 1024
  CHECK(kernel.H == 1024);
}

TEST_CASE("A stimulus without a period asks for one; offsets and jitter are kept") {
  Parts parts;
  parts.stimulus = R"(<stimuli xsi:type="am:EventStimulus" name="every 10ms"/>)";
  CHECK(test::fault_of(model(parts)).find("task 'Offload': its stimulus 'every 10ms' (EventStimulus) has no period: give --period TIME") !=
        std::string::npos);
  parts.stimulus =
      R"(<stimuli xsi:type="am:PeriodicStimulus" name="every 10ms"><recurrence value="10" unit="ms"/><offset value="2" unit="ms"/>
    <jitter xsi:type="am:TimeBoundaries"><upperBound value="50" unit="us"/></jitter></stimuli>)";
  const auto result = convert::convert_text(model(parts), "m", {});
  const Dag& late = std::get<TaskSet>(result.content).dags()[0];
  CHECK(late.attributes().phase == Time(2'000'000));
  CHECK(late.attributes().jitter == Time(50'000));
}

TEST_CASE("Broken models are refused with their place") {
  CHECK(test::fault_of("<am:Amalthea xmlns:am=\"http://app4mc.eclipse.org/amalthea/1.0.0\">\n<a></b>").find("file:2:") == 0);
  CHECK(test::fault_of("<?xml version=\"1.0\"?>\n<b amalthea=\"\"/>").find("file:2:1: no model of Amalthea") == 0);
  Parts parts;
  parts.doctype = "<!DOCTYPE lolz [<!ENTITY lol \"lol\"><!ENTITY lol2 \"&lol;&lol;&lol;\">]>\n";
  CHECK(test::fault_of(model(parts)).find("file:2:") == 0);
  CHECK(test::fault_of(model(parts)).find("a document type declaration") != std::string::npos);
  const auto refused = [](const std::string& tasks, const std::string& rest = "") {
    Parts broken;
    broken.tasks = tasks;
    broken.rest = rest;
    return test::fault_of(model(broken));
  };
  const std::string clock = R"( stimuli="every%2010ms?type=PeriodicStimulus">)";
  CHECK(refused("<tasks name=\"T\"" + clock + "</tasks>").find("task 'T' has no allocation") != std::string::npos);
  CHECK(refused("<tasks name=\"Offload\"" + clock + "</tasks>").find("task 'Offload' is there twice") != std::string::npos);
  CHECK(refused("<tasks" + clock + "</tasks>").find("'tasks' has no name") != std::string::npos);
  CHECK(refused("<tasks name=\"Other\"" + clock +
                R"(<activityGraph><items xsi:type="am:RunnableCall" runnable="None?type=Runnable"/></activityGraph></tasks>)")
            .find("no runnable is called 'None'") != std::string::npos);
  CHECK(refused("<tasks name=\"Other\"" + clock +
                R"(<activityGraph><items xsi:type="am:WaitEvent"><eventMask events="never?type=OsEvent"/></items></activityGraph></tasks>)")
            .find("waits for event 'never', which nothing that it triggered before sets") != std::string::npos);
  CHECK(refused("<tasks name=\"Other\" stimuli=\"go?type=InterProcessStimulus\"><activityGraph><items xsi:type=\"am:InterProcessTrigger\" "
                "stimulus=\"go?type=InterProcessStimulus\"/></activityGraph></tasks>")
            .find("triggers itself") != std::string::npos);
  CHECK(
      refused(
          "<tasks name=\"Other\"" + clock +
          R"(<activityGraph><items xsi:type="am:Ticks"><default xsi:type="am:DiscreteValueConstant" value="-5"/></items></activityGraph></tasks>)")
          .find("'-5' is no number of at least 0 that fits") != std::string::npos);
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += R"(<items xsi:type="am:Group">)";
  for (int i = 0; i < 100; ++i) deep += "</items>";
  CHECK(refused("<tasks name=\"Other\"" + clock + "<activityGraph>" + deep + "</activityGraph></tasks>")
            .find("activities nest more than 64 deep") != std::string::npos);
  CHECK(
      refused(
          "",
          R"(<stimuliModel><stimuli xsi:type="am:PeriodicStimulus" name="x"><recurrence value="1" unit="fortnights"/></stimuli></stimuliModel>)")
          .find("unit 'fortnights' is not known") != std::string::npos);
  CHECK(
      refused(
          "",
          R"(<stimuliModel><stimuli xsi:type="am:PeriodicStimulus" name="x"><recurrence value="1e99" unit="s"/></stimuli></stimuliModel>)")
          .find("'1e99' is no number above 0 that fits") != std::string::npos);
}
