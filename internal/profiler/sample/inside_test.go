package sample

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnfit: a runtime that lacks what is needed is refused by what it lacks.
func TestUnfit(t *testing.T) {
	root := t.TempDir()
	for _, c := range []struct {
		t    Toolchain
		want string
	}{
		{Toolchain{Root: root, Version: "go1.9", OS: "windows", Arch: "amd64"}, "on windows/amd64"},
		{Toolchain{Root: root, Version: "go1.9", OS: "linux", Arch: "386"}, "on linux/386"},
		{Toolchain{Root: root, Version: "go1.9", OS: "linux", Arch: "amd64"}, "go1.9: no files in"},
	} {
		if _, err := NewInside(c.t); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	dir := filepath.Join(root, "src", "runtime")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	imports, text := "package runtime\n", ""
	for _, a := range anchors[1:] {
		kind, rest, _ := strings.Cut(a, " ")
		switch kind {
		case "import":
			imports += "import _ \"" + rest + "\"\n"
		case "name":
			text += "var " + rest + " int\n"
		case "type":
			text += a + " int\n" // parsed, and not compiled
		default:
			text += a + " { panic(0) }\n"
		}
	}
	for _, f := range fields[1:] {
		typ, name, _ := strings.Cut(f, ".")
		text += "type " + typ + " struct { " + name + " int }\n"
	}
	text += strings.Replace(anchors[0], "uintptr", "int", 1) + " { panic(0) }\n"
	if err := os.WriteFile(filepath.Join(dir, "proc.go"), []byte(imports+text), 0o666); err != nil {
		t.Fatal(err)
	}
	_, err := NewInside(Toolchain{Root: root, Version: "go9.9", OS: "linux", Arch: "amd64"})
	if err == nil || !strings.HasSuffix(err.Error(), "go9.9: its runtime has no "+anchors[0]+", no "+fields[0]) {
		t.Errorf("%v", err)
	}
}

// TestHook: the calls come first of all in what they are for, and move no line.
func TestHook(t *testing.T) {
	text := "package runtime\n\nfunc other() {}\n\n// Comment.\nfunc sighandler(sig uint32) {\n\tx()\n}\n"
	got, err := hooked("signal_unix.go", []byte(text))
	if want := strings.Replace(text, "uint32) {", "uint32) { tareSampleSignal(sig, info, ctxt, gp)", 1); err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	for _, bad := range []string{"package runtime\n", "package runtime\nfunc sighandler()\n", "<html>"} {
		if _, err := hooked("signal_unix.go", []byte(bad)); err == nil {
			t.Errorf("no error for %q", bad)
		}
	}
}

// TestWrite: the files that are hooked take the place of the toolchain's.
func TestWrite(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	root := strings.TrimSpace(string(out))
	in, err := NewInside(Toolchain{Root: root, OS: "linux", Arch: "amd64"})
	if err != nil {
		t.Skip(err)
	}
	files, err := in.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hooks {
		text, err := os.ReadFile(files[filepath.Join(root, "src", "runtime", h.file)])
		if err != nil || strings.Count(string(text), h.call) != 1 {
			t.Errorf("%s: %v", h.fn, err)
		}
	}
}

// TestForeignSystems: the runtime compiles with the half in the process wherever programs can have it.
func TestForeignSystems(t *testing.T) {
	if os.Getenv("TARE_FOREIGN") != "1" {
		t.Skip("TARE_FOREIGN is not 1: it takes building the runtime for other systems")
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	in, err := NewInside(Toolchain{Root: strings.TrimSpace(string(out)), OS: "linux", Arch: "amd64"})
	if err != nil {
		t.Skip(err)
	}
	overlay, err := in.Overlay(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, system := range []string{"linux", "darwin"} {
		for _, arch := range []string{"amd64", "arm64"} {
			cmd := exec.Command("go", "build", "-overlay="+overlay, "runtime")
			cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s/%s: %v\n%s", system, arch, err, out)
			}
		}
	}
}
