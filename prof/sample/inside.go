package sample

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// insideTexts are what looks at the goroutines from within: files of package runtime.
//
//go:embed _runtime/*.go
var insideTexts embed.FS

const insideDir = "_runtime"

// ErrUnfit is wrapped by the error of a toolchain whose programs cannot be looked at from
// within.
var ErrUnfit = errors.New("programs of this toolchain cannot be looked at from within")

// Toolchain is what builds a program, as `go env` knows it.
type Toolchain struct {
	Root    string // GOROOT
	Version string // GOVERSION, for errors
	OS      string // GOOS of what is built
	Arch    string // GOARCH
}

// Inside is the half of the sampler that works in the program: some more files of package
// runtime, and a call to them in its signal handler, for one build. It does nothing unless the
// environment asks for it, and then nothing between two looks.
type Inside struct{ dir string } // of package runtime

// NewInside finds out whether programs of a toolchain can have it: whether its runtime
// has what the half in the process calls, with the same types. Else the error wraps
// [ErrUnfit].
func NewInside(t Toolchain) (*Inside, error) {
	if err := served(t.OS, t.Arch); err != nil {
		return nil, err
	}
	dir := filepath.Join(t.Root, "src", "runtime")
	if err := fits(dir); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrUnfit, t.Version, err)
	}
	return &Inside{dir}, nil
}

func served(goos, goarch string) error {
	if !slices.Contains([]string{"linux", "darwin"}, goos) || !slices.Contains([]string{"amd64", "arm64"}, goarch) {
		return fmt.Errorf("%w: on %s/%s", ErrUnfit, goos, goarch)
	}
	return nil
}

// Write puts the files below dir, where they are found again by the next Write, and
// returns what is to be replaced by what, as in a file for go's flag -overlay.
func (in *Inside) Write(dir string) (map[string]string, error) {
	list, err := insideTexts.ReadDir(insideDir)
	if err != nil {
		return nil, err // it is compiled in
	}
	replace := map[string]string{}
	for _, f := range list {
		text, err := insideTexts.ReadFile(insideDir + "/" + f.Name())
		if err != nil {
			return nil, err
		}
		path, err := keep(dir, f.Name(), text)
		if err != nil {
			return nil, err
		}
		replace[filepath.Join(in.dir, f.Name())] = path
	}
	from := filepath.Join(in.dir, signalFile)
	text, err := os.ReadFile(from)
	if err != nil {
		return nil, fmt.Errorf("sample: %w", err)
	}
	if text, err = hook(text); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrUnfit, from, err)
	}
	if replace[from], err = keep(dir, signalFile, text); err != nil {
		return nil, err
	}
	return replace, nil
}

const (
	signalFile    = "signal_unix.go" // of package runtime
	signalHandler = "sighandler"
	signalHook    = " tareSampleSignal(sig, info, ctxt, gp)"
)

// hook puts a call before all that the runtime's signal handler does, without another line.
func hook(text []byte) ([]byte, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, signalFile, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == signalHandler && fn.Body != nil {
			at := files.Position(fn.Body.Lbrace).Offset + 1
			return slices.Insert(text, at, []byte(signalHook)...), nil
		}
	}
	return nil, fmt.Errorf("it has no %s", signalHandler)
}

// keep writes a file that is named after its content, too, unless it is there.
func keep(dir, name string, text []byte) (string, error) {
	sum := sha256.Sum256(text)
	path := filepath.Join(dir, hex.EncodeToString(sum[:8])+"-"+name)
	if have, err := os.ReadFile(path); err == nil && bytes.Equal(have, text) {
		return path, nil
	}
	if err := replaceFile(path, text); err != nil {
		return "", fmt.Errorf("sample: %w", err)
	}
	return path, nil
}

