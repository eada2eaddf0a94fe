package historyrun

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// MachineID returns a short digest of what makes machines alike: system, processor, cores, memory to the GiB, virtualisation,
// and the kernel's first two numbers. It is no secret.
func MachineID(e record.Env) string {
	gib := (e.Memory + 1<<29) >> 30
	facts := []string{e.OS, e.Arch, kernel(e), processor(e), fmt.Sprint(e.Cores), fmt.Sprint(gib), e.Virtual}
	sum := sha256.Sum256([]byte(strings.Join(facts, "\x00")))
	return hex.EncodeToString(sum[:6])
}

// Describe returns those facts for people.
func Describe(e record.Env) string {
	facts := []string{e.OS + "/" + e.Arch, processor(e), units.Plural(e.Cores, "core")}
	if e.Memory > 0 {
		facts = append(facts, units.Bytes(e.Memory))
	}
	if e.Virtual != "" {
		facts = append(facts, e.Virtual)
	}
	if k := kernel(e); k != "" {
		facts = append(facts, "kernel "+k)
	}
	return strings.Join(facts, ", ")
}

func processor(e record.Env) string { return strings.Join(strings.Fields(e.CPU), " ") }

var firstTwo = regexp.MustCompile(`^\d+\.\d+`)

func kernel(e record.Env) string { return firstTwo.FindString(e.Kernel) }
