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
  std::string of_other;  // the affinity of `Other`
  std::string rest;      // further parts
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
  <taskAllocation task="Other?type=Task" scheduler="linux?type=TaskScheduler" affinity=")" +
         parts.of_other + R"("/>
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
  CHECK(result.warnings.empty());
  // Other stays on Core1.
  parts.tasks = R"(<tasks name="Other" stimuli="every%2010ms?type=PeriodicStimulus" preemption="preemptive">
    <activityGraph><items xsi:type="am:RunnableCall" runnable="Post?type=Runnable"/></activityGraph></tasks>)";
  parts.of_other = "Core1?type=ProcessingUnit";
  const auto warned = convert::convert_text(model(parts), "m", {}).warnings;
  REQUIRE(warned.size() == 1);
  CHECK(warned.front().message.find("pool 'Core0-Core1': 1 of its tasks ('Other') may run on some of its 2 cores alone") == 0);
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

namespace {

std::string clock_with(const std::string& parts, const std::string& kind = "PeriodicStimulus") {
  return R"(<stimuli xsi:type="am:)" + kind + R"(" name="every 10ms">)" + parts + "</stimuli>";
}

Dag dag_of_clock(const std::string& parts, const std::string& kind = "PeriodicStimulus") {
  Parts with;
  with.stimulus = clock_with(parts, kind);
  return test::converted(model(with)).dags().front();
}

std::string fault_of_clock(const std::string& parts, const std::string& kind = "PeriodicStimulus") {
  Parts with;
  with.stimulus = clock_with(parts, kind);
  return test::fault_of(model(with));
}

}  // namespace

TEST_CASE("Every kind of deviation of a release is bounded, or refused") {
  const std::string ten = R"(<recurrence value="10" unit="ms"/>)";
  const auto jitter = [&](const std::string& type, const std::string& inside) {
    return ten + R"(<jitter xsi:type="am:Time)" + type + "\">" + inside + "</jitter>";
  };
  const std::string bounds = R"(<lowerBound value="1" unit="ms"/><upperBound value="9" unit="ms"/>)";
  for (const char* type :
       {"Boundaries", "Statistics", "UniformDistribution", "GaussDistribution", "WeibullEstimatorsDistribution", "BetaDistribution"}) {
    CAPTURE(type);
    CHECK(dag_of_clock(jitter(type, bounds)).attributes().jitter == Time(9'000'000));
  }
  CHECK(dag_of_clock(jitter("Constant", R"(<value value="9" unit="ms"/>)")).attributes().jitter == Time(9'000'000));
  CHECK(dag_of_clock(
            jitter("Histogram", "<entries>" + bounds +
                                    R"(</entries><entries><lowerBound value="0" unit="ms"/><upperBound value="3" unit="ms"/></entries>)"))
            .attributes()
            .jitter == Time(9'000'000));
  // From 2 ms before to 3 ms after the instant: within 5 ms, at no phase that is known.
  const Dag around = dag_of_clock(R"(<offset value="1" unit="ms"/>)" +
                                  jitter("Boundaries", R"(<lowerBound value="-2" unit="ms"/><upperBound value="3" unit="ms"/>)"));
  CHECK(around.attributes().jitter == Time(5'000'000));
  CHECK_FALSE(around.attributes().phase);
  CHECK(fault_of_clock(jitter("GaussDistribution", R"(<mean value="1" unit="ms"/><sd value="1" unit="ms"/>)"))
            .find("'GaussDistribution' has no upper bound") != std::string::npos);
  CHECK(fault_of_clock(jitter("Histogram", R"(<entries><lowerBound value="0" unit="ms"/></entries>)"))
            .find("a part of a histogram has a lower and an upper bound") != std::string::npos);
  CHECK(fault_of_clock(jitter("LevyDistribution", bounds)).find("deviation 'LevyDistribution' cannot be read: what bounds it") !=
        std::string::npos);
}

