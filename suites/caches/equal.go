package caches

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Equal is the configuration of the comparison at equal memory: each cache has the number of entries with which its
// process stays within one budget of resident memory.
type Equal struct {
	Budget  int64          // of resident memory of each process at its peak, in bytes; a multiple of 1 MB (10⁶)
	Entries map[string]int // by the name of the cache
}

// EqualVariable is the environment variable with the text of an [Equal]. Command capacities prints it.
const EqualVariable = "CACHES_EQUAL"

var errNoEqual = errors.New("it is not set; go run ./cmd/capacities prints it")

// EqualFromEnv returns the configuration in EqualVariable.
func EqualFromEnv() (Equal, error) {
	text, ok := os.LookupEnv(EqualVariable)
	if !ok || text == "" {
		return Equal{}, fmt.Errorf("%s: %w", EqualVariable, errNoEqual)
	}
	e, err := ParseEqual(text)
	if err != nil {
		return Equal{}, fmt.Errorf("%s: %w", EqualVariable, err)
	}
	return e, nil
}

// ParseEqual parses a text such as "100MB:otter=812000,theine=520000".
func ParseEqual(text string) (Equal, error) {
	budget, list, ok := strings.Cut(text, ":")
	if !ok {
		return Equal{}, fmt.Errorf("%q: want a budget and entries, such as 100MB:otter=812000", text)
	}
	e := Equal{Entries: map[string]int{}}
	var err error
	if e.Budget, err = ParseBudget(budget); err != nil {
		return Equal{}, err
	}
	for item := range strings.SplitSeq(list, ",") {
		name, count, _ := strings.Cut(item, "=")
		if !slices.ContainsFunc(Bounded(), func(k Kind) bool { return k.Name == name }) {
			return Equal{}, fmt.Errorf("%q: there is no such cache with a bound", name)
		}
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 {
			return Equal{}, fmt.Errorf("%q: want a number of entries, such as %s=100000", item, name)
		}
		if e.Entries[name] != 0 {
			return Equal{}, fmt.Errorf("%s is there twice", name)
		}
		e.Entries[name] = n
	}
	return e, nil
}

// ParseBudget parses a whole number of MB (10⁶ bytes), such as "100MB", and returns the bytes.
func ParseBudget(text string) (int64, error) {
	digits, ok := strings.CutSuffix(text, "MB")
	n, err := strconv.ParseInt(digits, 10, 32)
	if !ok || err != nil || n < 1 {
		return 0, fmt.Errorf("%q: want a whole number of MB, such as 100MB", text)
	}
	return n * 1e6, nil
}

// BudgetText returns the text of a budget, as ParseBudget takes it.
func BudgetText(bytes int64) string { return fmt.Sprintf("%dMB", bytes/1e6) }

// String returns the text that ParseEqual takes, with the caches in the order of the suite.
func (e Equal) String() string {
	var items []string
	for _, k := range Bounded() {
		if n := e.Entries[k.Name]; n > 0 {
			items = append(items, fmt.Sprintf("%s=%d", k.Name, n))
		}
	}
	return BudgetText(e.Budget) + ":" + strings.Join(items, ",")
}

// Bounded returns the caches that have a bound, in the order of the suite.
func Bounded() []Kind {
	return slices.DeleteFunc(All(), func(k Kind) bool { return k.High == 0 || k.Floor })
}

// PeakUnit is the unit of the peak of resident memory that the benchmark reports of its own process.
const PeakUnit = "peak-RSS-B"

// PeakRSS returns the peak of this process's resident memory since its start, in bytes: VmHWM of Linux. ok is false
// on other systems.
func PeakRSS() (bytes int64, ok bool) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(status)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "VmHWM:" {
			kib, err := strconv.ParseInt(f[1], 10, 64)
			return kib << 10, err == nil
		}
	}
	return 0, false
}
