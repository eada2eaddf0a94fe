package perfevent

import (
	"slices"
	"strings"
)

// spaces are the address spaces of processes: what can be executed there, in the order
// of addresses, without overlap.
type spaces map[int32][]*Map

// walk calls see with samples while it follows changes; both are in the order of time.
// It returns the changes behind the last sample.
func (a spaces) walk(list []Sample, changes []change, see func(Sample, *Map)) []change {
	for _, x := range list {
		for len(changes) > 0 && changes[0].time <= x.Time {
			a.apply(&changes[0])
			changes = changes[1:]
		}
		if x.Kernel {
			see(x, nil)
			continue
		}
		see(x, a.find(x.PID, x.IP))
	}
	return changes
}

// apply follows what the kernel told.
func (a spaces) apply(c *change) {
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

// main reports whether a file is the one that was executed: the kernel maps it before
// the loader that it names, and that before any library.
func (a spaces) main(pid int32, path string) bool {
	for _, m := range a[pid] {
		if m.Main {
			return m.Path == path
		}
	}
	return strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//") && len(a[pid]) == 0
}

// insert adds a map, and cuts what it covers of older ones.
func (a spaces) insert(pid int32, m *Map) {
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

// find is the map that an address is in, nil if there is none.
func (a spaces) find(pid int32, addr uint64) *Map {
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
