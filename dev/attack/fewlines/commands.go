package fewlines

import (
	"math/rand/v2"
	"strings"
)

// FileHere stands in a command line for the path of the file, and OtherHere for that of another record.
const (
	FileHere  = "FILE"
	OtherHere = "OTHER"
)

// Commands returns command lines that read a record. Lines of one group run one after the other. What they write has names that
// begin with that of the file and "-".
func Commands() (groups [][][]string) {
	for text := range strings.Lines(strings.TrimSpace(commands)) {
		var group [][]string
		for line := range strings.SplitSeq(text, " ; ") {
			group = append(group, strings.Fields(line))
		}
		groups = append(groups, group)
	}
	return groups
}

// Draw draws a few of the groups. Those that write most formats at once are drawn more often.
func Draw(rng *rand.Rand, groups [][][]string, n int) (some [][][]string) {
	for range n {
		among := groups
		if rng.IntN(4) == 0 {
			among = groups[:min(broad, len(groups))]
		}
		some = append(some, among[rng.IntN(len(among))])
	}
	return some
}

// broad is how many of the first groups write most formats at once.
const broad = 4

const commands = `
report -v -o FILE-a.html -o FILE-a.json -o FILE-a.jsonl -o FILE-a.csv -o FILE-a.md -o FILE-a.txt -o FILE-a.bmf.json -o FILE-a.gab.json -o FILE-a.xml FILE
compare -v -o FILE-a.html -o FILE-a.json -o FILE-a.csv -o FILE-a.md -o FILE-a.txt -o FILE-a.xml FILE
compare -v -o FILE-a.html -o FILE-a.json -o FILE-a.csv -o FILE-a.md -o FILE-a.txt -o FILE-a.xml OTHER FILE
compare -v -o FILE-a.html -o FILE-a.json -o FILE-a.csv -o FILE-a.md -o FILE-a.txt -o FILE-a.xml x=FILE y=FILE
report FILE
report -v FILE
report --format json FILE
report --format jsonl FILE
report --format csv FILE
report --format md FILE
report --format benchfmt FILE
report --format jmh FILE
report --format bmf FILE
report --format gab FILE
report --format junit FILE
report --format ycsb FILE
report --format ycsb-json FILE
report --format callgrind FILE
report --format svg FILE
report --format html FILE
report -o FILE-out.html FILE ; report --format csv FILE-out.html
report --sort total --focus f --ignore g --peek main FILE
report FILE OTHER
report -o FILE-out.html OTHER FILE
compare FILE
compare -v FILE
compare --format json FILE
compare --format html FILE
compare --gate slower:5% --gate more:5% FILE
compare --strict --test u --correction holm --threshold 1% --format csv FILE
compare FILE OTHER
compare OTHER FILE
compare --format json OTHER FILE
compare --format md FILE OTHER
compare --format junit --gate slower:1%:proven OTHER FILE
compare --format svg FILE OTHER
compare --format html FILE OTHER
compare --format benchfmt x=FILE y=FILE
compare --format json x=FILE y=FILE
compare -v --test savage x=FILE y=FILE
hist FILE
hist --format json --correct 1ms FILE
hist --format csv --tag READ* FILE
hist convert --format hlog FILE
hist convert --format csv FILE
hist convert --format json FILE
hist convert --format hgrm FILE
hist cut --from 0s --to 1h -o FILE-out.hlog FILE
hist merge --total FILE
hist plot -o FILE-out.svg FILE
hist plot --over-time -o FILE-out.svg FILE
hist slowest FILE
hist slowest --format csv FILE
history add --no-config --store FILE-h --commit HEAD --machine m FILE ; history list --no-config --format json --store FILE-h ; history show --no-config --store FILE-h ; history show --no-config -v --format json --store FILE-h ; history show --no-config -o FILE-out.svg --store FILE-h ; history show --no-config -o FILE-out.html --store FILE-h ; history export --no-config --format csv --store FILE-h ; history export --no-config --format jsonl --store FILE-h
why FILE
why --all FILE
why --all --format json FILE
why --all --format md -v FILE
why --all --format html FILE
asm FILE
asm --format json FILE
asm --format md --top 0 --runtime FILE
asm FILE OTHER
asm --format json FILE OTHER
trace FILE
trace -v --top 0 --depth 0 FILE
trace --format json FILE
trace -o FILE-out.svg FILE
trace -o FILE-out.folded FILE
trace -o FILE-out.trace.json FILE
trace -o FILE-out.callgrind FILE
trace -o FILE-out.speedscope.json FILE
sample FILE
sample -v --path FILE
sample --format json FILE
sample -o FILE-out.svg FILE
sample -o FILE-out.folded FILE
sample -o FILE-out.callgrind FILE
sample -o FILE-out.speedscope.json FILE
sample --format html FILE
contrast FILE
contrast --format json FILE
selftest --show FILE
selftest --format json --show FILE
selftest --format html --show FILE
bench --no-wait --resume FILE
bisect --no-wait --resume FILE
`
