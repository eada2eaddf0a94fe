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

	"github.com/tarebench/tare/internal/binary/objfile"
	"github.com/tarebench/tare/record"
)

// FromScript converts the text of perf script. binary is the program's file; "" selects the one with most samples. The
// text does not
// identify the build, so FromScript fails for a file whose symbols have other addresses. Warnings are about a fork.
func FromScript(r io.Reader, binary string, c Config) (*record.Asm, []*record.Warn, error) {
	if err := c.Validate(); err != nil {
		return nil, nil, err
	}
	s := &script{counts: map[scriptKey]int64{}, binary: binary}
	err := readScript(r, s.add)
	if err == nil && len(s.counts) == 0 {
		err = errors.New("no samples: want the text of perf script")
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
	warnings, err := (&builder{cfg: c, tally: t, binary: s.binary, dir: dir}).build(a)
	if err != nil {
		return nil, nil, fmt.Errorf("asm: perf script: %w", err)
	}
	return a, append(warnings, sampleWarnings(a)...), nil
}

// script counts samples by place.
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
		*p = 0 // it varies, so a sample does not stand for a fixed time
	}
	s.counts[scriptKey{i, x.frame}]++
}

// eventName returns an event's name without meaningless modifiers: a clock has no precision.
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

// tally converts addresses to places in files.
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
		return nil, fmt.Errorf("no samples of %s; there are samples of %s", s.binary, strings.Join(slices.Sorted(maps.Keys(byFile)), ", "))
	}
	biases := map[string]uint64{}
	for path, frames := range byFile {
		bias, err := biasOf(path, frames)
		if err != nil && path == s.binary {
			return nil, err
		}
		biases[path] = bias // of a missing library only the name is known
	}
	t := newTally(s.events)
	for k, n := range s.counts {
		t.add(s.spot(k.frame, biases), k.event, n)
	}
	return t, nil
}

// most returns the file with most samples.
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

// file returns the file of a dso. The program's own file may have another directory here.
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
	return spot{kind: unknownPlace, path: f.dso, at: f.ip}
}

// minAgreement is the smallest share of symbols whose addresses must match.
const minAgreement = 0.9

// biasOf returns what to subtract from addresses of a process to get those of its file. It is 0 for a program that is
// not position-independent, and is otherwise found by the symbols.
func biasOf(path string, frames map[frame]int64) (uint64, error) {
	f, err := objfile.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	table, err := f.Functions()
	if err != nil {
		return 0, nil // no names to compare: assume addresses of the file
	}
	if fits(table, frames, 0) {
		return 0, nil
	}
	for _, bias := range candidates(table, frames) {
		if fits(table, frames, bias) {
			return bias, nil
		}
	}
	return 0, fmt.Errorf("%s has other symbols at the sampled addresses: it is another build, or perf script ran without sym", path)
}

// fits reports whether symbols and addresses match with a bias.
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
	return named == 0 && bias == 0 || named > 0 && float64(right) >= minAgreement*float64(named)
}

// candidates returns the biases with which most symbols match. A bias is a multiple of the page size, so a function
// shorter than a page has at most one.
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
	out := slices.Collect(maps.Keys(votes))
	slices.SortFunc(out, func(a, b uint64) int { return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(a, b)) })
	return out[:min(len(out), most)]
}
