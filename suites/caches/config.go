package caches

import (
	"fmt"
	"os"
)

// A Config is the size of the experiment.
type Config struct {
	Name    string
	Entries int // that the cache may hold
	Keys    int // different keys that are asked for, ten times as many as entries
	Workers int // goroutines
}

// Tokens is what a miss costs, in tokens of bench.Work, each of which is one step of
// a chain as those of JMH's consumeCPU are. The number is fixed and not fitted to a
// time, so that each fork does the same work; what it takes is measured in each and
// reported as miss-ns.
const Tokens = 1000

var (
	// Full has the parameters of the article.
	Full = Config{Name: "full", Entries: 1_000_000, Keys: 10_000_000, Workers: 4}
	// Scaled is for small machines. It is 120 000 entries and not 100 000 because
	// bigcache is sized in whole MiB, and 4 of them hold 99 % of that.
	Scaled = Config{Name: "scaled", Entries: 120_000, Keys: 1_200_000, Workers: 2}
)

// Variable is the environment variable that chooses the size: full, which is the
// default, or scaled. An environment variable reaches the benchmark under go test
// and under tare alike (tare bench --env CACHES=scaled, which also records it).
const Variable = "CACHES"

// FromEnv returns the size that Variable asks for.
func FromEnv() (Config, error) {
	switch name := os.Getenv(Variable); name {
	case "", Full.Name:
		return Full, nil
	case Scaled.Name:
		return Scaled, nil
	default:
		return Config{}, fmt.Errorf("%s=%q: want %s or %s", Variable, name, Full.Name, Scaled.Name)
	}
}
