package ycsb

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// bucket is one length of a histogram.
type bucket struct {
	length int
	below  uint64 // weight of this length and of those before it
}

// readLengths reads the file of [Config].FieldLengthHistogram. It follows YCSB's
// documentation; YCSB's code gives the last bucket the length of the one before it.
func readLengths(name string) (lengths, error) {
	if st, err := os.Stat(name); err == nil && !st.Mode().IsRegular() {
		return lengths{}, fmt.Errorf("fieldlengthhistogram: %s: is not a regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return lengths{}, fmt.Errorf("fieldlengthhistogram: %w", err)
	}
	defer f.Close()
	l, err := parseLengths(f, name)
	if err != nil {
		return lengths{}, fmt.Errorf("fieldlengthhistogram %w", err)
	}
	return l, nil
}

func parseLengths(r io.Reader, name string) (lengths, error) {
	l := lengths{distribution: Histogram}
	lines := bufio.NewScanner(r)
	block, n := 0, 0
	weights := map[int]uint64{} // by length
	for lines.Scan() {
		n++
		line := strings.TrimRight(lines.Text(), " \t\r")
		if line == "" {
			continue
		}
		var err error
		if block == 0 {
			block, err = parseBlockSize(line)
		} else {
			err = parseBucket(line, block, weights)
		}
		if err != nil {
			return l, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return l, fmt.Errorf("%s:%d: %w", name, n+1, err)
	}
	if err := l.fill(weights); err != nil {
		return l, fmt.Errorf("%s: %w", name, err)
	}
	return l, nil
}

func parseBlockSize(line string) (int, error) {
	word, size, _ := strings.Cut(line, "\t")
	if n, err := strconv.Atoi(size); word == "BlockSize" && err == nil && n >= 1 && n <= maxRecordBytes {
		return n, nil
	}
	return 0, fmt.Errorf("%q: the first line must be BlockSize, a tab and a number of bytes from 1 to %d", line, maxRecordBytes)
}

func parseBucket(line string, block int, weights map[int]uint64) error {
	first, second, _ := strings.Cut(line, "\t")
	i, err := strconv.Atoi(first)
	if err != nil || i < 0 || i >= maxRecordBytes/block {
		return fmt.Errorf("%q: a line must be a bucket from 0 to %d, a tab and its weight", line, maxRecordBytes/block-1)
	}
	w, err := strconv.ParseUint(second, 10, 32)
	if err != nil {
		return fmt.Errorf("%q: the weight must be a whole number below 2^32", line)
	}
	length := (i + 1) * block
	if _, twice := weights[length]; twice {
		return fmt.Errorf("bucket %d occurs twice", i)
	}
	weights[length] = w
	return nil
}

func (l *lengths) fill(weights map[int]uint64) error {
	for length, w := range weights {
		if w > 0 {
			l.table = append(l.table, bucket{length, w})
		}
	}
	if len(l.table) == 0 {
		return errors.New("no bucket has a weight")
	}
	slices.SortFunc(l.table, func(a, b bucket) int { return cmp.Compare(a.length, b.length) })
	for i := range l.table {
		l.weight += l.table[i].below
		l.table[i].below = l.weight
	}
	return nil
}

// bucket returns the length at a place below the sum of all weights.
func (l *lengths) bucket(at uint64) int {
	i := sort.Search(len(l.table), func(i int) bool { return l.table[i].below > at })
	return l.table[i].length
}