TEST_CASE("Releases whose jitter is not below the recurrence need a least distance") {
  const std::string late =
      R"(<recurrence value="10" unit="ms"/><jitter xsi:type="am:TimeBoundaries"><upperBound value="12" unit="ms"/></jitter>)";
  CHECK(fault_of_clock(late).find("its release jitter of 12 ms is not below its period of 10 ms") != std::string::npos);
  const Dag dag = dag_of_clock(late + R"(<minDistance value="4" unit="ms"/>)");
  CHECK(dag.period() == Time(4'000'000));
  CHECK(dag.attributes().jitter == Time::zero());
  // Below it the recurrence counts: 10 ms, and not the least distance of 4 ms.
  CHECK(dag_of_clock(R"(<recurrence value="10" unit="ms"/><minDistance value="4" unit="ms"/>)").nominal_period() == Time(10'000'000));
  CHECK(
      dag_of_clock(
          R"(<nextOccurrence xsi:type="am:TimeBoundaries"><lowerBound value="7" unit="ms"/><upperBound value="9" unit="ms"/></nextOccurrence>)",
          "RelativePeriodicStimulus")
          .period() == Time(7'000'000));
}

TEST_CASE("A task with several clocks is a DAG for each") {
  Parts parts;
  parts.tasks = R"(<tasks name="Other" stimuli="every%2010ms?type=PeriodicStimulus fast?type=PeriodicStimulus">
    <activityGraph><items xsi:type="am:RunnableCall" runnable="Post?type=Runnable"/></activityGraph></tasks>)";
  parts.rest =
      R"(<stimuliModel><stimuli xsi:type="am:PeriodicStimulus" name="fast"><recurrence value="2" unit="ms"/></stimuli></stimuliModel>)";
  CHECK(test::fault_of(model(parts)).find("task 'Other' has 2 clocks, and its pool several processors") != std::string::npos);
  parts.of_other = "Core1?type=ProcessingUnit";
  const auto result = convert::convert_text(model(parts), "m", {});
  const auto& dags = std::get<TaskSet>(result.content).dags();
  REQUIRE(dags.size() == 3);
  CHECK(dags[1].name() == "Other");
  CHECK(dags[1].period() == Time(10'000'000));
  CHECK(dags[2].name() == "Other-2");
  CHECK(dags[2].period() == Time(2'000'000));
  CHECK(test::mentions(result.assumed, "task 'Other' has 2 clocks: a DAG for each"));
}

TEST_CASE("A pool of preemptive and non-preemptive tasks is refused: either kind leaves waiting out") {
  Parts parts;
  parts.tasks = R"(<tasks name="Other" stimuli="every%2010ms?type=PeriodicStimulus" preemption="non_preemptive">
    <activityGraph><items xsi:type="am:RunnableCall" runnable="Post?type=Runnable"/></activityGraph></tasks>)";
  parts.of_other = "Core0?type=ProcessingUnit";
  CHECK(test::fault_of(model(parts)).find("some of its tasks can be preempted and others cannot") != std::string::npos);
}

TEST_CASE("--allocate completes the mapping model, and does not change it") {
  Parts parts;
  parts.tasks =
      R"(<tasks name="Lost" stimuli="every%2010ms?type=PeriodicStimulus"><customProperties key="priority"><value xsi:type="am:StringObject" value="5"/></customProperties>
    <activityGraph><items xsi:type="am:RunnableCall" runnable="Post?type=Runnable"/></activityGraph></tasks>)";
  CHECK(test::fault_of(model(parts)).find("--allocate 'Lost=UNIT' says where it runs (there are: Core0, Core1, GP10B)") !=
        std::string::npos);
  convert::Options options;
  options.allocate = {{"Lost", {"Core1"}}};
  const TaskSet set = test::converted(model(parts), options);
  REQUIRE(set.dags().size() == 2);
  CHECK(set.pools()[set.dags()[1].nodes()[0].pool].name == "Core1");
  CHECK(set.dags()[1].attributes().priority == 5);  // its scheduler is the one that has Core1
  options.allocate = {{"*", {"Core1"}}};
  CHECK(test::converted(model(parts), options) == set);
  options.allocate = {{"Offload", {"Core1"}}};
  CHECK(test::fault_of(model(parts), options).find("--allocate 'Offload': the file says already where that task runs") !=
        std::string::npos);
  options.allocate = {{"Lost", {"Core7"}}};
  CHECK(test::fault_of(model(parts), options).find("no processing unit is called 'Core7' (there are: Core0") != std::string::npos);
  options.allocate = {{"None", {"Core1"}}};
  CHECK(test::fault_of(model(parts), options).find("--allocate 'None': no task has that name") != std::string::npos);
}

