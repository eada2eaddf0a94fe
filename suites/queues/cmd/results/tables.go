package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tarebench/tare/stat"
)

// markdown writes all tables.
func (res *result) markdown(w io.Writer) {
	fmt.Fprint(w, "# Results\n\nWritten by `go run ./cmd/results`; the ratios that matter are in the [README](../README.md).\n\n")
	res.where(w)
	res.throughputs(w)
	for _, t := range []table{
		{title: "Round trip of one element, ns", prefix: "RoundTrip/", where: "burst=1", unit: trip, one: 1},
		{title: "Round trip of a burst of 100, ns", prefix: "RoundTrip/", where: "burst=100", unit: trip, one: 1},
		{title: "Burst of 100 until the consumer has said that it has them, ns", prefix: "Burst/", unit: "producer-ns/op", one: 1},
		{title: "Starved: two pairs per two cores, GOMAXPROCS = cores, M elements/s", prefix: "Starved/", where: "procs=cores", unit: rate, one: 1e6},
		{title: "Starved: two pairs per two cores, GOMAXPROCS = twice the cores, M elements/s", prefix: "Starved/", where: "procs=twice", unit: rate, one: 1e6},
	} {
		res.write(w, t)
	}
	res.latencies(w)
	res.memory(w)
	res.stores(w)
	res.writeWarnings(w)
}

// A table has a row for each way of handing over and a column for each distance.
type table struct {
	title, prefix, where, unit string
	one                        float64
}

// rowsOf are the rows that a table is about.
func (res *result) rowsOf(prefix string, where ...string) []*row {
	var out []*row
	for _, r := range res.rows {
		has := func(param string) bool { return param == "" || strings.Contains(r.name+"/", "/"+param+"/") }
		if strings.HasPrefix(r.name, prefix) && !slices.ContainsFunc(where, func(p string) bool { return !has(p) }) {
			out = append(out, r)
		}
	}
	return out
}

