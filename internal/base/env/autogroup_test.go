package env

import (
	"testing"
	"testing/fstest"
)

// TestPriority: a priority of sessions is promised only where the kernel shares processors between sessions.
func TestPriority(t *testing.T) {
	const enabled = "proc/sys/kernel/sched_autogroup_enabled"
	const unified = "30 25 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
	for _, test := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"no autogroups", nil, "n/a  forks have that of other programs: the kernel has no autogroups"},
		{"off", map[string]string{enabled: "0\n"}, "n/a  forks have that of other programs: autogroups are switched off (kernel.sched_autogroup_enabled)"},
		{"root", map[string]string{enabled: "1\n", "proc/self/status": "Name:\tx\nCapEff:\t000001ffffffffff\n"}, "ok  forks come before other sessions (autogroup -20)"},
		{"user", map[string]string{enabled: "1\n", "proc/self/status": "CapEff:\t0000000000000000\n"}, "ok  forks are a session among others; with CAP_SYS_NICE they would come first (autogroup -20)"},
		{"group of version 1", map[string]string{enabled: "1\n", "proc/self/cgroup": "4:cpu,cpuacct:/pod1\n"}, "n/a  forks have that of other programs: the CPU control group /pod1 decides"},
		{"root of version 1", map[string]string{enabled: "1\n", "proc/self/cgroup": "4:cpu,cpuacct:/\n"}, "ok  forks are a session among others; with CAP_SYS_NICE they would come first (autogroup -20)"},
		{"group of version 2", map[string]string{enabled: "1\n", "proc/self/cgroup": "0::/a/b\n", "proc/self/mountinfo": unified, "sys/fs/cgroup/a/cpu.weight": "100\n"},
			"n/a  forks have that of other programs: the CPU control group /sys/fs/cgroup/a decides"},
		{"group without a controller", map[string]string{enabled: "1\n", "proc/self/cgroup": "0::/a/b\n", "proc/self/mountinfo": unified, "sys/fs/cgroup/a/memory.max": "100\n"},
			"ok  forks are a session among others; with CAP_SYS_NICE they would come first (autogroup -20)"},
	} {
		tree := fstest.MapFS{}
		for path, text := range test.files {
			tree[path] = &fstest.MapFile{Data: []byte(text)}
		}
		f := fakeHost(tree).priorityFinding()
		if got := string(f.Level) + "  " + f.Text; got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
