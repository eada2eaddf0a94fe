package env

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// limits are the limits of control groups on this process; 0 = no limit.
type limits struct {
	cpus   float64 // CPUs
	cpusBy string  // file that sets it
	memory int64   // bytes
}

// limits reads every group from this process's own up to the root, and returns the tightest limits, because a
// limit holds for all groups below. (The Go runtime's internal/cgroup, which this follows otherwise, reads
// only the process's own group.)
func (h host) limits() limits {
	var l limits
	groups := parseCgroup(h.get("proc/self/cgroup"))
	mounts := parseMounts(h.get("proc/self/mountinfo"))
	for _, dir := range groups.dirs("cpu", mounts) {
		if q, file := h.quota(dir); q > 0 && (l.cpus == 0 || q < l.cpus) {
			l.cpus, l.cpusBy = q, "/"+path.Join(dir, file)
		}
	}
	for _, dir := range groups.dirs("memory", mounts) {
		if m := h.memoryLimit(dir); m > 0 && (l.memory == 0 || m < l.memory) {
			l.memory = m
		}
	}
	return l
}

// quota returns how many CPUs a group may use, 0 if there is no quota.
func (h host) quota(dir string) (cpus float64, file string) {
	if s := h.get(path.Join(dir, "cpu.max")); s != "" {
		return parseQuota(s), "cpu.max"
	}
	quota := h.get(path.Join(dir, "cpu.cfs_quota_us"))
	period := h.get(path.Join(dir, "cpu.cfs_period_us"))
	return parseQuota(quota + " " + period), "cpu.cfs_quota_us"
}

// parseQuota parses "quota period" in microseconds, which version 2 has in one file and version 1 in two.
// "max", -1 and malformed text mean no limit.
func parseQuota(s string) float64 {
	f := strings.Fields(s)
	if len(f) != 2 {
		return 0
	}
	quota, err1 := strconv.ParseInt(f[0], 10, 64)
	period, err2 := strconv.ParseInt(f[1], 10, 64)
	if err1 != nil || err2 != nil || quota <= 0 || period <= 0 {
		return 0
	}
	return float64(quota) / float64(period)
}

// noMemoryLimit: version 1 writes "no limit" as the largest page-aligned number.
const noMemoryLimit = 1 << 60

func (h host) memoryLimit(dir string) int64 {
	s := first(h.get(path.Join(dir, "memory.max")), h.get(path.Join(dir, "memory.limit_in_bytes")))
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n <= 0 || n >= noMemoryLimit {
		return 0
	}
	return n
}

// cgroups holds the control groups of this process.
type cgroups struct {
	v2 string            // path in the unified hierarchy, "" if there is none
	v1 map[string]string // controller → path
}

// parseCgroup reads /proc/self/cgroup (cgroups(7)): "id:controllers:path", with
// id 0 and no controllers for version 2.
func parseCgroup(text string) cgroups {
	g := cgroups{v1: map[string]string{}}
	for line := range strings.Lines(text) {
		f := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(f) != 3 || !strings.HasPrefix(f[2], "/") {
			continue
		}
		if f[0] == "0" && f[1] == "" {
			g.v2 = f[2]
			continue
		}
		for c := range strings.SplitSeq(f[1], ",") {
			g.v1[c] = f[2]
		}
	}
	return g
}

// dirs returns the directories of the groups with a controller, from this process's own up to the mount point.
// A controller belongs to one version only.
func (g cgroups) dirs(controller string, mounts []mount) []string {
	group, v1 := g.v1[controller]
	if !v1 {
		group = g.v2
	}
	if group == "" {
		return nil
	}
	for _, m := range mounts {
		if v1 && m.fstype == "cgroup" && slices.Contains(m.options, controller) || !v1 && m.fstype == "cgroup2" {
			return groupDirs(m, group)
		}
	}
	return nil
}

// maxDepth is the most levels of groups read; real hierarchies have about ten.
const maxDepth = 64

// groupDirs lists the directories from a group up to its mount point, as paths in the host's root. The mount
// may show only a part of the hierarchy (its root).
func groupDirs(m mount, group string) []string {
	top := strings.TrimPrefix(path.Clean("/"+m.point), "/")
	rel, below := strings.CutPrefix(group, strings.TrimSuffix(m.root, "/"))
	if below && rel != "" && rel[0] != '/' {
		below = false // only the beginning of the name is the same
	}
	if !below || strings.Contains(rel, "..") {
		rel = "" // the group is not visible here
	}
	rel = path.Clean("/" + rel)
	var dirs []string
	for rel != "/" && len(dirs) < maxDepth {
		dirs = append(dirs, path.Join(top, rel[1:]))
		rel = path.Dir(rel)
	}
	return append(dirs, top)
}

// MemoryGroups returns the directories of the control groups that limit the memory of this process, from its own up to the
// mount point, and whether they are of version 1. It returns none if the system shows none.
func MemoryGroups() (dirs []string, v1 bool) { return thisHost().memoryGroups() }

func (h host) memoryGroups() (dirs []string, v1 bool) {
	groups := parseCgroup(h.get("proc/self/cgroup"))
	for _, dir := range groups.dirs("memory", parseMounts(h.get("proc/self/mountinfo"))) {
		dirs = append(dirs, "/"+dir)
	}
	_, v1 = groups.v1["memory"]
	return dirs, v1
}
