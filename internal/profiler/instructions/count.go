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

// readCount returns the instructions in a file of cachegrind.
func readCount(path string) (int64, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return 0, errors.New("valgrind wrote no count")
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	n, err := parseCount(f)
	if err != nil {
		return 0, fmt.Errorf("valgrind's count: %w", err)
	}
	return n, nil
}

// parseCount parses cachegrind's format. Two lines matter, the names of the events and their sums:
//
//	events: Ir
//	summary: 354368276
//
// See "Cachegrind Output File Format" in valgrind's manual.
func parseCount(r io.Reader) (int64, error) {
	at := -1 // of event Ir, instructions
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		if events, ok := strings.CutPrefix(sc.Text(), "events:"); ok {
			at = slices.Index(strings.Fields(events), "Ir")
		}
		sums, ok := strings.CutPrefix(sc.Text(), "summary:")
		if !ok {
			continue
		}
		f := strings.Fields(sums)
		if at < 0 || at >= len(f) {
			return 0, fmt.Errorf("no event Ir in %q", sc.Text())
		}
		n, err := strconv.ParseInt(strings.ReplaceAll(f[at], ",", ""), 10, 64)
		if err != nil || n < 0 {
			return 0, fmt.Errorf("%q is not a count", f[at])
		}
		return n, nil
	}
	if err := sc.Err(); err != nil {
		return 0, err
	}
	return 0, errors.New("no summary: the file is cut off")
}
