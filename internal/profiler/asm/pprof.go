package asm

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/objfile"
	"github.com/tarebench/tare/internal/pprofio"
	"github.com/tarebench/tare/record"
)

// FromPprof makes sense of a CPU profile in the format of pprof, as Go's own profiler
// writes it, with the program's file at hand; "" takes the one that the profile names.
// A file of another build is refused. Doubts are about a fork.
func FromPprof(path, binary string, c Config) (*record.Asm, []*record.Warn, error) {
	if err := c.Validate(); err != nil {
		return nil, nil, err
	}
	a, doubts, err := fromPprof(path, binary, c, time.Time{})
	if err != nil {
		return nil, nil, fmt.Errorf("asm: %w", err)
	}
	return a, append(doubts, judge(a)...), nil
}

// fromPprof leaves it to the caller to judge. Sources must not be newer than before, if
// that is a time.
func fromPprof(path, binary string, c Config, before time.Time) (*record.Asm, []*record.Warn, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	p, err := pprofio.Profile(f, mostProfile)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	value, event, err := column(p)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	main := mainMapping(p)
	if binary == "" && main != nil {
		binary = main.File
	}
	if binary == "" {
		return nil, nil, fmt.Errorf("%s names no program: name its file behind the profile's", path)
	}
	if err := sameBuild(path, binary, main); err != nil {
		return nil, nil, err
	}
	elf := isELF(binary)
	t := newTally([]record.AsmEvent{event})
	for _, s := range p.Sample {
		if n := s.Value[value]; n > 0 && len(s.Location) > 0 {
			x := pprofSpot(s.Location[0], main, binary)
			if !elf && x.path == binary {
				x.kind, x.at = linked, s.Location[0].Address
			}
			t.add(x, 0, n)
		}
	}
	if t.events[0].Samples == 0 {
		return nil, nil, fmt.Errorf("%s: no samples in %v: a profiled program has to run, on a processor, for longer", path, time.Duration(p.DurationNanos))
	}
	a := &record.Asm{Source: record.AsmPprof, Window: record.AsmWhole}
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	doubts, err := (&builder{cfg: c, tally: t, binary: binary, dir: dir, before: before}).build(a)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return a, doubts, nil
}

// mostProfile bounds a profile, in bytes when it is unpacked: hours of a large program take
// some MiB, and a file of a few KiB can be made that unpacks to more than there is memory.
const mostProfile = 256 << 20

// column is which value of a sample is a number of samples, and what they are of.
func column(p *profile.Profile) (int, record.AsmEvent, error) {
	if len(p.Sample) == 0 {
		return 0, record.AsmEvent{}, fmt.Errorf("no samples in %v: a profiled program has to run, on a processor, for longer", time.Duration(p.DurationNanos))
	}
	e := record.AsmEvent{Name: "cpu"}
	if p.PeriodType != nil && p.PeriodType.Unit == "nanoseconds" && p.Period > 0 {
		e.Name, e.Period, e.Asked = p.PeriodType.Type, float64(p.Period), 1e9/float64(p.Period)
	}
	for i, t := range p.SampleType {
		if t.Type == "samples" && t.Unit == "count" {
			return i, e, nil
		}
	}
	return 0, e, errors.New("no CPU profile: its values are no numbers of samples")
}

// mainMapping is that of the program: the first, as pprof takes it; nil if there is none.
func mainMapping(p *profile.Profile) *profile.Mapping {
	if len(p.Mapping) == 0 {
		return nil
	}
	return p.Mapping[0]
}

// sameBuild refuses a file that is not the one that was profiled.
func sameBuild(path, binary string, m *profile.Mapping) error {
	f, err := objfile.Open(binary)
	if err != nil {
		return err
	}
	defer f.Close()
	if m == nil || m.BuildID == "" {
		return nil // nobody knows
	}
	format, goID := f.BuildIDs()
	if id := strings.ToLower(m.BuildID); format != "" && id != format && m.BuildID != goID {
		return fmt.Errorf("%s is a profile of another build than %s: its build id is %s, the file's is %s", path, binary, id, format)
	}
	return nil
}

// pprofSpot is where the innermost location of a sample was.
func pprofSpot(l *profile.Location, main *profile.Mapping, binary string) spot {
	m := l.Mapping
	switch {
	case m == nil:
		return spot{kind: nowhere, at: l.Address}
	case m.File == "[vdso]":
		return spot{kind: inVDSO, path: m.File, at: l.Address - m.Start}
	case m == main || m.File == main.File:
		return spot{kind: inFile, path: binary, at: l.Address - m.Start + m.Offset}
	case isFile(m.File):
		return spot{kind: inFile, path: m.File, at: l.Address - m.Start + m.Offset}
	}
	return spot{kind: nowhere, path: m.File, at: l.Address}
}

// isELF reports whether addresses can be told from offsets in the file; in other formats
// they are taken for those that it was linked for.
func isELF(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var magic [4]byte
	_, err = io.ReadFull(f, magic[:])
	return err == nil && string(magic[:]) == "\x7fELF"
}
