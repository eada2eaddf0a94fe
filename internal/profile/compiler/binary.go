package compiler

import (
	"debug/buildinfo"
	"path"
	"runtime/debug"
	"strings"

	"github.com/tarebench/tare/internal/binary/gofunc"
	"github.com/tarebench/tare/internal/binary/samecode"
	"github.com/tarebench/tare/record"
)

// addBinary adds what the binary has: sizes and frames of the functions, which of them benchmarks reach, and the
// versions of its modules.
func (s *Site) addBinary(out *record.Compiled, src *sources, binary, gcflags string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	out.Go = info.GoVersion
	out.Build = settings(info.Settings, gcflags)
	for _, m := range info.Deps {
		version := m.Version
		if m.Replace != nil {
			version = strings.TrimSpace(m.Replace.Path + " " + m.Replace.Version)
		}
		if out.Deps == nil {
			out.Deps = map[string]string{}
		}
		out.Deps[m.Path] = version
	}
	symbols, err := samecode.ReadSymbols(binary)
	if err != nil {
		return err
	}
	defer symbols.Close()
	src.addSizes(symbols.List())
	reached := symbols.Reached(s.isRoot, followed)
	src.addReached(reached)
	out.Code = codeOf(symbols, reached)
	return nil
}

// followed reports whether the callees of a function are of interest.
func followed(name string) bool {
	pkg := gofunc.Package(name)
	return pkg != "testing" && !gofunc.IsRuntime(pkg, "")
}

// codeOf returns the machine code of the functions that are reached.
func codeOf(symbols *samecode.Symbols, reached samecode.Reached) (out []record.MachineCode) {
	list := symbols.List()
	for i := range list {
		if !reached.Symbols[list[i].Name] {
			continue
		}
		x := record.MachineCode{Name: list[i].Name, Digest: list[i].Digest()}
		if followed(x.Name) {
			x.Calls = symbols.Refs(i)
		}
		out = append(out, x)
	}
	return out
}

// settings returns the settings of a build that change code. gcflags are the user's: those of the binary may be the
// ones for notes.
func settings(list []debug.BuildSetting, gcflags string) map[string]string {
	out := map[string]string{}
	for _, x := range list {
		switch x.Key {
		case "-gcflags", "-trimpath", "-compiler", "-buildmode", "-ldflags", "DefaultGODEBUG":
			continue
		}
		if x.Value != "" && !strings.HasPrefix(x.Key, "vcs") {
			out[x.Key] = x.Value
		}
	}
	if gcflags != "" {
		out["-gcflags"] = gcflags
	}
	return out
}

// isRoot reports whether a function of the binary is a benchmark of the site.
func (s *Site) isRoot(name string) bool {
	for _, pkg := range []string{s.Pkg, s.Pkg + "_test"} {
		rest, ok := strings.CutPrefix(name, gofunc.LinkName(pkg, ""))
		if !ok {
			continue
		}
		top, _, _ := strings.Cut(rest, ".")
		if len(s.Benchmarks) == 0 && strings.HasPrefix(top, "Benchmark") {
			return true
		}
		for _, b := range s.Benchmarks {
			if b == top {
				return true
			}
		}
	}
	return false
}

// declared is where a function of a binary is declared.
type declared struct {
	pkg, file string
	line      int
	closure   bool
}

// addSizes adds the sizes of the copies of each function.
func (s *sources) addSizes(symbols []samecode.Symbol) {
	at := map[declared]*function{}
	for _, f := range s.list {
		if k := (declared{f.Pkg, f.File, f.Line, isClosure(f.Name)}); at[k] == nil {
			at[k] = f
		}
	}
	exact := map[string]*function{}
	for _, f := range s.list {
		exact[gofunc.LinkName(f.Pkg, f.Name)] = f
	}
	for i := range symbols {
		x := &symbols[i]
		if x.Wrapper {
			continue
		}
		if f := exact[x.Name]; f != nil && f.File == path.Base(x.File) && f.Line == x.Line {
			f.Size, f.Frame = x.Size, max(0, x.Frame)
			f.Copies++
			continue
		}
		f := at[declared{gofunc.Package(x.Name), path.Base(x.File), x.Line, isClosure(x.Name)}]
		if f == nil {
			continue
		}
		f.Copies++
		if f.generic || f.Size == 0 {
			f.Size, f.Frame = max(f.Size, x.Size), max(f.Frame, x.Frame)
		}
	}
}

// addReached marks the functions that benchmarks reach.
func (s *sources) addReached(r samecode.Reached) {
	plainNames := map[string]bool{} // without type arguments
	for _, names := range []map[string]bool{r.Symbols, r.Inlined} {
		for name := range names {
			plainNames[gofunc.WithoutTypeArgs(name)] = true
		}
	}
	for _, f := range s.list {
		f.Reached = plainNames[gofunc.LinkName(f.Pkg, f.Name)]
	}
}
