package trend

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/result/history"
)

// Group is what entries must have in common to be compared.
type Group struct {
	Machine   string `json:"machine"`
	Toolchain string `json:"toolchain"`
	Settings  string `json:"settings,omitempty"` // NAME=VALUE, sorted, with blanks between them
}

// groupOf returns the group of an entry.
func groupOf(e *history.Entry) Group {
	var settings []string
	for _, name := range slices.Sorted(maps.Keys(e.Settings)) {
		settings = append(settings, name+"="+e.Settings[name])
	}
	return Group{e.Machine, e.Toolchain, strings.Join(settings, " ")}
}

// Measured is a group with what it holds.
type Measured struct {
	Group
	Described string `json:"machine_is,omitempty"` // the machine, for people
	Commits   int    `json:"commits"`              // of the line

	last    int // index in the line of its newest commit
	entries []placed
}

// placed is an entry with the index of its commit in the line.
type placed struct {
	*history.Entry
	at int
}

// Collector sorts entries by groups and by the commits of a line.
type Collector struct {
	line      []Commit
	byHash    map[string]int
	byTree    map[string]int // the newest commit with the tree
	groups    map[Group]*Measured
	bare      []placed // entries without values: gaps and verdicts, which are of all groups of their machine and toolchain
	Dirty     int      // entries of working trees with changes, which are in no series
	Elsewhere []string // commits with entries that are not on the line, each once
}

// NewCollector returns a collector for a line of commits, the oldest first.
func NewCollector(line []Commit) *Collector {
	c := &Collector{line: line, byHash: map[string]int{}, byTree: map[string]int{}, groups: map[Group]*Measured{}}
	for i, x := range line {
		c.byHash[x.Hash], c.byTree[x.Tree] = i, i
	}
	return c
}

// Add takes an entry. One whose commit is not on the line is taken for the newest commit that has the same tree: its commit was
// rewritten.
func (c *Collector) Add(_ history.File, e *history.Entry) {
	if e.Dirty {
		c.Dirty++
		return
	}
	at, ok := c.byHash[e.Commit]
	if !ok && e.Tree != "" {
		at, ok = c.byTree[e.Tree]
	}
	if !ok {
		c.Elsewhere = append(c.Elsewhere, e.Commit)
		return
	}
	if len(e.Series) == 0 {
		c.bare = append(c.bare, placed{e, at})
		return
	}
	g := groupOf(e)
	m := c.groups[g]
	if m == nil {
		m = &Measured{Group: g, last: -1}
		c.groups[g] = m
	}
	m.entries = append(m.entries, placed{e, at})
	if at >= m.last {
		m.last, m.Described = at, e.Described
	}
}

// Groups returns the groups, that with the newest commit first.
func (c *Collector) Groups() []*Measured {
	var out []*Measured
	for _, m := range c.groups {
		for _, e := range c.bare {
			if e.Machine == m.Machine && e.Toolchain == m.Toolchain {
				m.entries = append(m.entries, e)
			}
		}
		commits := map[int]bool{}
		for _, e := range m.entries {
			commits[e.at] = true
		}
		m.Commits = len(commits)
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b *Measured) int {
		return cmp.Or(b.last-a.last, b.Commits-a.Commits, strings.Compare(a.Machine, b.Machine), strings.Compare(a.Toolchain, b.Toolchain), strings.Compare(a.Settings, b.Settings))
	})
	c.bare = nil // they are in their groups now
	slices.Sort(c.Elsewhere)
	c.Elsewhere = slices.Compact(c.Elsewhere)
	return out
}
