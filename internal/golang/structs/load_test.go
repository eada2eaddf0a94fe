package structs

import "testing"

// TestSurroundings: the machine of the environment counts unless another is asked for, a driver of packages does not,
// and an argument may be of a package that is imported indirectly.
func TestSurroundings(t *testing.T) {
	dir := module(t, map[string]string{
		"a/a.go":     "package a\n\nimport \"time\"\n\ntype At struct{ at time.Time }\n",
		"b/b.go":     "package b\n\nimport _ \"example.org/m/a\"\n\ntype Of[T any] struct{ v T; w int8 }\n",
		"c/c.go":     "package c\n\ntype S struct{ p *int; n int64 }\n",
		"c/c_386.go": "package c\n\ntype Only32 struct{ p *int; n int64 }\n",
	})
	t.Setenv("GOPACKAGESDRIVER", "/nosuch/driver")
	t.Setenv("GODEBUG", "gotypesalias=0")
	for _, c := range []struct {
		environment, arch, arg string
		size                   int64
	}{
		{"", "amd64", "./b.Of[time.Duration]", 16}, {"386", "", "./c.Only32", 12}, {"386", "amd64", "./c.S", 16}, {"amd64", "386", "./c.S", 12},
		{"", "arm64", "./c.S", 16}, {"", "mips", "./c.S", 12},
	} {
		t.Setenv("GOARCH", c.environment)
		q := ParseArgs(dir, []string{c.arg})
		q.Arch = c.arch
		found, err := Load(t.Context(), q)
		if err != nil || len(found.Structs) != 1 || found.Structs[0].Size != c.size {
			t.Errorf("%+v: %+v, %v", c, found, err)
		}
	}
	t.Setenv("GOARCH", "")
	t.Setenv("GOOS", "linux")
	_, err := Load(t.Context(), Query{Dir: dir, Packages: []string{"./c"}, Arch: "wasm"})
	checkError(t, "wasm", err, "^unsupported GOOS/GOARCH pair linux/wasm$", "")
	t.Setenv("GOOS", "js")
	if found, err := Load(t.Context(), Query{Dir: dir, Packages: []string{"./c"}, Arch: "wasm"}); err != nil || found.Structs[0].Size != 16 {
		t.Errorf("%+v, %v", found, err)
	}
}
