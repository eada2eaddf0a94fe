package record

// The kinds of a run say which verb wrote the record. A reader passes on an unknown
// kind.
const (
	KindBench    = "bench"    // benchmarks: tare bench, or a text of go test -bench
	KindTime     = "time"     // commands
	KindLoad     = "load"     // operations on a schedule, searches and sweeps included
	KindAsm      = "asm"      // samples of machine code
	KindTrace    = "trace"    // calls that probes counted
	KindSample   = "sample"   // call stacks
	KindContrast = "contrast" // calls and call stacks of the same program
	KindSelftest = "selftest" // a binary against itself
	KindBisect   = "bisect"   // the search for the commit that changed a benchmark
)

// orderBlocks is the order of a self-test, in records that name no kind.
const orderBlocks = "blocks"

// KindOf returns the kind of a run, or "" for a nil run. Old files have no key for
// it; for those it is derived from the configuration and the command line.
func KindOf(r *Run) string {
	switch {
	case r == nil:
		return ""
	case r.Kind != "":
		return r.Kind
	case r.Config.Load != nil:
		return KindLoad
	case r.Config.Order == orderBlocks:
		return KindSelftest
	case len(r.Command) < 2:
		return KindBench
	}
	switch verb := r.Command[1]; verb {
	case KindTime, KindAsm, KindTrace, KindSample, KindContrast:
		return verb
	}
	return KindBench
}
