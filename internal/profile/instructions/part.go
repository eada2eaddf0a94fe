package instructions

import (
	"path"
	"strings"

	"github.com/tarebench/tare/internal/binary/gofunc"
	"github.com/tarebench/tare/record"
)

// unknown is cachegrind's name of what has none.
const unknown = "???"

// partOf returns the part that a function belongs to. files are those of its lines, those with the most instructions
// first. A function of another package that the runtime implements, such as time.Sleep, has lines in files of the runtime
// only.
func partOf(fn string, files []string) string {
	if fn == unknown {
		return record.PartUnknown
	}
	pkg, file := gofunc.Package(fn), files[0]
	inRuntime := true
	for _, f := range files {
		inRuntime = inRuntime && isRuntimeFile(f)
	}
	if !inRuntime && !gofunc.IsRuntime(pkg, "") {
		return record.PartOwn
	}
	switch {
	case begins(fn, "runtime.memmove", "runtime.memclr"):
		return record.PartMemmove
	case begins(path.Base(file), "chan.go", "select.go"):
		return record.PartChannels
	}
	switch gofunc.RuntimeArea(fn, file) {
	case record.AreaAllocator:
		return record.PartAllocation
	case record.AreaGC:
		return record.PartGC
	case record.AreaScheduler:
		return record.PartScheduler
	case record.AreaMaps:
		return record.PartMaps
	}
	return record.PartRuntime
}

// isRuntimeFile reports whether a file is of package runtime or below internal/runtime, with -trimpath or without.
func isRuntimeFile(file string) bool {
	dir := path.Dir(file) + "/"
	return begins(dir, "runtime/", "internal/runtime/") || strings.Contains(dir, "/src/runtime/") || strings.Contains(dir, "/src/internal/runtime/")
}

func begins(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
