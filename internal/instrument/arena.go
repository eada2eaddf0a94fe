package instrument

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tarebench/tare/internal/tempdir"
)

// ArenaConfig says what one run of a program with probes writes.
type ArenaConfig struct {
	// Dir is the directory of the file. Default: shared memory (/dev/shm) if there is any with
	// enough room, as no disk slows it down; otherwise the directory of temporary files.
	Dir string

	// Size is the room for counts, in bytes: 3 KiB for each goroutine that is alive, and 1 KiB for
	// each element of its tree of calls. Calls that find no room are counted, and not timed.
	// Default: DefaultSize.
	Size int64

	// Path is how many calls of the execution path are kept. They take 32 bytes each in addition
	// to Size. Default: none.
	Path int

	// Monotonic reads the kernel's clock instead of the processor's cycle counter, which takes
	// longer. It is for machines whose counter does not run evenly.
	Monotonic bool

	// Windowed has calls count only after the program has called runtime.TareWindow(true).
	Windowed bool
}

// DefaultSize is the default of ArenaConfig.Size, in bytes.
const DefaultSize = 64 << 20

// MinSize and MaxSize are the limits of ArenaConfig.Size, in bytes.
const (
	MinSize = 1 << 20
	MaxSize = 3 << 30
)

const (
	mostBytes = 4<<30 - 1<<20 // of the file: offsets in it have 32 bits
	envName   = "TARE_WEAVE"
)

// Arena is the file that the probes of one process write to. It is complete up to the moment in
// which the process ends, even if it is killed.
type Arena struct {
	Path string

	file *tempdir.Place
}

// NewArena makes the file for one run of the program. The first process that opens it uses it: its
// children, and later processes, run without counting.
func (w *Build) NewArena(cfg ArenaConfig) (*Arena, error) {
	if cfg.Size == 0 {
		cfg.Size = DefaultSize
	}
	if cfg.Path < 0 {
		return nil, fmt.Errorf("path of %d calls: want 0 or more", cfg.Path)
	}
	if w.cfg.CountOnly && cfg.Path > 0 {
		return nil, errors.New("calls are only counted: there is no path of them")
	}
	over := pathAt + int64(cfg.Path)*stepBytes
	used := (over + 8*int64(len(w.Funcs)) + 4095) &^ 4095
	size := used + cfg.Size
	if cfg.Size < MinSize || cfg.Size > MaxSize || size > mostBytes {
		return nil, fmt.Errorf("%d bytes for counts and %d for the path: want at least %d for counts and at most %d for both",
			cfg.Size, used, int64(MinSize), int64(mostBytes))
	}
	head := make([]byte, hdrBytes)
	put := func(at int, v int64) { binary.NativeEndian.PutUint64(head[at:], uint64(v)) }
	put(hdrMagic, magic)
	put(hdrLayout, version)
	put(hdrSize, size)
	put(hdrFuncs, int64(len(w.Funcs)))
	put(hdrSteps, int64(cfg.Path))
	put(hdrEvery, int64(w.cfg.Every))
	put(hdrPath, pathAt)
	put(hdrOver, over)
	put(hdrUsed, used)
	if cfg.Monotonic {
		put(hdrClock, clockKernel)
	}
	if cfg.Windowed {
		put(hdrClosed, 1)
	}
	if w.cfg.CountOnly {
		put(hdrCounts, 1)
	}
	var dirs []string
	if cfg.Dir != "" {
		dirs = append(dirs, cfg.Dir)
	}
	file, err := tempdir.File("calls", head, size, dirs...)
	if err != nil {
		return nil, fmt.Errorf("file for counts: %w", err)
	}
	return &Arena{Path: file.Path, file: file}, nil
}

// Env returns the variable that the environment of the program needs, as NAME=value. The program
// itself does not see it.
func (a *Arena) Env() string { return envName + "=" + a.Path }

// Close removes the file.
func (a *Arena) Close() error { return a.file.Remove() }