TEST_CASE("--period does not change the periods of a model") {
  convert::Options options;
  options.period = Time(50'000'000);
  CHECK(test::fault_of(model(), options).find("--period: the model gives every clock its period") != std::string::npos);
}

TEST_CASE("What a model says besides is told, or refused: nothing is silent") {
  Parts parts;
  parts.tasks = R"(<tasks name="Other" stimuli="every%2010ms?type=PeriodicStimulus"><novelty/>
    <activityGraph><items xsi:type="am:SemaphoreAccess" semaphore="lock?type=Semaphore" access="request"/>
      <items xsi:type="am:RunnableCall" runnable="Post?type=Runnable"><counter prescaler="3"/><novelty/></items>
      <items xsi:type="am:Novelty"/><items xsi:type="am:Novelty"/></activityGraph></tasks>)";
  parts.rest = R"(<noveltyModel/><osModel><semaphores name="lock"/><osOverheads name="o"/></osModel><swModel><novelty/></swModel>)";
  const auto told = convert::convert_text(model(parts), "m", {}).assumed;
  CHECK(test::mentions(told, "activityGraph 'SemaphoreAccess' IS LEFT OUT: tasks may wait there for one another"));
  CHECK(test::mentions(told, "osModel 'semaphores' IS LEFT OUT"));
  CHECK(test::mentions(told, "osModel 'osOverheads' IS LEFT OUT: the operating system is taken to need no time"));
  CHECK(test::mentions(told, "activityGraph 'Novelty', 2 times IS LEFT OUT: if it takes time, that is not counted"));
  CHECK(test::mentions(told, "items 'counter' IS LEFT OUT: the activity is taken to happen once in every job"));
  for (const char* part : {"tasks", "items", "swModel"}) CHECK(test::mentions(told, std::string(part) + " 'novelty' IS LEFT OUT"));
  CHECK(test::mentions(told, "Amalthea 'noveltyModel' IS LEFT OUT"));
  const auto refused = [](const std::string& type) {
    Parts with;
    with.tasks = R"(<tasks name="Other" stimuli="every%2010ms?type=PeriodicStimulus"><activityGraph><items xsi:type="am:)" + type +
                 R"("/></activityGraph></tasks>)";
    return test::fault_of(model(with));
  };
  CHECK(refused("ExecutionNeed").find("activityGraph 'ExecutionNeed' cannot be read: execution times are read as Ticks") !=
        std::string::npos);
  CHECK(refused("WhileLoop").find("how often its body runs is not said") != std::string::npos);
  CHECK(fault_of_clock(R"(<recurrence value="10" unit="ms"/>)", "LunarStimulus").find("stimuliModel 'LunarStimulus' cannot be read") !=
        std::string::npos);
}

TEST_CASE("Each branch of a switch counts, that of what is no case, too") {
  const auto ticks = [](int count) {
    return fmt::format(R"(<items xsi:type="am:Ticks"><default xsi:type="am:DiscreteValueConstant" value="{}"/></items>)", count);
  };
  Parts parts;
  parts.of_other = "Core1?type=ProcessingUnit";
  parts.tasks = R"(<tasks name="Other" stimuli="every%2010ms?type=PeriodicStimulus" preemption="non_preemptive"><activityGraph>
    <items xsi:type="am:ModeSwitch"><entries>)" +
                ticks(300) + "</entries><defaultEntry>" + ticks(5000) + "</defaultEntry></items></activityGraph></tasks>";
  const TaskSet set = test::converted(model(parts));
  CHECK(longest_piece(set.dags()[1].nodes().front()) == Time(5300));  // at 1 GHz
}

TEST_CASE("What would be lost without a word is refused: activities without a type, and what stands behind the model") {
  Parts parts;
  parts.of_other = "Core1?type=ProcessingUnit";
  parts.tasks = R"(<tasks name="Other" stimuli="every%2010ms?type=PeriodicStimulus"><activityGraph><items events:type="am:RunnableCall"
    runnable="Post?type=Runnable"/></activityGraph></tasks>)";
  CHECK(test::fault_of(model(parts)).find("'items' has no xsi:type: what it does is not said") != std::string::npos);
  std::string without_slice = model();
  without_slice.replace(without_slice.find("1000 µs"), std::string("1000 µs").size(), "soon");
  CHECK(test::fault_of(without_slice).find("maximumTimeslice: 'soon' is no time") != std::string::npos);
  CHECK(test::fault_of(model() + "<constraintsModel/>\n").find("an element after the end of the model") != std::string::npos);
  parts.tasks = R"(<tasks name="Other" stimuli="every%2010ms?type=PeriodicStimulus" novel:ty="1"><activityGraph>
    <items xsi:type="am:RunnableCall" runnable="Post?type=Runnable"/></activityGraph></tasks>)";
  CHECK(test::mentions(convert::convert_text(model(parts), "m", {}).assumed, "attribute of tasks 'novel:ty' IS LEFT OUT"));
}

