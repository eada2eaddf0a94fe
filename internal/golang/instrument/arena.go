package instrument

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tarebench/tare/internal/base/tempdir"
)

// ArenaConfig configures the file of counts of one run of a program with probes.
type ArenaConfig struct {
	// Dir is the directory of the file. Default: shared memory (/dev/shm) if it has enough room, because no disk
	// slows it down; otherwise the directory for temporary files.
	Dir string

	// Size is the room for counts, in bytes: 3 KiB for each live goroutine, and 1 KiB for each element of its tree of
	// calls. Calls without room are counted but not timed. Default: DefaultSize.
	Size int64

	// PathCalls is how many calls of the execution path are kept. Each takes 32 bytes in addition to Size. Default: 0.
	PathCalls int

	// Monotonic reads the kernel's clock instead of the processor's cycle counter. It takes longer. Use it on machines
	// whose counter does not run evenly.
	Monotonic bool

	// Windowed makes calls count only after the program has called runtime.TareWindow(true).
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
	maxBytes = 4<<30 - 1<<20 // of the file, because offsets have 32 bits
	arenaVar = "TARE_WEAVE"
)

// Arena is the file to which the probes of one process write. It is complete at any moment, even if the process is
// killed.
type Arena struct {
	Path string

	file *tempdir.Place
}

// NewArena creates the file for one run of the program. The first process that opens it uses it. Its children, and
// later processes, run without counting.
func (w *Build) NewArena(cfg ArenaConfig) (*Arena, error) {
	if cfg.Size == 0 {
		cfg.Size = DefaultSize
	}
	if cfg.PathCalls < 0 {
		return nil, fmt.Errorf("path of %d calls: want 0 or more", cfg.PathCalls)
	}
	if w.cfg.CountOnly && cfg.PathCalls > 0 {
		return nil, errors.New("a build that only counts calls has no execution path")
	}
	over := pathAt + int64(cfg.PathCalls)*stepBytes
	used := (over + 8*int64(len(w.Funcs)) + 4095) &^ 4095
	size := used + cfg.Size
	if cfg.Size < MinSize || cfg.Size > MaxSize || size > maxBytes {
		return nil, fmt.Errorf("%d bytes for counts and %d for the path: want at least %d for counts and at most %d for both",
			cfg.Size, used, int64(MinSize), int64(maxBytes))
	}
	head := make([]byte, hdrBytes)
	put := func(at int, v int64) { binary.NativeEndian.PutUint64(head[at:], uint64(v)) }
	put(hdrMagic, magic)
	put(hdrLayout, version)
	put(hdrSize, size)
	put(hdrFuncs, int64(len(w.Funcs)))
	put(hdrSteps, int64(cfg.PathCalls))
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

// Env returns the environment variable for the program, as NAME=value. The program itself cannot see it.
func (a *Arena) Env() string { return arenaVar + "=" + a.Path }

// Close removes the file.
func (a *Arena) Close() error { return a.file.Remove() }
