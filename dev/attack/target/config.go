package target

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// Limits of a reader. A verb that measures may take longer.
//
// The limit of time is one of processor time, because on a busy machine ten seconds pass
// without any fault of a program's. One that uses none, and waits, ends at MaxWait.
const (
	MaxTime   = 10 * time.Second
	MaxWait   = 60 * time.Second
	MaxMemory = 300_000_000 // bytes of resident memory
)

// Config is what all attacks share.
type Config struct {
	Seed  uint64
	Scale float64       // factor on the number of inputs
	Input int           // only this input, if not negative
	Limit time.Duration // after which an attack takes no more inputs; 0: none
	Only  string        // attacks whose names begin so, separated by commas; "": all
	Tare  string        // the command
	Root  string        // the module's directory
	Work  string        // a directory for all that attacks write; removed at the end
	Keep  string        // a directory for inputs of findings, or ""
	Log   io.Writer
}

// Chosen reports whether an attack was chosen: its name begins with one of the words between commas.
func (c Config) Chosen(attack string) bool {
	for word := range strings.SplitSeq(c.Only, ",") {
		if strings.HasPrefix(attack, strings.TrimSpace(word)) {
			return true
		}
	}
	return false
}

// Count is the number of inputs, n at scale 1, and at least 1.
func (c Config) Count(n int) int { return max(1, int(float64(n)*c.Scale)) }

// Inputs counts the inputs of an attack out, n at scale 1.
func (c Config) Inputs(n int) *Inputs {
	in := &Inputs{end: int64(c.Count(n))}
	if c.Input >= 0 {
		in.end = int64(c.Input) + 1
		in.next.Store(int64(c.Input))
	}
	if c.Limit > 0 {
		in.until = time.Now().Add(c.Limit)
	}
	return in
}

// Inputs may be used by several goroutines.
type Inputs struct {
	next  atomic.Int64
	end   int64
	until time.Time
}

// Next returns the number of the next input, and false if there are no more.
func (in *Inputs) Next(ctx context.Context) (int, bool) {
	if ctx.Err() != nil || (!in.until.IsZero() && time.Now().After(in.until)) {
		return 0, false
	}
	n := in.next.Add(1) - 1
	return int(n), n < in.end
}

// Logf tells people what is being done.
func (c Config) Logf(format string, args ...any) { fmt.Fprintf(c.Log, format+"\n", args...) }

// Save keeps the input of a finding and returns its path, "" where none are kept.
func (c Config) Save(name string, data []byte) string {
	if c.Keep == "" {
		return ""
	}
	path := filepath.Join(c.Keep, strings.ReplaceAll(name, "/", "-"))
	if err := os.MkdirAll(c.Keep, 0o777); err != nil {
		return ""
	}
	if os.WriteFile(path, data, 0o666) != nil {
		return ""
	}
	return path
}

var dirs atomic.Int64

// Dir makes an empty directory of its own.
func (c Config) Dir(name string) (string, error) {
	dir := filepath.Join(c.Work, fmt.Sprintf("%s-%d", name, dirs.Add(1)))
	return dir, os.MkdirAll(dir, 0o777)
}

// Env is the environment of a process that is attacked: its temporary directory, in which
// the lock of the machine lies as well, is its own, and it leaves no trace in the user's log.
func Env(tmp string, more ...string) []string {
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "TARE_") || strings.HasPrefix(v, "GOFLAGS=") || strings.HasPrefix(v, "GODEBUG=")
	})
	return append(append(env, "TMPDIR="+tmp, "TARE_RUNLOG=off", "LC_ALL=C.UTF-8", "NO_COLOR=1", "GOFLAGS=-trimpath -mod=mod", "GOPROXY=off"), more...)
}
