package perfevent

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// Advice is what to do where the kernel refuses to sample.
const Advice = "sudo sysctl kernel.perf_event_paranoid=2; in a container: --cap-add PERFMON, and a seccomp profile that allows perf_event_open"

// climb tries the rungs of a ladder and returns the first that holds, with why the
// others did not. Without the kernel is tried only if with it was refused.
func climb(rungs []kind, try func(kind) error) (kind, []string, error) {
	var fell reasons
	var last error
	for i, k := range rungs {
		if i > 0 && k.userOnly && !rungs[i-1].userOnly && !errors.Is(last, fs.ErrPermission) {
			continue
		}
		if last = try(k); last == nil {
			return k, fell.list(), nil
		}
		if errors.Is(last, syscall.ESRCH) || errors.Is(last, syscall.EMFILE) {
			return k, nil, fmt.Errorf("perfevent: %s: %w", k, last)
		}
		fell.add(k.String(), last)
	}
	return kind{}, nil, fmt.Errorf("perfevent: %s: %w", strings.Join(fell.list(), "; "), last)
}

// reasons are why events could not be opened, those that are alike together.
type reasons struct {
	why   []string
	names map[string][]string
}

func (r *reasons) add(name string, err error) {
	why := explain(err)
	if r.names == nil {
		r.names = map[string][]string{}
	}
	if r.names[why] == nil {
		r.why = append(r.why, why)
	}
	r.names[why] = append(r.names[why], name)
}

func (r *reasons) list() []string {
	var out []string
	for _, why := range r.why {
		out = append(out, strings.Join(r.names[why], ", ")+": "+why)
	}
	return out
}

// explain says in words what an errno of perf_event_open means, as far as it is one.
func explain(err error) string {
	for _, c := range []struct {
		errno error
		words string
	}{
		{syscall.ENOENT, "this machine has no such counter, as most virtual ones"},
		{syscall.EOPNOTSUPP, "this processor cannot"},
		{syscall.EINVAL, "this processor or kernel does not know it"},
		{syscall.EACCES, "kernel.perf_event_paranoid forbids it"},
		{syscall.EPERM, "forbidden, as in most containers"},
		{syscall.ENOSYS, "this kernel has no perf events"},
		{syscall.EBUSY, "somebody else has the counter"},
	} {
		if errors.Is(err, c.errno) {
			return fmt.Sprintf("%s (%v)", c.words, err)
		}
	}
	return err.Error()
}
