#!/bin/bash
# rta sweep --slurm against a real Slurm (Debian: slurm-wlm, munge) on this machine: a controller and one node, in a folder of their own.
# Usage: tests/slurm.sh RTA. Prints "skipped: why" and ends with 0 where Slurm cannot run; ends with 1 where the sweep is wrong.
set -u
rta=$(readlink -f -- "$1") || exit 1
root=$(mktemp -d /tmp/rta-slurm-XXXXXX) || exit 1
pids=()

skip() { echo "skipped: $1"; exit 0; }
fail() {
  echo "failed: $1"
  tail -n 20 "$root"/*.log "$root"/out/slurm/*.log 2> /dev/null
  exit 1
}
finish() {
  [ ${#pids[@]} -eq 0 ] || kill "${pids[@]}" 2> /dev/null
  wait 2> /dev/null
  rm -rf "$root"
}
trap finish EXIT

for tool in slurmctld slurmd munged sbatch squeue scontrol; do
  command -v $tool > /dev/null || skip "$tool is not installed (Debian: slurm-wlm, munge)"
done
[ "$(id -u)" = 0 ] || skip "slurmd needs root"

# A key, a socket and ports of their own: nothing of a Slurm that may already run here is touched.
export SLURM_CONF=$root/slurm.conf
host=$(hostname -s)
chmod 755 "$root"
mkdir -m 700 "$root/munge"
mkdir -m 755 "$root/munge-socket" "$root/state" "$root/spool"
head -c 1024 /dev/urandom > "$root/munge/key"
chmod 600 "$root/munge/key"
munged --foreground --force --key-file="$root/munge/key" --socket="$root/munge-socket/s" --pid-file="$root/munge/pid" \
  --seed-file="$root/munge/seed" --log-file="$root/munge.log" --group-update-time=-1 > "$root/munged.log" 2>&1 &
pids+=($!)
port=$((20000 + RANDOM % 20000))
cat > "$SLURM_CONF" << END
ClusterName=rta
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$root/munge-socket/s
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$root/state
SlurmdSpoolDir=$root/spool
SlurmctldPidFile=$root/slurmctld.pid
SlurmdPidFile=$root/slurmd.pid
SlurmctldLogFile=$root/slurmctld.log
SlurmdLogFile=$root/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
for _ in $(seq 50); do [ ! -S "$root/munge-socket/s" ] || break; sleep 0.1; done
[ -S "$root/munge-socket/s" ] || skip "munged does not start: $(tail -n 1 "$root/munged.log" "$root/munge.log" 2> /dev/null | tr '\n' ' ')"
slurmctld -D -i > "$root/controller.log" 2>&1 &
pids+=($!)
slurmd -D > "$root/node.log" 2>&1 &
pids+=($!)
for _ in $(seq 300); do
  state=$(sinfo -h -o %T 2> /dev/null)
  [ "$state" != idle ] || break
  sleep 0.1
done
[ "$state" = idle ] || skip "Slurm does not start here (node: ${state:-unknown}): $(grep -hE 'error|fatal' "$root/slurmd.log" "$root/slurmctld.log" 2> /dev/null | tail -n 2 | tr '\n' ' ')"

cat > "$root/spec.yaml" << 'END'
platform: {cpu: {processors: 8}, gpu: {device: titan-v}}
random:
  dags: 10
  nodes: 10
  periods: 10 ms .. 100 ms
  deadline: 4
  shape: {layers: 3 .. 5, p: 50 %}
  cpu: {utilization: 40 %}
  gpu: {share: 50 %, utilization: 20 %, split: proportional, L: 50 us .. 1 ms, B: 16 .. 64, H: [128, 256]}
sweep:
  sets: 20000
  grid: {random.gpu.utilization: [20 %, 40 %, 60 %]}
  analyses:
    - {name: T5, cpu_bound: T1, gpu_bound: T5, refine: none}
END
"$rta" sweep "$root/spec.yaml" -o "$root/whole" --quiet || fail "the sweep itself"
submitted=$("$rta" sweep "$root/spec.yaml" -o "$root/out" --slurm 4) || fail "submission: $submitted"
echo "$submitted"
array=$(sed -n 's/.*shards: job \([0-9]*\).*/\1/p' <<< "$submitted")
[ -n "$array" ] || fail "no job number in '$submitted'"

# A shard that works is requeued: stopped and started again, it has to go on.
journal=$root/out/shard-1-of-4/journal
for _ in $(seq 200); do
  [ ! -s "$journal" ] || break
  sleep 0.05
done
[ -s "$journal" ] || fail "shard 1 does not begin"
scontrol requeue "${array}_1" || fail "shard 1 cannot be requeued"

for _ in $(seq 1200); do
  [ -n "$(squeue -h 2> /dev/null)" ] || break
  sleep 0.1
done
[ -z "$(squeue -h)" ] || fail "jobs still queued: $(squeue)"
grep -q 'rta: stopped;' "$root/out/slurm/shard-1.log" || fail "shard 1 was done before it was requeued"
[[ $(scontrol show job "${array}_1") == *" Restarts=1 "* ]] || fail "shard 1 did not run twice"
for table in results summary ratios weighted points; do
  cmp "$root/whole/$table.csv" "$root/out/$table.csv" || fail "$table.csv differs from that of a sweep without Slurm"
done
echo "passed: 4 shards, one of them requeued, and a merge by Slurm $(slurmd -V | cut -d' ' -f2) gave the same files"
