package env

import (
	"testing"
	"testing/fstest"
	"time"
)

// TestThrottle: what a quota stopped is read from the groups that have one, of both versions.
func TestThrottle(t *testing.T) {
	set := func(tree fstest.MapFS, path, text string) { tree[path] = &fstest.MapFile{Data: []byte(text)} }
	const v2 = "usage_usec 900\nuser_usec 800\nnr_periods 12\nnr_throttled 3\nthrottled_usec 250000\nnr_bursts 0\n"
	const v1 = "nr_periods 7\nnr_throttled 2\nthrottled_time 40000000\n"

	tree := readTree(t, "container")
	set(tree, "sys/fs/cgroup/cpu.stat", v2)
	x := fakeHost(tree).throttle()
	if got := x.Read(); got != 250*time.Millisecond {
		t.Errorf("version 2: %v", got)
	}
	set(tree, "sys/fs/cgroup/cpu.stat", "throttled_usec x\n")
	if got := x.Read(); got != 0 {
		t.Errorf("damaged: %v", got)
	}
	delete(tree, "sys/fs/cgroup/cpu.stat")
	if got := x.Read(); got != 0 {
		t.Errorf("gone: %v", got)
	}

	tree = readTree(t, "cgroup1")
	set(tree, "sys/fs/cgroup/cpu,cpuacct/pod1/cpu.stat", v1)
	set(tree, "sys/fs/cgroup/cpu,cpuacct/cpu.stat", "throttled_time 99000000\n") // this group has no quota
	if got := fakeHost(tree).throttle().Read(); got != 40*time.Millisecond {
		t.Errorf("version 1: %v", got)
	}
	if x := fakeHost(readTree(t, "noisyvm")).throttle(); x != nil || x.Read() != 0 {
		t.Errorf("without a quota: %v", x)
	}
}