TEST_CASE("A unit whose definition is not in the file is told to count as a processor") {
  std::string text = model();
  const std::string name = R"(definitions xsi:type="am:ProcessingUnitDefinition" name="GPU")";
  text.replace(text.find(name), name.size(), R"(definitions xsi:type="am:ProcessingUnitDefinition" name="Other")");
  CHECK(test::mentions(convert::convert_text(text, "m", {}).assumed, "unit 'GP10B': its definition 'GPU' is not in the file"));
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
  CHECK(refused("<tasks name=\"T\"" + clock + "</tasks>").find("task 'T' has no allocation in the mapping model") != std::string::npos);
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

TEST_CASE("Of two things of one name neither is silently the last") {
  const auto refused = [](const std::string& rest) {
    Parts twice;
    twice.rest = rest;
    return test::fault_of(model(twice));
  };
  CHECK(refused(R"(<mappingModel><taskAllocation task="Offload?type=Task" scheduler="linux?type=TaskScheduler"/></mappingModel>)")
            .find("an allocation of task 'Offload' is there twice") != std::string::npos);
  CHECK(
      refused(
          R"(<stimuliModel><stimuli xsi:type="am:PeriodicStimulus" name="every 10ms"><recurrence value="1" unit="s"/></stimuli></stimuliModel>)")
          .find("stimulus 'every 10ms' is there twice") != std::string::npos);
  CHECK(refused(R"(<swModel><runnables name="Post"/></swModel>)").find("runnable 'Post' is there twice") != std::string::npos);
  CHECK(refused(R"(<swModel><labels name="Image"><size value="1" unit="B"/></labels></swModel>)").find("label 'Image' is there twice") !=
        std::string::npos);
  CHECK(refused(R"(<hwModel><domains xsi:type="am:FrequencyDomain" name="cpu"><defaultValue value="2" unit="GHz"/></domains></hwModel>)")
            .find("frequency domain 'cpu' is there twice") != std::string::npos);
  CHECK(refused(R"(<hwModel><structures name="s"><modules xsi:type="am:ProcessingUnit" name="Core0"/></structures></hwModel>)")
            .find("processing unit 'Core0' is there twice") != std::string::npos);
  CHECK(refused(R"(<hwModel><definitions xsi:type="am:ProcessingUnitDefinition" name="A57" puType="GPU"/></hwModel>)")
            .find("definition 'A57' is there twice") != std::string::npos);
  CHECK(refused(R"(<osModel><operatingSystems name="o"><taskSchedulers name="linux"/></operatingSystems></osModel>)")
            .find("scheduler 'linux' is there twice") != std::string::npos);
  CHECK(refused(R"(<mappingModel><memoryMapping abstractElement="Image?type=Label" memory="SRAM?type=Memory"/></mappingModel>)")
            .find("a memory of 'Image' is there twice") != std::string::npos);
  CHECK(refused(R"(<eventModel><events xsi:type="am:ProcessEvent" name="start" entity="Kernel?type=Task"/></eventModel>)")
            .find("event 'start' is there twice") != std::string::npos);
}

TEST_CASE("Two schedulers of one core are refused; one that a task set has not is a warning") {
  Parts two;
  two.tasks =
      R"(<tasks name="Second" stimuli="every%2010ms?type=PeriodicStimulus"><activityGraph><items xsi:type="am:RunnableCall" runnable="Post?type=Runnable"/></activityGraph></tasks>)";
  two.rest =
      R"(<osModel><operatingSystems name="o"><taskSchedulers name="other"><schedulingAlgorithm xsi:type="am:FixedPriorityPreemptive"/></taskSchedulers></operatingSystems></osModel>
<mappingModel><schedulerAllocation scheduler="other?type=TaskScheduler" responsibility="Core0?type=ProcessingUnit"/>
<taskAllocation task="Second?type=Task" scheduler="other?type=TaskScheduler"/></mappingModel>)";
  CHECK(test::fault_of(model(two)).find("unit 'Core0' has two schedulers: 'linux' of task 'Offload', and 'other' of task 'Second'") !=
        std::string::npos);
  std::string unknown = model();
  unknown.replace(unknown.find("am:FixedPriorityPreemptive"), 26, "am:LeastLocalRemainingTime");
  const auto result = convert::convert_text(unknown, "m", {});
  REQUIRE(result.warnings.size() == 1);
  CHECK(result.warnings.front().message ==
        "pool 'Core0': its tasks are scheduled by 'LeastLocalRemainingTime', which a task set does not say; G-EDF is written, and BOUNDS "
        "HOLD FOR "
        "THAT ORDER ALONE");
  CHECK(test::mentions(result.assumed, "scheduler of cores 'LeastLocalRemainingTime' IS LEFT OUT"));
  unknown.replace(unknown.find("am:LeastLocalRemainingTime"), 26, "am:FixedPriorityPreemptiveWithBudgetEnforcement");
  CHECK(test::mentions(convert::convert_text(unknown, "m", {}).assumed,
                       "'FixedPriorityPreemptiveWithBudgetEnforcement' IS LEFT OUT: FP is written: what the budgets hold back"));
}

