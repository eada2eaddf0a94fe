package build

import (
	"maps"
	"path/filepath"
	"runtime/debug"
	"testing"
)

// TestSettings: what the go command leaves out of a binary comes from its flags and its settings.
func TestSettings(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "default.pgo"), "one")
	put(t, filepath.Join(dir, "x.prof"), "two")
	const one, two = "sha256:7692c3ad3540bb80", "sha256:3fc4ccfe745870e2"
	at := place{dir: dir, flags: []string{"-mod=mod"}}
	for _, c := range []struct {
		what  string
		name  string // of the package
		info  []debug.BuildSetting
		env   map[string]string
		flags []string
		tags  string
		want  map[string]string
	}{
		{what: "of the binary", info: []debug.BuildSetting{{Key: "-buildmode", Value: "exe"}, {Key: "-compiler", Value: "gc"}, {Key: "-race", Value: "true"}, {Key: "-tags", Value: "a,b"}, {Key: "vcs.revision", Value: "1"}, {Key: "GOAMD64", Value: "v3"}},
			want: map[string]string{"-race": "true", "-tags": "a,b", "GOAMD64": "v3"}},
		{what: "of flags", flags: []string{"-ldflags=-s", "-cover", "-covermode=atomic", "-msan=false", "-gcflags", "-l"}, env: map[string]string{"GOFLAGS": "'-ldflags=-X a.b=c d' -race\n", "CGO_CFLAGS": "-O3"},
			want: map[string]string{"-ldflags": "-X a.b=c d; -s", "-cover": "true", "-covermode": "atomic", "-race": "true", "-gcflags": "-l", "GOFLAGS": "'-ldflags=-X a.b=c d' -race"}},
		{what: "of C", info: []debug.BuildSetting{{Key: "CGO_ENABLED", Value: "1"}}, env: map[string]string{"CGO_CFLAGS": "-O3", "CGO_CXXFLAGS": "-O2 -g", "CGO_LDFLAGS": ""},
			want: map[string]string{"CGO_ENABLED": "1", "CGO_CFLAGS": "-O3"}},
		{what: "profile of the package", name: "main", want: map[string]string{"-pgo": "default.pgo " + one}},
		{what: "profile by go's choice", name: "main", flags: []string{"-pgo=auto"}, want: map[string]string{"-pgo": "default.pgo " + one}},
		{what: "no profile of another package", name: "p", want: map[string]string{}},
		{what: "no profile", name: "main", flags: []string{"-pgo=off"}, want: map[string]string{}},
		{what: "profile by content", name: "p", flags: []string{"-pgo=x.prof"}, info: []debug.BuildSetting{{Key: "-pgo", Value: "x.prof"}}, want: map[string]string{"-pgo": two}},
		{what: "profile elsewhere", name: "p", env: map[string]string{"GOFLAGS": "-pgo=" + filepath.Join(dir, "x.prof")},
			want: map[string]string{"-pgo": two, "GOFLAGS": "-pgo=" + filepath.Join(dir, "x.prof")}},
	} {
		got := settings(Options{Flags: c.flags, Tags: c.tags}, Package{Name: c.name, Dir: dir}, at, c.env, &debug.BuildInfo{Settings: c.info})
		if !maps.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// TestBuiltSettings: of a binary that go has built.
func TestBuiltSettings(t *testing.T) {
	opt := offline(t, write(t, t.TempDir(), module))
	opt.Env = append(opt.Env, "GOFLAGS=-cover")
	opt.Flags, opt.Tags = []string{"-gcflags=-N -l", "-ldflags=-X main.token=abc"}, "extra"
	got := mustBuild(t, opt, one(t, opt, ".")).Settings
	for name, want := range map[string]string{
		"-cover": "true", "-gcflags": "-N -l", "-ldflags": "-X main.token=abc", "-tags": "extra", "-trimpath": "true", "GOFLAGS": "-cover", "-race": "",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
}
