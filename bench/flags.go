package bench

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tarebench/tare/record"
)

// testFlags are the values of package testing's flags. A program that calls testing.Benchmark may have no such
// flags; then they are testing's defaults.
type testFlags struct {
	length time.Duration // of a window, or
	count  int64         // operations, if not 0
	rounds int           // how often each benchmark is measured
}

func readFlags() testFlags {
	a := testFlags{length: time.Second, rounds: 1}
	if text := flagText("test.benchtime"); strings.HasSuffix(text, "x") {
		a.count, _ = strconv.ParseInt(strings.TrimSuffix(text, "x"), 10, 64)
	} else if d, err := time.ParseDuration(text); err == nil && d > 0 {
		a.length = d
	}
	if n, err := strconv.Atoi(flagText("test.count")); err == nil && n > 0 {
		a.rounds = n
	}
	cpus := 0
	for _, text := range strings.Split(flagText("test.cpu"), ",") {
		if strings.TrimSpace(text) != "" {
			cpus++
		}
	}
	a.rounds *= max(1, cpus)
	return a
}

func flagText(name string) string {
	f := flag.Lookup(name)
	if f == nil {
		return ""
	}
	return f.Value.String()
}

// hiddenField reads an unexported field of testing.B, to learn whether b.Loop or b.Run was used. If testing's
// fields have changed it returns 0, and misuse is detected later or not at all. A test checks the fields.
func hiddenField(b *testing.B, path ...string) uint64 {
	v := reflect.ValueOf(b).Elem()
	for _, name := range path {
		if v.Kind() != reflect.Struct {
			return 0
		}
		if v = v.FieldByName(name); !v.IsValid() {
			return 0
		}
	}
	if !v.CanUint() {
		return 0
	}
	return v.Uint()
}

func usedLoop(b *testing.B) bool { return b.N == 0 || hiddenField(b, "loop", "n") > 0 }
func usedRun(b *testing.B) bool  { return hiddenField(b, "hasSub", "v") > 0 }

// timerRuns reports whether b's timer is running.
func timerRuns(b *testing.B) bool {
	before := b.Elapsed()
	for range 1000 { // clocks may be coarse
		if b.Elapsed() != before {
			return true
		}
	}
	return false
}

// defaultSeed is the seed without TARE_SEED.
const defaultSeed record.Seed = 1

// readSeed reads the seed from the environment.
func readSeed() (record.Seed, error) {
	text := os.Getenv("TARE_SEED")
	if text == "" {
		return defaultSeed, nil
	}
	s, err := record.ParseSeed(text)
	if err != nil {
		return 0, fmt.Errorf("TARE_SEED: %w", err)
	}
	return s, nil
}
