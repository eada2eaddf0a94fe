package asm

import (
	"path"
	"strings"

	"github.com/tarebench/tare/internal/binary/gofunc"
	"github.com/tarebench/tare/internal/binary/objfile"
	"github.com/tarebench/tare/record"
)

// Area returns the part of a program to which a function belongs: one of the Area constants of package record. m
// describes the build; without it everything outside of the standard library is the user's.
//
// The first match counts: C; assembly of any package; the package tested by a test binary; parts of the runtime, by
// file (of Go 1.26, since the runtime is one package); what runs benchmarks; the standard library; the main module or
// package; other modules.
func Area(fn objfile.Function, m objfile.Modules) string {
	if fn.C {
		return record.AreaC
	}
	if fn.Assembly {
		return record.AreaAssembly
	}
	pkg := gofunc.Package(fn.Name)
	std := isStd(pkg, m)
	switch {
	case pkg == "":
		return withoutPackage(fn.Name)
	case std && gofunc.IsRuntime(pkg, fn.File):
		return gofunc.RuntimeArea(fn.Name, fn.File)
	case isMeasured(pkg, m):
		return record.AreaUser
	case isTesting(pkg, fn.File, m):
		return record.AreaTesting
	case std && isLock(pkg, fn.File):
		return record.AreaScheduler
	case std:
		return record.AreaStd
	case pkg == "main" || within(pkg, m.Main):
		return record.AreaUser
	case m.Main == "" && !inDeps(pkg, m):
		return record.AreaUser
	}
	return record.AreaModules
}

// withoutPackage returns the area of functions without a package.
func withoutPackage(name string) string {
	switch {
	case strings.HasPrefix(name, "type:"): // of unnamed types
		return record.AreaRuntime
	case strings.HasPrefix(name, "_cgoexp_"): // called by C
		return record.AreaUser
	case strings.HasPrefix(name, "_cgo_"): // called by C, of runtime/cgo
		return record.AreaRuntime
	}
	return record.AreaUnknown
}

// within reports whether a package belongs to a module.
func within(pkg, module string) bool {
	rest, ok := strings.CutPrefix(pkg, module)
	return ok && module != "" && (rest == "" || rest[0] == '/' || rest == "_test")
}

// inDeps reports whether a package belongs to a dependency.
func inDeps(pkg string, m objfile.Modules) bool {
	for _, dep := range m.Deps {
		if within(pkg, dep) {
			return true
		}
	}
	return false
}

// isStd reports whether a package belongs to the standard library. Paths of modules may look alike.
func isStd(pkg string, m objfile.Modules) bool {
	return gofunc.IsStd(pkg) && !within(pkg, m.Main) && !inDeps(pkg, m)
}

// isMeasured reports whether a test binary tests a package.
func isMeasured(pkg string, m objfile.Modules) bool {
	of, ok := strings.CutSuffix(m.Package, ".test")
	return ok && strings.TrimSuffix(pkg, "_test") == of
}

// isTesting reports whether a package runs benchmarks: Go's testing, the main function that go test generates, and
// tare's own code.
func isTesting(pkg, file string, m objfile.Modules) bool {
	const tare = "github.com/tarebench/tare"
	switch {
	case pkg == "main":
		return path.Base(file) == "_testmain.go"
	case pkg == "testing", strings.HasPrefix(pkg, "testing/"):
		return isStd(pkg, m)
	}
	return m.Main != tare && (pkg == tare+"/bench" || within(pkg, tare+"/internal"))
}

// isLock reports whether a function belongs to the locks of package sync.
func isLock(pkg, file string) bool {
	switch path.Base(file) {
	case "mutex.go", "rwmutex.go", "cond.go", "waitgroup.go", "once.go":
		return pkg == "sync" || pkg == "internal/sync"
	}
	return false
}