TEST_CASE("A runnable that triggers a task ends its piece there") {
  // Go takes 1 ms, then starts Kernel, and goes on for 0.25 ms beside it.
  Parts parts;
  parts.tasks =
      R"(<tasks name="Other" stimuli="every%2010ms?type=PeriodicStimulus"><activityGraph><items xsi:type="am:RunnableCall" runnable="Go?type=Runnable"/></activityGraph></tasks>)";
  parts.rest = R"(<swModel><runnables name="Go"><activityGraph>
    <items xsi:type="am:Ticks"><default xsi:type="am:DiscreteValueConstant" value="1000000"/></items>
    <items xsi:type="am:InterProcessTrigger" stimulus="go?type=InterProcessStimulus"/>
    <items xsi:type="am:Ticks"><default xsi:type="am:DiscreteValueConstant" value="250000"/></items></activityGraph></runnables></swModel>)";
  const TaskSet set = test::converted(model(parts));
  const Dag& dag = set.dags()[1];
  REQUIRE(dag.name() == "Other");
  CHECK(longest_piece(test::node_of(dag, "Go")) == Time(1'000'000));
  CHECK(longest_piece(test::node_of(dag, "Go-2")) == Time(250'000));
  CHECK(test::edges_of(dag) == "Go -> ToDevice\nToDevice -> Function\nGo -> Go-2\n");
}

TEST_CASE("Attributes that nobody reads are told") {
  std::string text = model();
  for (const std::string element : {"<tasks ", "<runnables ", "<items ", "<stimuli ", "<modules ", "<taskSchedulers ", "<requirements ",
                                    "<eventChains ", "<taskAllocation ", "<value ", "<recurrence ", "<swModel"})
    text.insert(text.find(element) + element.size(), element.ends_with(' ') ? "novelty=\"1\" " : " novelty=\"1\"");
  const auto assumed = convert::convert_text(text, "m", {}).assumed;
  for (const char* part : {"tasks", "runnables", "activities", "stimuli", "units and memories", "schedulers", "requirements", "chains",
                           "allocations", "deviation", "quantities", "parts of the model"})
    CHECK_MESSAGE(test::mentions(assumed, "attribute of " + std::string(part) + " 'novelty' IS LEFT OUT"), part);
  CHECK(!test::mentions(convert::convert_text(model(), "m", {}).assumed, "attribute of"));
}

TEST_CASE("Periods and deadlines below a ns are rounded down, execution times up, frequencies down") {
  // 10 ms and half a ns; 9 ms and half a ns; 250,000 ticks at 3 Hz and a half, which counts as 3: 83,333.33 s.
  std::string text = model();
  const auto replace = [&](const std::string& old, const std::string& by) { text.replace(text.find(old), old.size(), by); };
  replace(R"(value="10" unit="ms")", R"(value="10000000500" unit="ps")");
  replace(R"(value="9" unit="ms")", R"(value="9000000.5" unit="ns")");
  replace(R"(value="1.0" unit="GHz")", R"(value="3.5" unit="Hz")");
  const Dag dag = test::converted(text).dags().front();
  CHECK(dag.nominal_period() == Time(10'000'000));
  CHECK(dag.deadline() == Time(9'000'000));
  CHECK(longest_piece(test::node_of(dag, "Post")) == Time(83'333'333'333'334));
}

TEST_CASE("A unit that a task may run on, and for which its runnable has no ticks, is refused") {
  // Pre has ticks for A57 alone; Core1 becomes a core of another kind.
  Parts parts;
  parts.affinity = "Core0?type=ProcessingUnit Core1?type=ProcessingUnit";
  CHECK(longest_piece(test::node_of(test::converted(model(parts)).dags().front(), "Pre")) == Time(1'000'001));
  std::string text = model(parts);
  const std::string core = R"(name="Core1" frequencyDomain="cpu?type=FrequencyDomain" definition="A57?)";
  text.replace(text.find(core) + core.size() - 4, 4, "M5?");
  CHECK(test::fault_of(text).find("runnable 'Pre' has no ticks for each of the units that task 'Offload' may run on") != std::string::npos);
}

