package counter

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"github.com/tarebench/tare/internal/process/profiler"
)

// TestProbe: what each kernel says, and what is made of it.
func TestProbe(t *testing.T) {
	for _, c := range []struct {
		what       string
		goos       string
		whole      error // to count the kernel's own, too
		user       error // to count user mode
		want       string
		withAdvice bool
	}{
		{"all", "linux", nil, nil, "", false},
		{"user mode only", "linux", syscall.EACCES, nil, "", false},
		{"a setting", "linux", syscall.EACCES, syscall.EACCES, "is not permitted: permission denied", true},
		{"a container", "linux", syscall.EPERM, syscall.EPERM, "is not permitted: operation not permitted", true},
		{"an old kernel", "linux", syscall.ENOSYS, nil, "no perf events: function not implemented", false},
		{"no such event", "linux", syscall.ENOENT, nil, "perf_event_open: no such file", false},
		{"another system", "darwin", nil, nil, "this is darwin", false},
	} {
		tried := 0
		err := probe(c.goos, func(user bool) error {
			tried++
			if user {
				return c.user
			}
			return c.whole
		})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
		var e *profiler.UnavailableError
		if errors.As(err, &e) != c.withAdvice || c.withAdvice && e.Advice == "" {
			t.Errorf("%s: %+v", c.what, err)
		}
		if want := map[bool]int{true: 2, false: 1}[errors.Is(c.whole, fs.ErrPermission)]; c.goos == "linux" && tried != want {
			t.Errorf("%s: tried %d times", c.what, tried)
		}
	}
}
