package objfile

import (
	"debug/elf"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// hexID is a build id of GNU's linker or Go's, or a UUID.
var hexID = regexp.MustCompile(`^([0-9a-f]{32}|[0-9a-f]{40})$`)

// checkBuildID: the identities are those that other tools find.
func checkBuildID(t *testing.T, path string) {
	f, _ := open(t, path)
	format, build := f.BuildIDs()
	if want := strings.TrimSpace(output(t, "go", "tool", "buildid", path)); build != want {
		t.Errorf("Go's build id is %q, want %q", build, want)
	}
	want := format
	if _, ok := f.format.(peFile); ok {
		want = build
	} else if !hexID.MatchString(format) {
		t.Errorf("the format's build id is %q", format)
	}
	if f.BuildID() != want {
		t.Errorf("build id %q of %q and %q", f.BuildID(), format, build)
	}
}

// TestGNUBuildID: it is the one that is given to the linker.
func TestGNUBuildID(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs the linker of GNU")
	}
	needs(t, "gcc")
	f, _ := open(t, compileC(t, inC, "-Wl,--build-id=0x12abcd"))
	if id := f.BuildID(); id != "12abcd" {
		t.Errorf("%q", id)
	}
	f, _ = open(t, compileC(t, inC, "-Wl,--build-id=none"))
	if id := f.BuildID(); id != "" {
		t.Errorf("%q, want none", id)
	}
}

func TestModules(t *testing.T) {
	f, _ := open(t, compile(t, map[string]string{"main.go": program}, nil))
	m, err := f.Modules()
	if err != nil || m.Main != "example.org/prog" || m.Package != "example.org/prog" || m.GoVersion != runtime.Version() || len(m.Deps) != 0 {
		t.Errorf("%+v %v", m, err)
	}
	needs(t, "gcc")
	path := compileC(t, inC)
	f, _ = open(t, path)
	if m, err := f.Modules(); err == nil || !strings.HasPrefix(err.Error(), path+": modules: ") {
		t.Errorf("%+v %v, want an error that names the file", m, err)
	}
}

// TestBias: mappings of whole pages, of parts of a segment, and of files that are
// not position-independent.
func TestBias(t *testing.T) {
	load := func(off, vaddr, size uint64, flags elf.ProgFlag) *elf.Prog {
		return &elf.Prog{ProgHeader: elf.ProgHeader{Type: elf.PT_LOAD, Off: off, Vaddr: vaddr, Filesz: size, Flags: flags, Align: 0x1000}}
	}
	fixed := []*elf.Prog{load(0, 0x400000, 0x5000, elf.PF_R|elf.PF_X), load(0x5000, 0x405000, 0x1000, elf.PF_R)}
	lld := []*elf.Prog{ // text and what is before it share a page of the file
		load(0, 0, 0x1234, elf.PF_R), load(0x1240, 0x2240, 0x3000, elf.PF_R|elf.PF_X), load(0x4240, 0x6240, 0x100, elf.PF_R|elf.PF_W),
	}
	for _, c := range []struct {
		progs        []*elf.Prog
		start, pgoff uint64
		want         uint64
	}{
		{fixed, 0x400000, 0, 0},
		{fixed, 0x402000, 0x2000, 0},
		{fixed, 0x405000, 0x5000, 0},
		{lld, 0x7f0000002000, 0x1000, 0x7f0000000000},
		{lld, 0x7f0000004000, 0x3000, 0x7f0000000000},
		{lld, 0x7f0000000000, 0, 0x7f0000000000},
		{lld, 0, 0x9000, 0},
		{nil, 0x1000, 0x1000, 0},
	} {
		f := File{format: elfFile{&elf.File{Progs: c.progs}}}
		if got := f.Bias(c.start, c.pgoff); got != c.want {
			t.Errorf("%#x mapped at %#x: %#x, want %#x", c.pgoff, c.start, got, c.want)
		}
	}
}

// TestConcurrent: several goroutines may read a file at once.
func TestConcurrent(t *testing.T) {
	path := compile(t, map[string]string{"main.go": program}, nil)
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	done := make(chan []Line)
	for range 4 {
		go func() {
			fs, err := f.Functions()
			if err != nil {
				t.Error(err)
				done <- nil
				return
			}
			fn := fs.Named("main.main")[0]
			s, _ := f.Source(fn)
			d, err := f.debugSource(fn)
			if code, _ := f.Text(fn); err != nil || len(code) == 0 || len(d.Lines) == 0 || f.BuildID() == "" {
				t.Errorf("%d bytes of code, %v", len(code), err)
			}
			done <- s.Lines
		}()
	}
	first := <-done
	for range 3 {
		if next := <-done; len(first) == 0 || !slices.Equal(first, next) {
			t.Errorf("%v, and %v", first, next)
		}
	}
}
