package asm

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/objfile"
	"github.com/tarebench/tare/record"
)

// FromScript makes sense of the text of perf script, with the program's file at hand;
// "" takes the one that most samples are of. The text does not say of which build that
// was: a file whose symbols are elsewhere is refused. Doubts are about a fork.
func FromScript(r io.Reader, binary string, c Config) (*record.Asm, []*record.Warn, error) {
	if err := c.Validate(); err != nil {
		return nil, nil, err
	}
	s := &script{counts: map[scriptKey]int64{}, binary: binary}
	err := readScript(r, s.add)
	if err == nil && len(s.counts) == 0 {
		err = errors.New("no samples: the text of perf script was expected")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("asm: perf script: %w", err)
	}
	t, err := s.tally()
	if err != nil {
		return nil, nil, fmt.Errorf("asm: perf script: %w", err)
	}
	a := &record.Asm{Source: record.AsmScript, Window: record.AsmWhole}
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	doubts, err := (&builder{cfg: c, tally: t, binary: s.binary, dir: dir}).build(a)
	if err != nil {
		return nil, nil, fmt.Errorf("asm: perf script: %w", err)
	}
	return a, append(doubts, judge(a)...), nil
}

// script collects samples by where they were.
type script struct {
	binary string
	events []record.AsmEvent
	counts map[scriptKey]int64
}

type scriptKey struct {
	event int
	frame
}

func (s *script) add(x scriptSample) {
	name, precise := eventName(x.event)
	i := slices.IndexFunc(s.events, func(e record.AsmEvent) bool { return e.Name == name })
	if i < 0 {
		i = len(s.events)
		e := record.AsmEvent{Name: name, Precise: precise}
		if name == "cpu-clock" || name == "task-clock" {
			e.Period = float64(x.period)
		}
		s.events = append(s.events, e)
	}
	if p := &s.events[i].Period; *p != float64(x.period) {
		*p = 0 // it changes, so that a sample does not stand for a certain time
	}
	s.counts[scriptKey{i, x.frame}]++
}

// eventName is the name of an event as we write it: without what says nothing of it, and
// of a clock without what asks for a precision that it does not have.
func eventName(s string) (name string, precise bool) {
	name, modifiers, _ := strings.Cut(s, ":")
	modifiers = strings.Map(func(r rune) rune {
		if strings.ContainsRune("pu", r) {
			return r
		}
		return -1
	}, modifiers)
	p := strings.Count(modifiers, "p")
	if modifiers == "" || name == "cpu-clock" || name == "task-clock" {
		return name, false
	}
	return name + ":" + modifiers, p >= 2
}

// tally finds the place of each address in its file.
func (s *script) tally() (*tally, error) {
	if s.binary == "" {
		s.binary = s.most()
	}
	byFile := map[string]map[frame]int64{}
	for k, n := range s.counts {
		path := s.file(k.dso)
		if path == "" {
			continue
		}
		if byFile[path] == nil {
			byFile[path] = map[frame]int64{}
		}
		byFile[path][k.frame] += n
	}
	if byFile[s.binary] == nil {
		return nil, fmt.Errorf("no samples of %s; there are of %s", s.binary, strings.Join(slices.Sorted(maps.Keys(byFile)), ", "))
	}
	biases := map[string]uint64{}
	for path, frames := range byFile {
		bias, err := biasOf(path, frames)
		if err != nil && path == s.binary {
			return nil, err
		}
		biases[path] = bias // of a library that is not here nothing is known but its name
	}
	t := newTally(s.events)
	for k, n := range s.counts {
		t.add(s.spot(k.frame, biases), k.event, n)
	}
	return t, nil
}

// most is the file with most samples.
func (s *script) most() (path string) {
	n := map[string]int64{}
	for k, c := range s.counts {
		if filepath.IsAbs(k.dso) {
			n[k.dso] += c
		}
	}
	for _, p := range slices.Sorted(maps.Keys(n)) {
		if path == "" || n[p] > n[path] {
			path = p
		}
	}
	return path
}

// file is the file of a dso: the program's own is here under another name, maybe.
func (s *script) file(dso string) string {
	switch {
	case dso == "":
		return ""
	case filepath.Base(dso) == filepath.Base(s.binary):
		return s.binary
	case !isFile(dso):
		return ""
	}
	return dso
}

func (s *script) spot(f frame, biases map[string]uint64) spot {
	if path := s.file(f.dso); path != "" {
		return spot{kind: linked, path: path, at: f.ip - biases[path]}
	}
	switch {
	case f.dso == "[vdso]":
		return spot{kind: inVDSO, path: f.dso, at: f.ip}
	case f.ip>>63 != 0, strings.HasPrefix(f.dso, "[kernel"), strings.HasPrefix(f.dso, "[guest.kernel"):
		return spot{kind: inKernel, path: cmp.Or(f.sym, kernelName), at: f.ip}
	}
	return spot{kind: nowhere, path: f.dso, at: f.ip}
}

// agree is the share of symbols that must be where the text says they are.
const agree = 0.9

// biasOf is what to subtract from addresses of a process to get those of its file. A
// program that is not position-independent has 0; else the symbols tell.
func biasOf(path string, frames map[frame]int64) (uint64, error) {
	f, err := objfile.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	table, err := f.Functions()
	if err != nil {
		return 0, nil // no names to compare: sampled addresses are taken for those of the file
	}
	if fits(table, frames, 0) {
		return 0, nil
	}
	for _, bias := range candidates(table, frames) {
		if fits(table, frames, bias) {
			return bias, nil
		}
	}
	return 0, fmt.Errorf("%s has other symbols at the addresses that were sampled: it is another build, or perf script was run without sym", path)
}

// fits reports whether symbols are where they were, with a bias.
func fits(table *objfile.Functions, frames map[frame]int64, bias uint64) bool {
	var named, right int64
	for f, n := range frames {
		if f.sym == "" {
			continue
		}
		named += n
		if fn, ok := table.Find(f.ip - bias); ok && fn.Name == f.sym {
			right += n
		}
	}
	return named == 0 && bias == 0 || named > 0 && float64(right) >= agree*float64(named)
}

// candidates are the biases that put most symbols where they were sampled. A bias is a number of
// whole pages, so that a function of less than a page has one or none.
func candidates(table *objfile.Functions, frames map[frame]int64) []uint64 {
	const page, most = 4096, 16
	entries := map[string]objfile.Function{}
	for fn := range table.All() {
		entries[fn.Name] = fn
	}
	votes := map[uint64]int64{}
	for f, n := range frames {
		fn, ok := entries[f.sym]
		if !ok {
			continue
		}
		first := f.ip - fn.Entry
		if f.offset >= 0 {
			votes[first-uint64(f.offset)] += n
			continue
		}
		for i, bias := 0, first&^(page-1); i < most && first-bias < fn.End-fn.Entry; i++ {
			votes[bias] += n
			bias -= page
		}
	}
	out := slices.SortedFunc(maps.Keys(votes), func(a, b uint64) int {
		return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(a, b))
	})
	return out[:min(len(out), most)]
}
