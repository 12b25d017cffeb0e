# long: Slurm's daemons on this machine
# A sweep as a job array under a slurmctld and a slurmd of our own, with munge, in a folder of our own: the same rows as without,
# limits that sbatch has understood, and jobs that are killed for their memory and show as that.
. tests/tap
for program in munged slurmctld slurmd sbatch scontrol squeue; do
	command -v $program >/dev/null || [ -x /usr/sbin/$program ] || { echo "skipped: $program is missing (slurm-wlm, munge)"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "skipped: slurmd needs root"; exit 77; }
PATH=$PATH:/usr/sbin
. tests/sweep/lib
room=$work/slurm
mkdir -p "$room/munge" "$room/state" "$room/spool" "$room/log"
chmod 711 "$work" "$room" "$room"/*
head -c 1024 /dev/urandom >"$room/munge/key" && chmod 600 "$room/munge/key"
host=$(hostname -s)
cat >"$room/slurm.conf" <<END
ClusterName=warpstep
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$room/munge/socket
CredType=cred/munge
SlurmctldPort=27817
SlurmdPort=27818
StateSaveLocation=$room/state
SlurmdSpoolDir=$room/spool
SlurmctldPidFile=$room/slurmctld.pid
SlurmdPidFile=$room/slurmd.pid
SlurmctldLogFile=$room/log/slurmctld
SlurmdLogFile=$room/log/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
ReturnToService=2
SwitchType=switch/none
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
SLURM_CONF=$room/slurm.conf
export SLURM_CONF

# The daemons that were started here end with the test, by their own numbers.
stop() {
	for pid in "$room/slurmd.pid" "$room/slurmctld.pid" "$room/munge/pid"; do [ ! -s "$pid" ] || kill "$(cat "$pid")"; done 2>/dev/null
	sleep 1
	rm -rf "$work"
}
trap stop EXIT
munged --force --key-file="$room/munge/key" --socket="$room/munge/socket" --pid-file="$room/munge/pid" --log-file="$room/munge/log" \
	--seed-file="$room/munge/seed" --num-threads=1 2>/dev/null && slurmctld -i 2>/dev/null && slurmd 2>/dev/null ||
	{ echo "skipped: Slurm does not start here"; exit 77; }
# settled: the queue is empty.
settled() { for _ in $(seq 600); do sleep 0.5; [ -n "$(squeue -h)" ] || return 0; done; return 1; }
for _ in $(seq 60); do sleep 0.5; [ "$(sinfo -h -o %t 2>/dev/null)" != idle ] || break; done
[ "$(sinfo -h -o %t 2>/dev/null)" = idle ] || { echo "skipped: Slurm has no node here"; exit 77; }

points 12 3 >"$work/k.scn"
"$WARPSTEP" -q --sweep "$work/k.scn" --results "$work/whole.db"
"$WARPSTEP" --sweep "$work/k.scn" --slurm --max-seconds 90 --max-memory 300 >/dev/null
scontrol -o show job "$(cat "$work/k.db.slurm/array")" | tr ' ' '\n' >"$work/job"
# 90 seconds and a minute to spare are 3 minutes; 300 MB and 128 to spare.
holds "Slurm has understood the limit of time" grep -qx 'TimeLimit=00:03:00' "$work/job"
holds "... of memory" grep -qx 'MinMemoryNode=428M' "$work/job"
holds "... and one processor for each" grep -qx 'CPUs/Task=1' "$work/job"
"$WARPSTEP" --sweep "$work/k.scn" --slurm 2>"$work/err"
holds "jobs that are in the queue are not submitted again" grep -q 'is still in the queue' "$work/err"
settled
dump "$work/whole.db" >"$work/whole"
dump "$work/k.db" >"$work/dump"
holds "by Slurm: the same rows" cmp "$work/whole" "$work/dump"
# Slurm looks at memory every second: the job takes some.
cat >"$work/big.scn" <<'END'
gpu volta
sweep n 1000000 60000000
buffer a f32[$n] iota
synthetic work iterations 400000 body 10
launch work grid 4 block 64
END
SBATCH_MEM_PER_NODE=150 "$WARPSTEP" --sweep "$work/big.scn" --slurm >/dev/null
settled
"$WARPSTEP" --results "$work/big.db" >"$work/list"
holds "a job that Slurm killed for its memory shows as killed" grep -q '60000000 .*killed by memory' "$work/list"
holds "... and no other" grep -q '1000000 .*complete' "$work/list"
"$WARPSTEP" --results "$work/big.db" mean cycle >/dev/null 2>"$work/err"
holds "... and there is no mean over it" grep -q 'n 60000000): killed by memory' "$work/err"
exit $failed