func (res *result) write(w io.Writer, t table) {
	rows := res.rowsOf(t.prefix, t.where)
	if t.unit == trip { // Java's are of the same kind
		how := strings.Replace(t.where, "burst=", "how=ring-", 1)
		rows = append(rows, res.rowsOf("JCTools/", how)...)
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(w, "## %s\n\n| | near | far |\n|---|---|---|\n", t.title)
	for _, r := range rows {
		fmt.Fprintf(w, "| %s | %s | %s |\n", r.way(), digits.Full(r.at(near, t.unit), t.one), digits.Full(r.at(far, t.unit), t.one))
	}
	fmt.Fprintln(w)
}

// throughputs has one table for each number of parties: elements and capacities
// across.
func (res *result) throughputs(w io.Writer) {
	for _, parties := range []string{"1to1", "2to1", "1to2", "2to2"} {
		rows := res.rowsOf("Throughput/", "parties="+parties)
		if len(rows) == 0 {
			continue
		}
		fmt.Fprintf(w, "## Throughput %s, M elements/s, near / far\n\n| |", strings.Replace(parties, "to", "–", 1))
		columns := []string{"capacity=1024/elem=ptr", "capacity=1024/elem=int64", "capacity=65536/elem=ptr", "capacity=65536/elem=int64"}
		for _, c := range columns {
			fmt.Fprintf(w, " %s |", strings.NewReplacer("capacity=", "", "/elem=", ", ").Replace(c))
		}
		fmt.Fprintf(w, " failed tries per element, 1024, ptr: producers / consumers |\n|---%s|\n", strings.Repeat("|---", len(columns)+1))
		seen := map[string]bool{}
		for _, r := range append(rows, res.rowsOf("JCTools/", "parties="+parties)...) {
			if seen[r.way()] || strings.HasPrefix(r.params["how"], "ring-") {
				continue
			}
			seen[r.way()] = true
			fmt.Fprintf(w, "| %s |", r.way())
			for _, c := range columns {
				fmt.Fprintf(w, " %s |", res.pair(r, c))
			}
			fmt.Fprintf(w, " %s |\n", res.failures(r, columns[0]))
		}
		fmt.Fprintln(w)
	}
}

// elsewhere is the row of the same way and parties in another column.
func (res *result) elsewhere(r *row, column string) *row {
	_, rest, _ := strings.Cut(r.name, "/parties=")
	top, _, _ := strings.Cut(r.name, "/")
	return res.byName[top+"/"+column+"/parties="+rest]
}

func (res *result) pair(r *row, column string) string {
	x := res.elsewhere(r, column)
	if x == nil {
		return "–"
	}
	return digits.Full(x.at(near, rate), 1e6) + " / " + digits.Full(x.at(far, rate), 1e6)
}

// failures are the tries that failed, per element, near.
func (res *result) failures(r *row, column string) string {
	x := res.elsewhere(r, column)
	if x == nil || x.all["producer-failed/op"] == nil {
		return "–"
	}
	return digits.Plain(x.at(near, "producer-failed/op"), 1) + " / " + digits.Plain(x.at(near, "consumer-failed/op"), 1)
}

// latencies are in µs, at each distance.
func (res *result) latencies(w io.Writer) {
	for _, at := range []string{"rate=100000", "rate=1000000"} {
		rows := res.rowsOf("Latency/", at)
		if len(rows) == 0 {
			continue
		}
		per := map[string]string{"rate=100000": "100 000", "rate=1000000": "1 000 000"}[at]
		fmt.Fprintf(w, "## Latency at %s elements per second, µs, near / far\n\n| | p50 | p99 | p99.9 | max |\n|---|---|---|---|---|\n", per)
		for _, r := range rows {
			fmt.Fprintf(w, "| %s |", r.way())
			for _, unit := range []string{"p50-ns", "p99-ns", "p99.9-ns", "max-ns"} {
				fmt.Fprintf(w, " %s / %s |", digits.Plain(r.at(near, unit), 1e3), digits.Plain(r.at(far, unit), 1e3))
			}
			fmt.Fprintln(w)
		}
		fmt.Fprint(w, "\nFrom when an element was due until the consumer has it; medians over forks of each fork's percentile.\n\n")
	}
}

func (res *result) memory(w io.Writer) {
	rows := res.rowsOf("Memory/")
	if len(rows) == 0 {
		return
	}
	fmt.Fprint(w, "## Memory, bytes\n\n| | element | capacity 1024, empty | capacity 1024, full | one more element |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", r.params["queue"], r.params["elem"],
			whole(r.anywhere("empty-B")), whole(r.anywhere("full-B")), digits.Plain(r.anywhere("element-B"), 1))
	}
	fmt.Fprint(w, "\nThe allocator's blocks, without what elements point to. One more element: from 1024 to 65 536 of them, both full; of"+
		" GrowableSPSC with the rings that it has grown out of, until they are collected or used again.\n\n")
}

// stores is what making visible costs at least.
func (res *result) stores(w io.Writer) {
	rows := res.rowsOf("Store/")
	if len(rows) == 0 {
		return
	}
	fmt.Fprint(w, "## Writing a word that nobody else looks at, ns\n\n| | |\n|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(w, "| %s | %s |\n", r.params["how"], digits.Full(r.anywhere("ns/op"), 1))
	}
	fmt.Fprintln(w)
}

func whole(f stat.Interval) string { return fmt.Sprintf("%.0f", f.Median) }

// writeWarnings writes the warnings of the records, and what failed.
func (res *result) writeWarnings(w io.Writer) {
	var lines []string
	for _, r := range res.rows {
		if r.failed > 0 {
			lines = append(lines, fmt.Sprintf("%s: %d forks failed", r.name, r.failed))
		}
	}
	for code, n := range res.warnings {
		lines = append(lines, fmt.Sprintf("`%s`: %d times", code, n))
	}
	if len(lines) == 0 {
		return
	}
	slices.Sort(lines)
	fmt.Fprintf(w, "## Doubts\n\n* %s\n", strings.Join(lines, "\n* "))
}
