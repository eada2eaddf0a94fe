package runlog

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/numbers/conditions"
	"github.com/tarebench/tare/record"
)

// An Entry is one run.
type Entry struct {
	Time       time.Time `json:"time"`             // end of the run
	Machine    string    `json:"machine"`          // see [Machine]
	Others     *float64  `json:"others,omitempty"` // CPUs that other programs used, nil: not known
	Benchmarks []Median  `json:"benchmarks"`

	conditions.Conditions
}

// A Median is the figure of one benchmark in one run.
type Median struct {
	Name   string  `json:"name"`   // with all that must be equal for two runs to measure the same, see [Name]
	Bin    string  `json:"bin"`    // first half of the binary's SHA-256
	Median float64 `json:"median"` // of its main unit
	Forks  int     `json:"forks"`
	Case   int     `json:"-"` // ID in the record
}

// Machine returns a short name of what must be equal for the speeds of two runs to compare: the system, its kernel,
// the processor and the toolchain.
func Machine(e record.Env) string {
	return digest(e.OS, e.Arch, e.Kernel, e.CPU, fmt.Sprint(e.Cores, e.GOMAXPROCS), e.Virtual, e.Go)
}

// Name returns the name of a benchmark in the log. settings are those of the run and of the side that change what is
// measured.
func Name(c *record.Case, unit string, settings ...string) string {
	name := fmt.Sprintf("%s.%s-%d %s", c.Pkg, c.Name, c.Procs, unit)
	if all := strings.Join(settings, "\x00"); all != "" {
		name += " " + digest(all)
	}
	return name
}

// digest returns 16 hexadecimal digits of a hash.
func digest(words ...string) string {
	h := sha256.New()
	for _, w := range words {
		fmt.Fprintf(h, "%d %s\n", len(w), w)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
