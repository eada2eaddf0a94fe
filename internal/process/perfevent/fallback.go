package perfevent

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
)

// Advice is the hint for a kernel that refuses to sample.
const Advice = "sudo sysctl kernel.perf_event_paranoid=2; in a container: --cap-add PERFMON, and a seccomp profile that allows perf_event_open"

// openFirst returns the first candidate that open accepts, and the reasons why the ones before it failed.
// An event without the kernel is tried only if the kernel refused permission for the same event with it.
func openFirst(list []eventSpec, open func(eventSpec) error) (eventSpec, []string, error) {
	var failed reasons
	var last error
	for i, k := range list {
		if i > 0 && k.userOnly && !list[i-1].userOnly && !errors.Is(last, fs.ErrPermission) {
			continue
		}
		if last = open(k); last == nil {
			return k, failed.list(), nil
		}
		if errors.Is(last, syscall.ESRCH) || errors.Is(last, syscall.EMFILE) {
			return k, nil, fmt.Errorf("perfevent: %s: %w", k, last)
		}
		failed.add(k.String(), last)
	}
	return eventSpec{}, nil, fmt.Errorf("perfevent: %s: %w", strings.Join(failed.list(), "; "), last)
}

// reasons collects why events could not be opened, one entry for each reason.
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

// explain describes an error of perf_event_open in words if its errno is known.
func explain(err error) string {
	for _, c := range []struct {
		errno error
		words string
	}{
		{syscall.ENOENT, "this machine has no such counter, as most virtual machines"},
		{syscall.EOPNOTSUPP, "this processor does not support it"},
		{syscall.EINVAL, "this processor or kernel does not know it"},
		{syscall.EACCES, "kernel.perf_event_paranoid forbids it"},
		{syscall.EPERM, "not permitted, as in most containers"},
		{syscall.ENOSYS, "this kernel has no perf events"},
		{syscall.EBUSY, "the counter is in use"},
	} {
		if errors.Is(err, c.errno) {
			return fmt.Sprintf("%s (%v)", c.words, err)
		}
	}
	return err.Error()
}
