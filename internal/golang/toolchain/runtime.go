package toolchain

import (
	"fmt"
	"os"
	"path"
	"strings"
)

// RuntimePart is a part of tare that runs inside package runtime of the measured program. It does nothing unless its
// variable is in the environment of the process.
type RuntimePart int

const (
	// Probes count and time the calls of instrumented functions.
	Probes RuntimePart = iota
	// Sampler records where goroutines are.
	Sampler
	// Totals writes what the program has used when it ends.
	Totals
	// Allocs counts allocations by call stack, type and size.
	Allocs
)

// runtimePart describes a Half. It contains all that depends on the Go version.
type runtimePart struct {
	dir       string // its folder in _runtime
	platforms platforms
	needs     []string // what it uses of package runtime; see needs.go
	edits     []runtimeEdit
	alone     bool // its patch has no other part, because it is about what the program uses without them
}

// runtimeEdit changes a file of package runtime: it adds a field to a structure, or a statement to the beginning of a
// function.
type runtimeEdit struct {
	file             string
	structure, field string
	function, call   string
	optional         bool // a runtime without that function is supported, too
}

var runtimeParts = [...]runtimePart{
	Probes: {
		dir: "probes",
		platforms: platforms{ // systems whose runtime maps files, 64-bit processors
			systems:    []string{"darwin", "freebsd", "linux", "netbsd", "openbsd"},
			processors: []string{"amd64", "arm64", "loong64", "mips64", "mips64le", "ppc64", "ppc64le", "riscv64", "s390x"},
		},
		needs: probesNeeds,
		edits: []runtimeEdit{
			{file: "runtime2.go", structure: "g", field: "tare *tareState"},
			{file: "rdebug.go", function: "func setMaxStack(in int) (out int)", call: "return tareSetMaxStack(in)", optional: true},
		},
	},
	Sampler: {
		dir:       "sampler",
		platforms: platforms{systems: []string{"linux", "darwin"}, processors: []string{"amd64", "arm64"}},
		needs:     samplerNeeds,
		edits: []runtimeEdit{
			{file: "signal_unix.go", function: "func sighandler(sig uint32, info *siginfo, ctxt unsafe.Pointer, gp *g)", call: "tareSampleSignal(sig, info, ctxt, gp)"},
			{file: "cpuprof.go", function: "func SetCPUProfileRate(hz int)", call: "if tareSampleRate(hz) { return }"},
			{file: "cpuprof.go", function: "func runtime_pprof_readProfile() ([]uint64, []unsafe.Pointer, bool)", call: "if tareSampleProfiles() { return tareSampleRead() }"},
		},
	},
	Totals: {
		dir: "totals",
		platforms: platforms{ // as the probes
			systems:    []string{"darwin", "freebsd", "linux", "netbsd", "openbsd"},
			processors: []string{"amd64", "arm64", "loong64", "mips64", "mips64le", "ppc64", "ppc64le", "riscv64", "s390x"},
		},
		needs: totalsNeeds,
		alone: true,
	},
	Allocs: {
		dir: "allocs",
		platforms: platforms{ // as the probes: the hooks in package testing need a pipe
			systems:    []string{"darwin", "freebsd", "linux", "netbsd", "openbsd"},
			processors: []string{"amd64", "arm64", "loong64", "mips64", "mips64le", "ppc64", "ppc64le", "riscv64", "s390x"},
		},
		needs: allocsNeeds,
		edits: []runtimeEdit{
			{file: "malloc.go", function: "func postMallocgcDebug(x unsafe.Pointer, elemsize uintptr, typ *_type)", call: "tareAlloc(elemsize, typ)"},
			{file: "mstats.go", function: "func readmemstats_m(stats *MemStats)", call: "tareAllocCut()"},
		},
	},
}

// Supports returns an error that wraps ErrUnsupported if the part does not support a system and processor in any Go
// version.
func (h RuntimePart) Supports(goos, goarch string) error {
	return runtimeParts[h].platforms.check(goos, goarch)
}

// Runtime returns the patch of package runtime with the wanted part. Probes, Sampler and Allocs come together as far as the
// toolchain supports them, so that they share one compiled standard library. It keeps changes that the build's own
// overlay makes to the same files. The error wraps ErrUnsupported.
func Runtime(t *Toolchain, want RuntimePart) (*Patch, error) {
	have, err := t.runtimeDecls()
	if err != nil {
		return nil, t.unsupported(err)
	}
	texts := make(map[string]string)
	for i := range runtimeParts {
		if RuntimePart(i) != want && (runtimeParts[i].alone || runtimeParts[want].alone) {
			continue
		}
		switch files, err := runtimeParts[i].files(t, have); {
		case err == nil:
			for name, text := range files {
				texts[name] = text
			}
		case RuntimePart(i) == want:
			return nil, err
		}
	}
	return t.newPatch(texts), nil
}

// RuntimeOverlay writes the patch of [Runtime] to [CacheDir] and returns the path of the file for go's flag -overlay.
// The file includes the build's own replacements.
func (t *Toolchain) RuntimeOverlay(want RuntimePart) (string, error) {
	p, err := Runtime(t, want)
	if err != nil {
		return "", err
	}
	also := t.Overlay.without(p)
	dir, err := CacheDir()
	if err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	return p.Write(dir, also)
}

// files returns the texts of a part by name, including the files that it edits.
func (h *runtimePart) files(t *Toolchain, have map[string]bool) (map[string]string, error) {
	if err := h.platforms.check(t.OS, t.Arch); err != nil {
		return nil, err
	}
	if err := t.checkNeeds(have, h.needs); err != nil {
		return nil, t.unsupported(err)
	}
	texts := make(map[string]string)
	sources := make(map[string]*source)
	for _, e := range h.edits {
		name := "runtime/" + e.file
		s := sources[name]
		if s == nil {
			text, err := t.Overlay.ReadFile(t.src(name))
			if err == nil {
				s, err = parseSource(e.file, string(text))
			}
			if err != nil {
				return nil, t.unsupported(err)
			}
			sources[name] = s
		}
		if err := e.apply(s); err != nil && !e.optional {
			return nil, t.unsupported(fmt.Errorf("%s: %w", name, err))
		}
	}
	for name, s := range sources {
		if len(s.edits) > 0 {
			texts[name] = s.apply()
		}
	}
	if err := h.addFiles(t, "_runtime/shared", texts); err != nil {
		return nil, err
	}
	return texts, h.addFiles(t, "_runtime/"+h.dir, texts)
}

func (e runtimeEdit) apply(s *source) error {
	if e.structure != "" {
		return s.addField(e.structure, e.field)
	}
	return s.addCall(e.function, e.call)
}

// addFiles adds the files of a folder: the part's own, or those that all parts share.
func (h *runtimePart) addFiles(t *Toolchain, dir string, added map[string]string) error {
	files, err := texts.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		name := "runtime/" + f.Name()
		if _, err := os.Stat(t.src(name)); err == nil {
			return t.unsupported(fmt.Errorf("it has a file %s", name))
		}
		added[name] = t.adapted(text(path.Join(dir, f.Name())))
	}
	return nil
}