namespace {

// H, 1 ms of work and a deadline of 3 ms, beside Low, which runs Post, 0.25 ms, `inside`, and Long, 2 ms, on one core.
std::string with_low(const std::string& preemption, const std::string& inside, const std::string& rest = {}) {
  Parts parts;
  const std::string post = R"(<items xsi:type="am:RunnableCall" runnable="Post?type=Runnable"/>)";
  const std::string kind = preemption.empty() ? std::string() : fmt::format(R"(preemption="{}")", preemption);
  parts.tasks =
      fmt::format(R"(<tasks name="Other" stimuli="every%2010ms?type=PeriodicStimulus" {}><activityGraph>{}{}{}</activityGraph></tasks>)",
                  kind, post, inside, R"(<items xsi:type="am:RunnableCall" runnable="Long?type=Runnable"/>)");
  parts.of_other = "Core1?type=ProcessingUnit";
  parts.rest =
      R"(<swModel><runnables name="Long"><activityGraph><items xsi:type="am:Ticks"><default xsi:type="am:DiscreteValueConstant" value="2000000"/></items></activityGraph></runnables></swModel>)" +
      rest;
  return model(parts);
}

}  // namespace

TEST_CASE("A task that cannot be preempted is one node up to where it waits; a cooperative one, a node for each runnable") {
  const auto nodes = [](const std::string& text) {
    std::string all;
    const TaskSet set = test::converted(text);
    for (const Node& node : set.dags()[1].nodes())
      all += fmt::format("{} {} on {}\n", node.name, longest_piece(node).count(), set.pools()[node.pool].name);
    return all;
  };
  CHECK(nodes(with_low("non_preemptive", "")) == "Other 2250000 on Core1\n");
  CHECK(nodes(with_low("cooperative", "")) == "Post 250000 on Core1\nLong 2000000 on Core1\n");
  CHECK(nodes(with_low("preemptive", "")) == "Post 250000 on Core1\nLong 2000000 on Core1\n");
  // While it waits passively others run.
  const std::string go = R"(<items xsi:type="am:InterProcessTrigger" stimulus="go?type=InterProcessStimulus"/>)";
  const auto wait = [](const std::string& how) {
    return fmt::format(R"(<items xsi:type="am:WaitEvent" waitingBehaviour="{}"><eventMask events="done?type=OsEvent"/></items>)", how);
  };
  CHECK(nodes(with_low("non_preemptive", go + wait("passive"))) ==
        "Post 250000 on Core1\nToDevice 4000010 on copy\nFunction 2000000 on GP10B\nLong 2000000 on Core1\n");
  CHECK(
      test::fault_of(with_low("non_preemptive", go)).find("task 'Other' cannot be preempted, and between what it does it starts another") !=
      std::string::npos);
  CHECK(test::fault_of(with_low("non_preemptive", go + wait("active"))).find("task 'Other' cannot be preempted") != std::string::npos);
}