// Overlay writes the file for go's flag -overlay, too, and returns its path. The
// programs that are built with it are those of the same go command. also are files that the
// build replaces itself; those of the sampler's must not be among them.
func (in *Inside) Overlay(dir string, also map[string]string) (string, error) {
	replace, err := in.Write(dir)
	if err != nil {
		return "", err
	}
	for from, to := range also {
		if replace[from] != "" {
			return "", fmt.Errorf("sample: the build's own -overlay replaces %s, too", from)
		}
		replace[from] = to
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	return keep(dir, "overlay.json", text)
}

// replaceFile writes a file that others may read, or write, at the same time.
func replaceFile(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(0o666), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// anchors are what the half in the process uses of the runtime: functions by their
// types, and what else it declares or imports by name.
var anchors = []string{
	"func atomicAllG() (**g, uintptr)",
	"func atomicAllGIndex(ptr **g, i uintptr) *g",
	"func casfrom_Gscanstatus(gp *g, oldval, newval uint32)",
	"func castogscanstatus(gp *g, oldval, newval uint32) bool",
	"func checkdead()",
	"func cheaprand64() int64",
	"func entersyscallblock()",
	"func exitsyscall()",
	"func gcallers(gp *g, skip int, pcbuf []uintptr) int",
	"func (mp *m) hasCgoOnStack() bool",
	"func (u *unwinder) initAt(pc0, sp0, lr0 uintptr, gp *g, flags unwindFlags)",
	"func isSystemGoroutine(gp *g, fixed bool) bool",
	"func (w waitReason) isWaitingForSuspendG() bool",
	"func newm(fn func(), pp *p, id int64)",
	"func persistentalloc(size, align uintptr, sysStat *sysMemStat) unsafe.Pointer",
	"func preemptM(mp *m)",
	"func (b *profBuf) read(mode profBufReadMode) (data []uint64, tags []unsafe.Pointer, eof bool)",
	"func readgstatus(gp *g) uint32",
	"func sighandler(sig uint32, info *siginfo, ctxt unsafe.Pointer, gp *g)",
	"func tgkill(tgid, tid, sig int)",
	"func tracebackPCs(u *unwinder, skip int, pcBuf []uintptr) int",
	"func tracefpunwindoff() bool",
	"func usesLibcall() bool",
	"name fing", "name maxCPUProfStack", "name pendingPreemptSignals", "name sigPreempt",
	"import internal/runtime/syscall/linux",
}

// fields are what it uses besides, of structures.
var fields = []string{
	"schedt.nmsys", "m.curg", "m.libcallg", "m.mallocing", "m.ncgo", "m.procid", "m.signalPending", "m.vdsoSP",
	"g.asyncSafePoint", "g.goid", "g.lockedm", "g.runningCleanups", "g.stack", "g.syncSafePoint", "g.syscallbp", "g.waitreason",
}

// fits reports what of the anchors a runtime does not have.
func fits(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no files in %s", dir)
	}
	have := map[string]bool{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				have[signature(fn)] = true
			}
			noteNames(have, d)
		}
		for _, i := range f.Imports {
			have["import "+strings.Trim(i.Path.Value, `"`)] = true
		}
	}
	var missing []string
	for _, a := range slices.Concat(anchors, fields) {
		if !have[a] {
			missing = append(missing, a)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("its runtime has no %s", strings.Join(missing, ", no "))
	}
	return nil
}

// noteNames notes what a declaration names: constants and variables, and the fields of
// structures, as type.field.
func noteNames(have map[string]bool, d ast.Decl) {
	g, ok := d.(*ast.GenDecl)
	if !ok {
		return
	}
	for _, spec := range g.Specs {
		switch x := spec.(type) {
		case *ast.ValueSpec:
			for _, name := range x.Names {
				have["name "+name.Name] = true
			}
		case *ast.TypeSpec:
			st, ok := x.Type.(*ast.StructType)
			if !ok {
				continue
			}
			for _, f := range st.Fields.List {
				for _, name := range f.Names {
					have[x.Name.Name+"."+name.Name] = true
				}
			}
		}
	}
}

// signature is the first line of a function. (go/printer would write the same, and weighs
// 150 kB in a program that has go/types anyway.)
func signature(fn *ast.FuncDecl) string {
	head := "func "
	if fn.Recv != nil {
		r := fn.Recv.List[0]
		head += "("
		for _, name := range r.Names {
			head += name.Name + " "
		}
		head += types.ExprString(r.Type) + ") "
	}
	return head + fn.Name.Name + strings.TrimPrefix(types.ExprString(fn.Type), "func")
}
