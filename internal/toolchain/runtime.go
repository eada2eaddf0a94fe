package toolchain

import (
	"embed"
	"fmt"
	"os"
	"path"
)

// runtimeTexts are the files that are added to package runtime.
//
//go:embed _runtime/probes/*.go _runtime/probes/*.s _runtime/sampler/*.go
var runtimeTexts embed.FS

// Half is a half of tare that works inside package runtime of the measured program. Each does
// nothing until a variable in the environment of the process asks for it.
type Half int

const (
	// Probes count and time calls: what package instrument has functions call.
	Probes Half = iota
	// Sampler records where goroutines are.
	Sampler
)

// half says what a Half consists of, and what it needs: all that depends on the Go version.
type half struct {
	dir       string // of its files, below _runtime
	platforms platforms
	needs     []string // of package runtime, see needs.go
	edits     []runtimeEdit
}

// runtimeEdit changes a file of package runtime: it adds a field to a structure, or a statement
// to the beginning of a function.
type runtimeEdit struct {
	file             string
	structure, field string
	function, call   string
	wherePresent     bool // a runtime without that function is supported
}

var halves = [...]half{
	Probes: {
		dir: "probes",
		platforms: platforms{ // systems whose runtime maps files, processors of 64 bits
			systems:    []string{"darwin", "freebsd", "linux", "netbsd", "openbsd"},
			processors: []string{"amd64", "arm64", "loong64", "mips64", "mips64le", "ppc64", "ppc64le", "riscv64", "s390x"},
		},
		needs: probesNeed,
		edits: []runtimeEdit{
			{file: "runtime2.go", structure: "g", field: "tare *tareState"},
			{file: "rdebug.go", function: "func setMaxStack(in int) (out int)", call: "return tareSetMaxStack(in)", wherePresent: true},
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
}

// Supports returns an error that wraps ErrUnsupported if the half does not work on a system and
// processor, whatever the Go version.
func (h Half) Supports(goos, goarch string) error { return halves[h].platforms.check(goos, goarch) }

// Runtime returns the patch that adds tare's halves to package runtime: the one that is wanted,
// and the other one if the toolchain supports it, so that counting and sampling share one
// compiled standard library. Changes that the build's own overlay makes to the same files are
// kept. The error wraps ErrUnsupported.
func Runtime(t *Toolchain, want Half) (*Patch, error) {
	have, err := t.runtimeHas()
	if err != nil {
		return nil, t.unsupported(err)
	}
	texts := make(map[string]string)
	for i := range halves {
		switch files, err := halves[i].files(t, have); {
		case err == nil:
			for name, text := range files {
				texts[name] = text
			}
		case Half(i) == want:
			return nil, err
		}
	}
	return t.newPatch(texts), nil
}

// RuntimeOverlay writes the patch of [Runtime] to [CacheDir] and returns the path of the file for
// go's flag -overlay, in which are the build's own replacements, too.
func (t *Toolchain) RuntimeOverlay(want Half) (string, error) {
	p, err := Runtime(t, want)
	if err != nil {
		return "", err
	}
	also := t.Overlay.without(p)
	return p.Write(CacheDir(), also)
}

// files returns the texts of a half by their names, those that it edits included.
func (h *half) files(t *Toolchain, have map[string]bool) (map[string]string, error) {
	if err := h.platforms.check(t.OS, t.Arch); err != nil {
		return nil, err
	}
	if err := t.lacks(have, h.needs); err != nil {
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
		if err := e.apply(s); err != nil && !e.wherePresent {
			return nil, t.unsupported(fmt.Errorf("%s: %w", name, err))
		}
	}
	for name, s := range sources {
		if len(s.edits) > 0 {
			texts[name] = s.apply()
		}
	}
	return texts, h.add(t, texts)
}

func (e runtimeEdit) apply(s *source) error {
	if e.structure != "" {
		return s.addField(e.structure, e.field)
	}
	return s.addCall(e.function, e.call)
}

// add adds the half's own files.
func (h *half) add(t *Toolchain, texts map[string]string) error {
	dir := "_runtime/" + h.dir
	list, err := runtimeTexts.ReadDir(dir)
	if err != nil {
		return err // it is compiled in
	}
	for _, f := range list {
		text, err := runtimeTexts.ReadFile(path.Join(dir, f.Name()))
		if err != nil {
			return err
		}
		name := "runtime/" + f.Name()
		if _, err := os.Stat(t.src(name)); err == nil {
			return t.unsupported(fmt.Errorf("it has a file %s", name))
		}
		texts[name] = string(text)
	}
	return nil
}
