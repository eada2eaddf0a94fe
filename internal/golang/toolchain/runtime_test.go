package toolchain

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRuntimeUnsupported: a runtime that lacks what is needed is refused by what it lacks.
func TestRuntimeUnsupported(t *testing.T) {
	root := t.TempDir()
	for _, c := range []struct {
		half RuntimePart
		t    Toolchain
		want string
	}{
		{Sampler, Toolchain{Root: local(t).Root, Version: "go1.9", OS: "freebsd", Arch: "amd64"}, "not supported: freebsd/amd64"},
		{Sampler, Toolchain{Root: local(t).Root, Version: "go1.9", OS: "linux", Arch: "386"}, "not supported: linux/386"},
		{Probes, Toolchain{Root: local(t).Root, Version: "go1.9", OS: "windows", Arch: "amd64"}, "not supported: windows/amd64"},
		{Probes, Toolchain{Root: local(t).Root, Version: "go1.9", OS: "linux", Arch: "386"}, "not supported: linux/386"},
		{Allocs, Toolchain{Root: local(t).Root, Version: "go1.9", OS: "linux", Arch: "386"}, "not supported: linux/386"},
		{Allocs, Toolchain{Root: root, Version: "go1.9", OS: "linux", Arch: "amd64"}, "not supported: go1.9: no files in"},
		{Probes, Toolchain{Root: root, Version: "go1.9", OS: "linux", Arch: "amd64"}, "not supported: go1.9: no files in"},
	} {
		if _, err := Runtime(&c.t, c.half); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	put(t, filepath.Join(root, "src", "runtime", "proc.go"), declare(t, root, runtimeParts[Sampler].needs[1:]))
	_, err := Runtime(&Toolchain{Root: root, Version: "go9.9", OS: "linux", Arch: "amd64"}, Sampler)
	if err == nil || !strings.HasSuffix(err.Error(), "go9.9: its package runtime has no "+runtimeParts[Sampler].needs[0]) {
		t.Errorf("%v", err)
	}
}

// declare is a file of package runtime that meets the needs. What it imports lies below root.
func declare(t *testing.T, root string, needs []string) string {
	text, fields := "package runtime\n", map[string][]string{}
	for _, need := range needs {
		kind, rest, _ := strings.Cut(need, " ")
		switch kind {
		case "import":
			put(t, filepath.Join(root, "src", filepath.FromSlash(rest), "a.go"), "package a\n")
		case "name":
			text += "var " + rest + " int\n"
		case "type":
			text += need + " int\n" // it is parsed only
		case "func":
			text += need + " { panic(0) }\n"
		default:
			structure, field, _ := strings.Cut(need, ".")
			fields[structure] = append(fields[structure], field)
		}
	}
	for structure, names := range fields {
		text += "type " + structure + " struct { " + strings.Join(names, ", ") + " int }\n"
	}
	return text
}

// TestAddCall: a call is the first statement, and moves no line.
func TestAddCall(t *testing.T) {
	const fn = "func sighandler(sig uint32)"
	text := "package runtime\n\nfunc other() {}\n\n// Comment.\n" + fn + " {\n\tx()\n}\n"
	s, err := parseSource("a.go", text)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.addCall(fn, "first(sig)"); err != nil {
		t.Fatal(err)
	}
	if got, want := s.apply(), strings.Replace(text, "32) {", "32) { first(sig);", 1); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, bad := range []string{"package runtime\n", "package runtime\n" + fn + "\n", "package runtime\nfunc sighandler(sig uint64) {}"} {
		s, err := parseSource("a.go", bad)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.addCall(fn, "first(sig)"); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

// TestAddField: a field is the last one, of the only structure of that name.
func TestAddField(t *testing.T) {
	for src, want := range map[string]string{
		"package runtime\ntype g struct {\n\tm *m // the last\n}\n": "package runtime\ntype g struct {\n\tm *m; tare int // the last\n}\n",
		"package runtime\ntype g struct{}\n":                        "",
		"package runtime\ntype g int\n":                             "",
		"package runtime\ntype h struct{ m int }\n":                 "",
	} {
		s, err := parseSource("a.go", src)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.addField("g", "tare int"); (err != nil) != (want == "") || err == nil && s.apply() != want {
			t.Errorf("%q becomes %q (%v)", src, s.apply(), err)
		}
	}
}

// TestRuntimeShared: counting and sampling have the same patch, so that the standard library is
// compiled once for both, and each has its edits in it.
func TestRuntimeShared(t *testing.T) {
	tc := local(t)
	tc.OS, tc.Arch = "linux", "amd64"
	a, err := Runtime(tc, Probes)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Runtime(tc, Sampler)
	if err != nil || a.Sum() != b.Sum() {
		t.Errorf("%s and %s, %v", a.Sum(), b.Sum(), err)
	}
	texts := map[string]string{}
	for _, f := range a.files {
		texts[f.name] = f.text
	}
	for _, h := range runtimeParts {
		for _, e := range h.edits {
			if strings.Count(texts["runtime/"+e.file], e.field+e.call) != 1 {
				t.Errorf("%s: no %s", e.file, e.field+e.call)
			}
		}
	}
	tc.OS = "freebsd" // which has no sampler
	if c, err := Runtime(tc, Probes); err != nil || c.Sum() == a.Sum() {
		t.Errorf("%v", err)
	}
}

// TestRuntimeOwnOverlay: what the build replaces in package runtime itself is kept and edited.
func TestRuntimeOwnOverlay(t *testing.T) {
	tc := local(t)
	tc.OS, tc.Arch = "linux", "amd64"
	own := filepath.Join(t.TempDir(), "cpuprof.go")
	text, err := os.ReadFile(tc.src("runtime/cpuprof.go"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, own, string(text)+"\n// mine\n")
	tc.Overlay = Overlay{tc.src("runtime/cpuprof.go"): own, tc.src("runtime/nosuch.go"): own}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	file, err := tc.RuntimeOverlay(Sampler)
	if err != nil {
		t.Fatal(err)
	}
	replace := replacements(t, file)
	got, err := os.ReadFile(replace[tc.src("runtime/cpuprof.go")])
	if err != nil || !strings.Contains(string(got), "// mine") || !strings.Contains(string(got), "tareSampleRate") {
		t.Errorf("%v", err)
	}
	if replace[tc.src("runtime/nosuch.go")] != own {
		t.Error("the other file is not replaced")
	}
}

// TestForeignSystems: package runtime compiles with tare's halves wherever programs can have them.
func TestForeignSystems(t *testing.T) {
	if os.Getenv("TARE_FOREIGN") != "1" {
		t.Skip("TARE_FOREIGN is not 1: it takes building the runtime for other systems")
	}
	for _, platform := range []string{"linux/amd64", "linux/arm64", "linux/riscv64", "linux/s390x", "darwin/amd64", "darwin/arm64", "freebsd/amd64", "netbsd/amd64", "openbsd/amd64"} {
		tc := local(t)
		tc.OS, tc.Arch, _ = strings.Cut(platform, "/")
		p, err := Runtime(tc, Probes)
		if err != nil {
			t.Error(err)
			continue
		}
		overlay, err := p.Write(t.TempDir(), nil)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", "build", "-overlay="+overlay, "runtime")
		cmd.Env = append(os.Environ(), "GOOS="+tc.OS, "GOARCH="+tc.Arch, "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", platform, err, out)
		}
	}
}

// TestCacheEntry: go's build cache goes by the content of a patch and not by where it is, so that
// all programs share one compiled package runtime.
func TestCacheEntry(t *testing.T) {
	tc := local(t)
	p, err := Runtime(tc, Probes)
	if err != nil {
		t.Skip(err)
	}
	var entries []string
	for _, also := range []Overlay{nil, {"/nosuch/a.go": "/nosuch/b.go"}} {
		file, err := p.Write(t.TempDir(), also)
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := Command{}.Run(t.Context(), "list", "-export", "-f", "{{.Export}}", "-trimpath", "-overlay="+file, "runtime")
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, out)
	}
	if entries[0] != entries[1] || entries[0] == "\n" {
		t.Errorf("package runtime is compiled to %q", entries)
	}
}
