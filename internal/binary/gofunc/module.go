package gofunc

import (
	"path"
	"strings"

	"github.com/tarebench/tare/record"
)

// Module is whose code a function is.
type Module int

// The modules, in the order of legends.
const (
	Own        Module = iota // of the packages that are not any of the others: those of the user
	Dependency               // of a module in the module cache, or below vendor
	Standard                 // of the standard library
	Runtime                  // of the runtime: scheduler, maps, allocator
	Collector                // of the garbage collector
	Other                    // without a package: C, the kernel, addresses without a name
	Modules                  // how many there are
)

// String returns the words of a legend.
func (m Module) String() string {
	return [...]string{"own code", "dependencies", "standard library", "runtime", "garbage collector", "C, kernel, unknown"}[m]
}

// ModuleOf returns to which module a function belongs, by its name and, if it is known, its file. It returns "" if that is
// not known. A dependency is recognised by the directory of its source.
func ModuleOf(name, file string) Module {
	pkg := Package(name)
	switch {
	case strings.HasPrefix(name, "type:"):
		return Runtime
	case pkg == "":
		return Other
	case inModuleCache(file) || strings.Contains(path.Dir(file)+"/", "/vendor/") && !strings.HasPrefix(pkg, "vendor/"):
		return Dependency
	case !IsStd(pkg):
		return Own
	case !IsRuntime(pkg, file):
		return Standard
	case RuntimeArea(name, file) == record.AreaGC || isCollector(name):
		return Collector
	}
	return Runtime
}

// inModuleCache reports whether a file lies in a directory of a version: text@v1.2.3/read.go.
func inModuleCache(file string) bool {
	for dir := range strings.SplitSeq(path.Dir(file), "/") {
		if _, version, found := strings.Cut(dir, "@"); found && strings.HasPrefix(version, "v") {
			return true
		}
	}
	return false
}

// isCollector reports whether a function of the runtime is the collector's, by its name alone: for profiles without files.
func isCollector(name string) bool {
	name = strings.TrimPrefix(name, "runtime.")
	return begins(name, "gc bgsweep bgscavenge scanobject scanblock scanstack markroot greyobject sweepone (*gcWork) (*gcControllerState) (*sweepLocked) wbBufFlush")
}
