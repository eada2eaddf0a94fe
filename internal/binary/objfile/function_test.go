package objfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// targets are machines and systems that programs are built for. Others than this
// one need their own standard library to be built: the program imports next to
// nothing.
var targets = [][]string{
	{"GOOS=linux", "GOARCH=amd64"}, {"GOOS=linux", "GOARCH=arm64"}, {"GOOS=linux", "GOARCH=386"}, {"GOOS=linux", "GOARCH=s390x"},
	{"GOOS=darwin", "GOARCH=arm64"}, {"GOOS=windows", "GOARCH=amd64"},
}

// TestTargets builds the small program for each, with its symbols and without.
func TestTargets(t *testing.T) {
	testutil.NeedLong(t, "builds for other systems")
	for _, env := range targets {
		t.Run(strings.Join(env, " "), func(t *testing.T) {
			if env[0] != "GOOS="+runtime.GOOS || env[1] != "GOARCH="+runtime.GOARCH {
				testutil.NeedLong(t, "builds another standard library")
			}
			env := append(env, "CGO_ENABLED=0")
			whole := compile(t, map[string]string{"main.go": program}, env)
			stripped := link(t, filepath.Dir(whole), "stripped", env, "-ldflags=-s -w")
			t.Run("symbols", func(t *testing.T) { checkFunctions(t, whole) })
			t.Run("debug data", func(t *testing.T) { checkDebug(t, whole) })
			t.Run("stripped", func(t *testing.T) { checkStripped(t, whole, stripped) })
			for _, path := range []string{whole, stripped} {
				t.Run("build id of "+filepath.Base(path), func(t *testing.T) { checkBuildID(t, path) })
				t.Run("damaged "+filepath.Base(path), func(t *testing.T) { checkDamaged(t, path) })
			}
		})
	}
}

// dotted is a name as the assembler's middle dot is shown by some tools.
var dotted = strings.NewReplacer("·", ".")

// checkFunctions: names, addresses and sizes are those that the go command's tool
// finds in the symbol table.
func checkFunctions(t *testing.T, whole string) {
	_, fs := open(t, whole)
	entries := map[uint64]Function{}
	last := uint64(0)
	for f := range fs.All() {
		if f.Entry < last || f.End <= f.Entry {
			t.Errorf("%s: from %#x to %#x, behind %#x", f.Name, f.Entry, f.End, last)
		}
		entries[f.Entry], last = f, f.End
	}
	seen := 0
	for line := range strings.Lines(output(t, "go", "tool", "nm", "-size", whole)) {
		var addr, size uint64
		var kind, name string
		if n, _ := fmt.Sscanf(line, "%x %d %s %s", &addr, &size, &kind, &name); n < 4 || kind != "T" && kind != "t" || size == 0 {
			continue
		}
		_, name, _ = strings.Cut(line, kind+" ") // it may have spaces
		name = strings.TrimSuffix(strings.TrimSpace(name), ".abi0")
		if strings.Contains(whole, "darwin") {
			name = strings.TrimPrefix(name, "_")
		}
		f, ok := entries[addr]
		if isLinkerMark(name) || strings.HasPrefix(name, "runtime.") && !ok {
			continue
		}
		seen++
		exact := !strings.Contains(whole, "darwin") && size == f.End-f.Entry || f.End-f.Entry <= size && size-(f.End-f.Entry) < 64
		if !ok || dotted.Replace(f.Name) != dotted.Replace(name) || !exact || f.C {
			t.Errorf("%#x: %+v, want %s of %d bytes", addr, f, name, size)
		}
	}
	if seen < 1000 || seen < fs.Len()-10 {
		t.Errorf("%d functions, %d of them checked", fs.Len(), seen)
	}
}

// checkStripped: without a symbol table the functions are the same.
func checkStripped(t *testing.T, whole, stripped string) {
	fw, all := open(t, whole)
	fs, got := open(t, stripped)
	if all.Len() != got.Len() {
		t.Fatalf("%d functions, want %d", got.Len(), all.Len())
	}
	inlined := 0
	for i, f := range all.list {
		g := got.list[i]
		if f.Name != g.Name || f.End-f.Entry != g.End-g.Entry || f.File != g.File || f.Line != g.Line || f.Assembly != g.Assembly || f.Wrapper != g.Wrapper {
			t.Fatalf("%+v, want %+v", g, f)
		}
		a, b := source(t, fw, f), source(t, fs, g)
		shift := f.Entry - g.Entry
		for i := range b.Lines {
			b.Lines[i].Addr += shift
		}
		for _, in := range b.Inlines {
			for i := range in.Ranges {
				in.Ranges[i][0] += shift
				in.Ranges[i][1] += shift
			}
		}
		inlined += len(a.Inlines)
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Fatalf("%s: %v, want %v", f.Name, b, a)
		}
	}
	if inlined < 1000 {
		t.Errorf("%d inlined functions", inlined)
	}
}

