package instructions

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// counts is what cachegrind counted in a process.
type counts struct {
	total int64
	rows  map[row]int64
}

// row is a line of source in a function of the machine code. Of inlined code file and line are the callee's.
type row struct {
	fn, file string // as cachegrind writes them, "???" if unknown
	line     int    // 0: unknown
}

// whole reports whether the rows add up to the total.
func (c *counts) whole() bool {
	sum := int64(0)
	for _, n := range c.rows {
		sum += n
	}
	return sum == c.total
}

// readCounts returns the counts in a file of cachegrind.
func readCounts(path string) (counts, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return counts{}, errors.New("valgrind wrote no count")
	}
	if err != nil {
		return counts{}, err
	}
	defer f.Close()
	c, err := parseCounts(f)
	if err != nil {
		return counts{}, fmt.Errorf("valgrind's count: %w", err)
	}
	return c, nil
}

// parseCounts parses cachegrind's format: the names of the events, rows of counts, and their sums:
//
//	events: Ir
//	fl=/src/p/sum.go
//	fn=p.sum
//	7 20000000
//	summary: 354368276
//
// A row that it does not understand is not counted, so that the rows do not add up to the total. See "Cachegrind Output
// File Format" in valgrind's manual.
func parseCounts(r io.Reader) (counts, error) {
	p := parser{at: -1, counts: counts{rows: map[row]int64{}}, names: map[string]string{}}
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		if done, err := p.parse(sc.Text()); err != nil {
			return counts{}, err
		} else if done {
			return p.counts, nil
		}
	}
	if err := sc.Err(); err != nil {
		return counts{}, err
	}
	return counts{}, errors.New("no summary: the file is cut off")
}

// parser parses the lines of a file.
type parser struct {
	at int // position of event Ir, instructions; -1: unknown
	counts
	place row               // of the rows that follow
	names map[string]string // each name once
}

func (p *parser) parse(line string) (done bool, err error) {
	if line != "" && line[0] >= '0' && line[0] <= '9' {
		p.addRow(line)
		return false, nil
	}
	if name, ok := strings.CutPrefix(line, "fn="); ok {
		p.place.fn = p.name(name)
		return false, nil
	}
	for _, key := range []string{"fl=", "fi=", "fe="} {
		if name, ok := strings.CutPrefix(line, key); ok {
			p.place.file = p.name(name)
			return false, nil
		}
	}
	if events, ok := strings.CutPrefix(line, "events:"); ok {
		p.at = slices.Index(strings.Fields(events), "Ir")
	}
	sums, ok := strings.CutPrefix(line, "summary:")
	if !ok {
		return false, nil
	}
	f := strings.Fields(sums)
	if p.at < 0 || p.at >= len(f) {
		return false, fmt.Errorf("no event Ir in %q", line)
	}
	if p.total, err = parseCount(f[p.at]); err != nil {
		return false, err
	}
	return true, nil
}

// addRow adds a row: its line, and a count for each event. Counts at the end that are 0 may be missing.
func (p *parser) addRow(line string) {
	at, rest, _ := strings.Cut(line, " ")
	number, err := strconv.ParseInt(at, 10, 32)
	if err != nil || p.at < 0 {
		return
	}
	f := strings.Fields(rest)
	if p.at >= len(f) {
		return
	}
	if n, err := parseCount(f[p.at]); err == nil {
		place := p.place
		place.line = int(number)
		p.rows[place] += n
	}
}

func (p *parser) name(s string) string {
	if have, ok := p.names[s]; ok {
		return have
	}
	s = strings.Clone(s)
	p.names[s] = s
	return s
}

func parseCount(s string) (int64, error) {
	n, err := strconv.ParseInt(strings.ReplaceAll(s, ",", ""), 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%q is not a count", s)
	}
	return n, nil
}
