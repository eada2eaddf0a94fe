package asm

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/binary/objfile"
	"github.com/tarebench/tare/internal/binary/pprofio"
	"github.com/tarebench/tare/record"
)

// FromPprof converts a CPU profile in the format of pprof, as Go's profiler writes it. binary is the program's file;
// "" selects the one named in the profile. It fails for a file of another build. Warnings are about a fork.
func FromPprof(path, binary string, c Config) (*record.Asm, []*record.Warn, error) {
	if err := c.Validate(); err != nil {
		return nil, nil, err
	}
	a, warnings, err := fromPprof(path, binary, c, time.Time{})
	if err != nil {
		return nil, nil, fmt.Errorf("asm: %w", err)
	}
	return a, append(warnings, sampleWarnings(a)...), nil
}

// fromPprof is FromPprof without judge. Sources modified after before are not used, unless before is zero.
func fromPprof(path, binary string, c Config, before time.Time) (*record.Asm, []*record.Warn, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	p, err := pprofio.Profile(f, maxProfile)
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
		return nil, nil, fmt.Errorf("%s names no program: give the program's file after the profile", path)
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
		return nil, nil, fmt.Errorf("%s: no samples in %v: the program used too little CPU time", path, time.Duration(p.DurationNanos))
	}
	a := &record.Asm{Source: record.AsmPprof, Window: record.AsmWhole}
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	warnings, err := (&builder{cfg: c, tally: t, binary: binary, dir: dir, before: before}).build(a)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return a, warnings, nil
}

// maxProfile limits an uncompressed profile, in bytes. Hours of a large program take some MiB, but a file of a few
// KiB may decompress to more than the memory.
const maxProfile = 256 << 20

// column returns which value of a sample is its count, and the event.
func column(p *profile.Profile) (int, record.AsmEvent, error) {
	if len(p.Sample) == 0 {
		return 0, record.AsmEvent{}, fmt.Errorf("no samples in %v: the program used too little CPU time", time.Duration(p.DurationNanos))
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
	return 0, e, errors.New("not a CPU profile: it has no sample counts")
}

// mainMapping returns the mapping of the program: the first, as in pprof; nil if there is none.
func mainMapping(p *profile.Profile) *profile.Mapping {
	if len(p.Mapping) == 0 {
		return nil
	}
	return p.Mapping[0]
}

// sameBuild returns an error if the file is not the profiled one.
func sameBuild(path, binary string, m *profile.Mapping) error {
	f, err := objfile.Open(binary)
	if err != nil {
		return err
	}
	defer f.Close()
	if m == nil || m.BuildID == "" {
		return nil // unknown
	}
	format, goID := f.BuildIDs()
	if id := strings.ToLower(m.BuildID); format != "" && id != format && m.BuildID != goID {
		return fmt.Errorf("%s is a profile of another build than %s: build ID %s, the file's is %s", path, binary, id, format)
	}
	return nil
}

// pprofSpot returns the place of a sample's innermost location.
func pprofSpot(l *profile.Location, main *profile.Mapping, binary string) spot {
	m := l.Mapping
	switch {
	case m == nil:
		return spot{kind: unknownPlace, at: l.Address}
	case m.File == "[vdso]":
		return spot{kind: inVDSO, path: m.File, at: l.Address - m.Start}
	case m == main || m.File == main.File:
		return spot{kind: inFile, path: binary, at: l.Address - m.Start + m.Offset}
	case isFile(m.File):
		return spot{kind: inFile, path: m.File, at: l.Address - m.Start + m.Offset}
	}
	return spot{kind: unknownPlace, path: m.File, at: l.Address}
}

// isELF reports whether a file is ELF. In other formats, addresses are taken as linked ones instead of offsets in the
// file.
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