TEST_CASE("Words of enumerations that are not known are refused, and told where none stands") {
  const auto with = [](const std::string& old, const std::string& by) {
    std::string text = model();
    text.replace(text.find(old), old.size(), by);
    return text;
  };
  const std::string waits = R"(waitingBehaviour="active")", reads = R"(data="Image?type=Label" access="read")", cpu = R"(puType="CPU")";
  CHECK(test::fault_of(with(waits, R"(waitingBehaviour="lazy")")).find("waitingBehaviour 'lazy' cannot be read: whether the task keeps") !=
        std::string::npos);
  CHECK(test::mentions(convert::convert_text(with(waits, ""), "m", {}).assumed,
                       "waitingBehaviour '_undefined_' IS LEFT OUT: the task is taken"));
  CHECK(test::fault_of(with(waits, waits + R"( maskType="XOR")")).find("maskType 'XOR' cannot be read") != std::string::npos);
  CHECK(test::fault_of(with(reads, R"(data="Image?type=Label" access="swap")")).find("access of a label 'swap' cannot be read") !=
        std::string::npos);
  CHECK(test::mentions(convert::convert_text(with(cpu, R"(puType="Accelerator")"), "m", {}).assumed,
                       "puType 'Accelerator' IS LEFT OUT: units of that kind count as processors"));
  CHECK(test::fault_of(with_low("perhaps", "")).find("preemption 'perhaps' cannot be read") != std::string::npos);
  CHECK(
      test::mentions(convert::convert_text(with_low("", ""), "m", {}).assumed, "preemption '_undefined_' IS LEFT OUT: the task is taken"));
  const std::string group =
      R"(<items xsi:type="am:Group" interruptible="{}"><items xsi:type="am:RunnableCall" runnable="Post?type=Runnable"/></items>)";
  const auto interruptible = [&](const char* value) {
    return test::mentions(convert::convert_text(with_low("preemptive", fmt::format(fmt::runtime(group), value)), "m", {}).assumed,
                          "attribute of activities 'interruptible' IS LEFT OUT");
  };
  CHECK(interruptible("false"));
  CHECK_FALSE(interruptible("true"));
}

TEST_CASE("Custom properties are told wherever they stand") {
  std::string text = model();
  for (const std::string element : {R"(<runnables name="Pre">)", R"(<stimuli xsi:type="am:PeriodicStimulus" name="every 10ms">)",
                                    R"(<requirements xsi:type="am:ProcessRequirement" name="d" process="Offload?type=Task">)",
                                    R"(<taskSchedulers name="linux">)", R"(<structures name="SoC">)", "<swModel>", "<mappingModel>"}) {
    const std::size_t at = text.find(element);
    REQUIRE(at != std::string::npos);
    text.insert(at + element.size(), R"(<customProperties key="novelty"><value xsi:type="am:StringObject" value="5"/></customProperties>)");
  }
  CHECK(test::mentions(convert::convert_text(text, "m", {}).assumed, "property of another thing 'novelty', 7 times IS LEFT OUT"));
}

TEST_CASE("Lower frequencies, ways to memories and stimuli that nothing triggers are told; a latency without frequency is refused") {
  const auto after = [](std::string text, const std::string& old, const std::string& more) {
    text.insert(text.find(old) + old.size(), more);
    return text;
  };
  const auto told = [](const std::string& text) { return convert::convert_text(text, "m", {}).assumed; };
  CHECK(test::mentions(told(after(model(), R"(<defaultValue value="1.0" unit="GHz"/>)", R"(<possibleValues value="100" unit="MHz"/>)")),
                       "domains 'possibleValues' IS LEFT OUT"));
  CHECK(test::mentions(told(after(model(), R"(<dataRate value="1" unit="GBPerSecond"/>)", R"(<accessPath name="p"/>)")),
                       "accessElements 'accessPath' IS LEFT OUT: what lies on the way"));
  std::string never = with_low("preemptive", "");
  const std::string clock = R"(name="Other" stimuli="every%2010ms?type=PeriodicStimulus)";
  never = after(after(never, clock, " never?type=InterProcessStimulus"), R"(<stimuli xsi:type="am:InterProcessStimulus" name="go"/>)",
                R"(<stimuli xsi:type="am:InterProcessStimulus" name="never"/>)");
  CHECK(test::mentions(told(never), "stimulus 'never' of task 'Other' is LEFT OUT: nothing that a clock starts triggers it"));
  std::string none = model();
  const std::string gpu = R"(name="GP10B" frequencyDomain="gpu?type=FrequencyDomain")";
  none.replace(none.find(gpu), gpu.size(), R"(name="GP10B")");
  CHECK(test::fault_of(none).find("processing unit 'GP10B' has no frequency") != std::string::npos);
}