// TestKinds: what functions are, and where they are declared.
func TestKinds(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("the program has assembly for amd64 and arm64 only")
	}
	path := compile(t, nested, nil)
	f, fs := open(t, path)
	for name, want := range map[string]struct {
		file     string
		line     int
		assembly bool
	}{
		"main.physical":                  {"main.go", line(nested["main.go"], "func physical"), false},
		"main.generic[go.shape.int]":     {"main.go", line(nested["main.go"], "func generic"), false},
		"main.generic[go.shape.float64]": {"main.go", line(nested["main.go"], "func generic"), false},
		"main.entries":                   {"entries.go", 5, false},
		"main.answer":                    {"answer_" + runtime.GOARCH + ".s", 3, true},
		"runtime.memmove":                {"memmove_" + runtime.GOARCH + ".s", 0, true},
	} {
		fn := one(t, fs, name)
		if filepath.Base(fn.File) != want.file || fn.Line != want.line && want.line != 0 || fn.Assembly != want.assembly || fn.Wrapper || fn.C {
			t.Errorf("%+v, want %s:%d, assembly %v", fn, want.file, want.line, want.assembly)
		}
		for addr := range map[uint64]bool{fn.Entry: true, fn.End - 1: true} {
			if got, ok := fs.Find(addr); !ok || got != fn {
				t.Errorf("%#x: %+v %v, want %s", addr, got, ok, name)
			}
		}
		code, err := f.Text(fn)
		if err != nil || uint64(len(code)) != fn.End-fn.Entry {
			t.Errorf("%s: %d bytes of code, %v; want %d", name, len(code), err, fn.End-fn.Entry)
		}
	}
	if wrapper := fs.Named("main.(*named).area"); len(wrapper) != 1 || !wrapper[0].Wrapper {
		t.Errorf("%+v, want a method that the compiler made up", wrapper)
	}
	if fn, ok := fs.Find(0); ok {
		t.Errorf("%s is at 0", fn.Name)
	}
	if _, err := f.Text(Function{Name: "x", Entry: 1, End: 5}); err == nil || !strings.HasPrefix(err.Error(), path+": code of x: ") {
		t.Errorf("%v, want an error that names file and function", err)
	}
}

// line is the number of the line that begins with a text.
func line(text, begins string) int {
	return strings.Count(text[:strings.Index(text, "\n"+begins)+1], "\n") + 1
}

// TestText: the code of a function is the one that go tool objdump shows.
func TestText(t *testing.T) {
	path := compile(t, map[string]string{"main.go": program}, nil)
	f, fs := open(t, path)
	fn := one(t, fs, "main.main")
	code, err := f.Text(fn)
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for line := range strings.Lines(output(t, "go", "tool", "objdump", "-s", "^main.main$", path)) {
		if w := strings.Fields(line); len(w) > 3 && strings.HasPrefix(w[1], "0x") {
			if addr, err := strconv.ParseUint(w[1], 0, 64); err == nil && addr < fn.End {
				want.WriteString(w[2])
			}
		}
	}
	if got := fmt.Sprintf("%x", code); got != want.String() && f.Arch() == "amd64" { // elsewhere words are shown
		t.Errorf("%s, want %s", got, want.String())
	}
}

// TestNoModuledata: a linker that leaves addresses to the dynamic linker does not
// hide where the code and the inlining are.
func TestNoModuledata(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("needs position-independent files of linux/amd64")
	}
	path := compile(t, map[string]string{"main.go": program}, nil, "-buildmode=pie", "-ldflags=-s -w")
	f, before := open(t, path)
	s, ok := f.section(".go.module")
	if !ok {
		t.Fatal("no section .go.module")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content, err := s.all()
	if err != nil {
		t.Fatal(err)
	}
	i := strings.Index(string(data), string(content))
	e := f.format.(elfFile)
	for _, r := range e.sections() {
		if r.name != ".rela" && r.name != ".rela.dyn" {
			continue
		}
		table, _ := r.all()
		for ; len(table) >= 24; table = table[24:] {
			if at := binary.LittleEndian.Uint64(table); s.contains(at) {
				clear(data[i+int(at-s.addr):][:8])
			}
		}
	}
	zeroed := filepath.Join(t.TempDir(), "prog")
	if err := os.WriteFile(zeroed, data, 0o777); err != nil {
		t.Fatal(err)
	}
	g, after := open(t, zeroed)
	if cleared, _ := g.section(".go.module"); cleared.addr != s.addr {
		t.Fatal("the section moved")
	}
	if got, err := g.read(s.addr, 8); err != nil || binary.LittleEndian.Uint64(got) != 0 {
		t.Fatalf("the address of the table is still there: % x, %v", got, err)
	}
	if !slices.Equal(before.list, after.list) {
		t.Error("other functions")
	}
	fn := one(t, after, "runtime.mallocgc")
	if s := source(t, g, fn); len(s.Inlines) == 0 || fmt.Sprint(s) != fmt.Sprint(source(t, f, fn)) {
		t.Errorf("%v", s)
	}
}

// TestNoFunctions: a file that does not tell its functions is an error that says so.
func TestNoFunctions(t *testing.T) {
	needs(t, "gcc")
	needs(t, "strip")
	path := compileC(t, "int main() { return 0; }", "-static-pie", "-nostdlib", "-Wl,-emain")
	output(t, "strip", path)
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if fs, err := f.Functions(); !errors.Is(err, ErrNoFunctions) || !strings.HasPrefix(err.Error(), path+": ") {
		t.Errorf("%v %v, want an ErrNoFunctions that names the file", fs, err)
	}
}
