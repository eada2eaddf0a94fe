package perfevent

import (
	"slices"
	"strings"
)

// addressSpaces maps a process ID to its executable mappings, sorted by address and without overlap.
type addressSpaces map[int32][]*Map

// walk calls visit for each sample while it applies changes. Both lists are in order of time. It returns the
// changes after the last sample.
func (a addressSpaces) walk(list []Sample, changes []change, visit func(Sample, *Map)) []change {
	for _, x := range list {
		for len(changes) > 0 && changes[0].time <= x.Time {
			a.apply(&changes[0])
			changes = changes[1:]
		}
		if x.Kernel {
			visit(x, nil)
			continue
		}
		visit(x, a.find(x.PID, x.IP))
	}
	return changes
}

// apply applies a change.
func (a addressSpaces) apply(c *change) {
	switch c.what {
	case forked:
		if c.pid != c.from { // not a thread
			a[c.pid] = slices.Clone(a[c.from])
		}
	case executed:
		a[c.pid] = nil
	case mapped:
		m := c.m
		m.Main = a.main(c.pid, m.Path)
		a.insert(c.pid, &m)
	}
}

// main reports whether a file is the executed program. The kernel maps it before its loader and any library.
func (a addressSpaces) main(pid int32, path string) bool {
	for _, m := range a[pid] {
		if m.Main {
			return m.Path == path
		}
	}
	return strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") && len(a[pid]) == 0
}

// insert adds a mapping and cuts the parts of older ones that it covers.
func (a addressSpaces) insert(pid int32, m *Map) {
	if m.End <= m.Start {
		return
	}
	list := make([]*Map, 0, len(a[pid])+2)
	for _, old := range a[pid] {
		if old.End <= m.Start || old.Start >= m.End {
			list = append(list, old)
			continue
		}
		if old.Start < m.Start {
			left := *old
			left.End = m.Start
			list = append(list, &left)
		}
		if old.End > m.End {
			right := *old
			right.Start, right.Offset = m.End, old.Offset+(m.End-old.Start)
			list = append(list, &right)
		}
	}
	at, _ := slices.BinarySearchFunc(list, m.Start, func(x *Map, addr uint64) int {
		if x.Start < addr {
			return -1
		}
		return 1
	})
	a[pid] = slices.Insert(list, at, m)
}

// find returns the mapping that contains an address, or nil.
func (a addressSpaces) find(pid int32, addr uint64) *Map {
	list := a[pid]
	at, _ := slices.BinarySearchFunc(list, addr, func(m *Map, addr uint64) int {
		if m.End <= addr {
			return -1
		}
		return 1
	})
	if at < len(list) && list[at].Start <= addr {
		return list[at]
	}
	return nil
}
