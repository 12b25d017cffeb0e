# Laws 5, 6 and 12 as a user sees them: the statistics of every scenario's batch run agree with each other.
# more: every scenario
n=0 bad=0

# Sums that must be equal, one equation a line; * stands for every statistic of that prefix.
equations='slots.total = slots.issued slots.pipeline slots.short slots.fetch slots.long slots.barrier slots.held slots.idle
occupancy.warp_cycles = warps.*
inst.warp = slots.issued issue.stolen
inst.warp = warps.issued
inst.warp = events.issue
inst.warp = subcore.issued
inst.warp = kernel.*.inst.warp
inst.thread = kernel.*.inst.thread
rf.reads = events.grant
rf.reused = events.reuse
rf.conflict_cycles = events.conflict
l1i.accesses = l1i.hits l1i.misses l1i.merges l1i.refused
l1i.accesses = events.fetch
branch.diverged = events.diverge
barrier.arrivals = events.barrier
l1d.accesses = l1d.hits l1d.misses l1d.merges
l1d.hits = events.l1dhit
l1d.misses = events.l1dmiss
l1d.merges = events.l1dmerge
l1d.refused = events.l1drefused
shared.accesses = events.shared
icnt.requests = events.request
icnt.replies = events.reply
l2.accesses = l2.hits l2.misses l2.merges
cta.started = cta.finished
cta.started = events.ctastart
cta.finished = events.ctaend
events.kernelstart = events.kernelend'

# The "stats" object of standard input as lines "name value", the elements of arrays on lines of their own.
flat() {
	sed -n 's/.*"cmd": *"stats".*"result": *{\(.*\)}}$/\1/p' | tr ',' '\n' | sed 's/[]["{} ]//g' |
		awk -F: 'NF == 2 { name = $1; print name, $2 } NF == 1 { print name, $1 }'
}

for scenario in scenarios/*.scn tests/ptx/*.scn; do
	n=$((n + 1))
	wrong=$("$WARPSTEP" -n -b -j "$scenario" 2>/dev/null </dev/null | flat | EQUATIONS=$equations awk '
		{ value[$1] += $2; known[$1] = 1 }
		function total(name, pattern, sum, k) {
			if (name !~ /\*/) {
				if (!(name in known)) print "no statistic " name
				return value[name]
			}
			pattern = name
			gsub(/\./, "\\.", pattern); gsub(/\*/, "[^.]*", pattern)
			for (k in value) if (k ~ "^" pattern "$") sum += value[k]
			return sum
		}
		END {
			count = split(ENVIRON["EQUATIONS"], line, "\n")
			for (i = 1; i <= count; i++) {
				terms = split(line[i], term, " ")
				sum = 0
				for (t = 3; t <= terms; t++) sum += total(term[t])
				if (total(term[1]) != sum) print line[i] " does not hold (" value[term[1]] ", " sum ")"
			}
			if (!value["inst.warp"]) print "nothing was issued"
		}')
	if [ -z "$wrong" ]; then
		echo "ok $n - $scenario: laws 5, 6, 12 in stats"
	else
		echo "not ok $n - $scenario: laws 5, 6, 12 in stats: $(echo "$wrong" | head -n 3 | tr '\n' ';')"
		bad=1
	fi
done
exit $bad
