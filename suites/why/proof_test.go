package why

import (
	"os"
	"runtime"
	"slices"
	"testing"
)

// compiled is a seed with both sides built.
type compiled struct {
	*Seed
	base, changed   *side
	line            int // of the place
	before, after   string
	codeOf, codeNow map[string]function
}

// proofs show that a seed has its cause, by cause.
var proofs = map[string]func(*testing.T, compiled){
	"inlining":     proveInlining,
	"escape":       proveEscape,
	"allocations":  proveAllocations,
	"growth":       proveAllocations,
	"calls":        proveCalls,
	"instructions": proveInstructions,
	"bounds":       proveBounds,
	"cache":        proveCache,
	"lock":         proveLock,
	"channel":      proveChannel,
	"syscalls":     proveSyscalls,
	"sleep":        proveSleep,
	"flags":        proveFlags,
	"layout":       proveLayout,
	"none":         proveNone,
}

// TestSeeds shows of each seed that its tests pass, that the functions that it names are those whose code differs, and that
// it has the cause that it says.
func TestSeeds(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("the machine code of the seeds is known for linux/amd64 only")
	}
	built := binaries{dir: t.TempDir(), made: map[string]string{}}
	proved := map[string]bool{}
	for _, s := range loaded(t) {
		if os.Getenv("TARE_LONG") != "1" && proved[s.Cause] {
			continue // one seed of each cause: all take a minute and more
		}
		proved[s.Cause] = true
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			c := compiled{Seed: &s, base: write(t, &s, false), changed: write(t, &s, true)}
			if s.Place != (Place{}) {
				var err error
				if c.line, err = s.Line("base"); err != nil {
					t.Fatal(err)
				}
			}
			c.before, c.after = built.base(t, c.base), c.changed.compile(t)
			c.changed.command(t, c.after)
			c.codeOf, c.codeNow = c.base.code(t, c.before), c.changed.code(t, c.after)
			if got := differing(c.codeOf, c.codeNow); !slices.Equal(got, s.Differs) {
				t.Errorf("functions whose machine code differs: %q, want %q", got, s.Differs)
			}
			proofs[s.Cause](t, c)
		})
	}
}
