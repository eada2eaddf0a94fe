package objfile

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"encoding/binary"
	"errors"
	"go/types"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

const program = `package main

type point struct {
	x, y int32
	name string
}

type pair[K comparable, V any] struct {
	k K
	v V
}

type named int

func main() {
	p, q, n := &point{name: "p"}, &pair[string, point]{k: "q"}, named(1)
	println(p.name, q.k, n)
	sink = []any{p, q, n}
}

var sink []any
`

// build builds the program and opens it.
func build(t *testing.T, flags ...string) *File {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/prog\n\ngo 1.26\n", "main.go": program} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", append(append([]string{"build", "-o", "prog"}, flags...), ".")...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	f, err := Open(filepath.Join(dir, "prog"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestStructs(t *testing.T) {
	f := build(t)
	if f.Arch() != runtime.GOARCH {
		t.Errorf("the program is for %s, want %s", f.Arch(), runtime.GOARCH)
	}
	structs, err := f.Structs()
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Collect(structs.All())
	if !slices.IsSortedFunc(all, func(a, b StructRef) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the types are not in the order of their names")
	}
	for _, want := range []struct {
		name   string
		fields string
	}{{"main.point", "x y name"}, {"main.pair[string,main.point]", "k v"}} {
		i := slices.IndexFunc(all, func(r StructRef) bool { return r.Name == want.name })
		if i < 0 {
			t.Errorf("no type %s", want.name)
			continue
		}
		st, err := structs.Type(all[i])
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for f := range st.Underlying().(*types.Struct).Fields() {
			names = append(names, f.Name())
		}
		size := types.SizesFor("gc", f.Arch()).Sizeof(st)
		if strings.Join(names, " ") != want.fields || size != all[i].Size {
			t.Errorf("%s: fields %q, size %d; want %s, %d", want.name, names, size, want.fields, all[i].Size)
		}
	}
	for _, ref := range all { // those of the runtime among them
		if st, err := structs.Type(ref); err != nil || types.SizesFor("gc", f.Arch()).Sizeof(st) != ref.Size {
			t.Errorf("%s: %v, %v; want a size of %d", ref.Name, st, err, ref.Size)
		}
	}
	if slices.ContainsFunc(all, func(r StructRef) bool { return r.Name == "main.named" }) {
		t.Error("a number is among the structs")
	}
}

func TestStripped(t *testing.T) {
	f := build(t, "-ldflags=-w")
	_, err := f.Structs()
	if !errors.Is(err, ErrNoDebugData) || !strings.HasPrefix(err.Error(), f.Path()+": ") {
		t.Errorf("%v, want an ErrNoDebugData that names the file", err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"empty":     {"", ErrNotExecutable},
		"script":    {"#!/bin/sh\necho\n", ErrNotExecutable},
		"cut.elf":   {"\x7fELF\x02\x01\x01", nil},
		"cut.exe":   {"MZ" + strings.Repeat("\x00", 10), nil},
		"cut.macho": {"\xcf\xfa\xed\xfe\x07", nil},
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Open(path)
		switch {
		case err == nil:
			t.Errorf("%s: was opened", name)
		case c.want != nil && !errors.Is(err, c.want):
			t.Errorf("%s: %v, want %v", name, err, c.want)
		case c.want == nil && !strings.Contains(err.Error(), path+": damaged: "):
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(dir); !errors.Is(err, ErrNotExecutable) {
		t.Errorf("a directory: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "nosuch")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// FuzzOpen: no file makes it panic.
func FuzzOpen(f *testing.F) {
	f.Add([]byte("\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\x3e\x00\x01\x00\x00\x00"))
	f.Add([]byte("MZ\x90\x00"))
	f.Add([]byte("\xcf\xfa\xed\xfe\x07\x00\x00\x01"))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		o, err := Open(path)
		if err != nil {
			return
		}
		defer o.Close()
		_ = o.Arch()
		_, _ = o.Structs()
		readAll(path)
	})
}

func TestArch(t *testing.T) {
	elfOf := func(m elf.Machine, c elf.Class, o binary.ByteOrder) format {
		return elfFile{&elf.File{FileHeader: elf.FileHeader{Machine: m, Class: c, ByteOrder: o}}}
	}
	for _, c := range []struct {
		f    format
		want string
	}{
		{elfOf(elf.EM_X86_64, elf.ELFCLASS64, binary.LittleEndian), "amd64"},
		{elfOf(elf.EM_386, elf.ELFCLASS32, binary.LittleEndian), "386"},
		{elfOf(elf.EM_AARCH64, elf.ELFCLASS64, binary.LittleEndian), "arm64"},
		{elfOf(elf.EM_ARM, elf.ELFCLASS32, binary.LittleEndian), "arm"},
		{elfOf(elf.EM_RISCV, elf.ELFCLASS64, binary.LittleEndian), "riscv64"},
		{elfOf(elf.EM_S390, elf.ELFCLASS64, binary.BigEndian), "s390x"},
		{elfOf(elf.EM_LOONGARCH, elf.ELFCLASS64, binary.LittleEndian), "loong64"},
		{elfOf(elf.EM_PPC64, elf.ELFCLASS64, binary.LittleEndian), "ppc64le"},
		{elfOf(elf.EM_PPC64, elf.ELFCLASS64, binary.BigEndian), "ppc64"},
		{elfOf(elf.EM_MIPS, elf.ELFCLASS32, binary.LittleEndian), "mipsle"},
		{elfOf(elf.EM_MIPS, elf.ELFCLASS64, binary.BigEndian), "mips64"},
		{elfOf(elf.EM_SPARC, elf.ELFCLASS32, binary.BigEndian), ""},
		{machoFile{&macho.File{FileHeader: macho.FileHeader{Cpu: macho.CpuAmd64}}}, "amd64"},
		{machoFile{&macho.File{FileHeader: macho.FileHeader{Cpu: macho.CpuArm64}}}, "arm64"},
		{machoFile{&macho.File{FileHeader: macho.FileHeader{Cpu: macho.CpuPpc}}}, ""},
		{peFile{&pe.File{FileHeader: pe.FileHeader{Machine: pe.IMAGE_FILE_MACHINE_AMD64}}}, "amd64"},
		{peFile{&pe.File{FileHeader: pe.FileHeader{Machine: pe.IMAGE_FILE_MACHINE_I386}}}, "386"},
		{peFile{&pe.File{FileHeader: pe.FileHeader{Machine: pe.IMAGE_FILE_MACHINE_ARM64}}}, "arm64"},
		{peFile{&pe.File{FileHeader: pe.FileHeader{Machine: pe.IMAGE_FILE_MACHINE_ARMNT}}}, "arm"},
	} {
		if got := c.f.arch(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.f, got, c.want)
		}
	}
}
