package target

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/base/clock/cputime"
)

// Main is the command as a function: cli.Main with its bindings.
type Main func(args []string, stdin io.Reader, stdout, stderr io.Writer) int

// Once runs one command line in this process, where a panic of another goroutine ends both. It measures no peak.
func Once(main Main, args []string) (o Outcome) {
	var out, messages watch
	process := cputime.Open(os.Getpid())
	defer process.Close()
	cpu, _ := process.CPU() // 0 where the system does not tell
	began, before := time.Now(), allocated()
	defer func() {
		o.Took, o.Allocated = time.Since(began), allocated()-before
		if now, ok := process.CPU(); ok {
			o.CPU = time.Duration(now - cpu)
		}
		if r := recover(); r != nil {
			o.Code, o.Died = -1, fmt.Sprintf("panic: %v", r)
			fmt.Fprintf(&messages, "\n%s", debug.Stack())
		}
		o.fill(&out, &messages)
		if out.size <= Kept {
			o.Invalid = invalid(args, o.Output)
		}
		o.Output, o.Messages = o.Output[:min(brief, len(o.Output))], o.Messages[:min(brief, len(o.Messages))]
	}()
	o.Code = main(args, strings.NewReader(""), &out, &messages)
	return o
}

// allocated returns how many bytes this process has allocated on its heap so far.
func allocated() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}
