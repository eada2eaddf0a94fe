package buildset

import (
	"slices"
	"testing"

	"github.com/tarebench/tare/record"
)

type build = map[string]string

func TestDifferences(t *testing.T) {
	side := func(flags ...string) record.Side { return record.Side{Name: "new", Flags: flags} }
	env := func(kv ...string) record.Side { return record.Side{Name: "new", Setenv: kv} }
	for _, c := range []struct {
		what     string
		old, new build
		side     record.Side
		unasked  string // differences that the user did not choose
		all      string
	}{
		{"an old record", nil, build{"-race": "true"}, side(), "", ""},
		{"the same", build{"-race": "true", "GOAMD64": "v1"}, build{"-race": "true"}, side(), "", ""},
		{"race", build{"GOAMD64": "v1"}, build{"-race": "true"}, side(), "with -race", "with -race"},
		{"no race", build{"-race": "true"}, build{"GOAMD64": "v1"}, side(), "without -race", "without -race"},
		{"race by flag", build{"GOAMD64": "v1"}, build{"-race": "true"}, side("-race"), "", "with -race"},
		{"race by GOFLAGS", build{"GOAMD64": "v1"}, build{"-race": "true", "GOFLAGS": "-race"}, env("GOFLAGS='-race' -v"), "", "with -race"},
		{"coverage by its mode", build{"GOAMD64": "v1"}, build{"-cover": "true", "-covermode": "atomic"}, side("--covermode=atomic"), "", "with -cover, -covermode atomic against none"},
		{"another flag", build{"GOAMD64": "v1"}, build{"-race": "true"}, side("-gcflags=-l"), "with -race", "with -race"},
		{"level", build{"GOAMD64": "v1"}, build{"GOAMD64": "v3"}, side(), "GOAMD64 v3 against v1", "GOAMD64 v3 against v1"},
		{"level by variable", build{"GOAMD64": "v1"}, build{"GOAMD64": "v3"}, env("GOAMD64=v3"), "", "GOAMD64 v3 against v1"},
		{"another processor", build{"GOARCH": "amd64", "GOAMD64": "v3", "CGO_ENABLED": "1"}, build{"GOARCH": "386", "GO386": "softfloat", "CGO_ENABLED": "0"}, env("GOARCH=386"),
			"", "CGO_ENABLED 0 against 1, GO386 softfloat against sse2, GOAMD64 v1 against v3, GOARCH 386 against amd64"},
		{"compiler", build{"-gcflags": "-m=2"}, build{"-gcflags": "all=-N -l"}, side(), `-gcflags "all=-N -l" against none`, `-gcflags "all=-N -l" against none`},
		{"cgo", build{"CGO_ENABLED": "1"}, build{"CGO_ENABLED": "0"}, side(), "CGO_ENABLED 0 against 1", "CGO_ENABLED 0 against 1"},
		{"tags in another order", build{"-tags": "b,a"}, build{"-tags": "a,b,a"}, side(), "", ""},
		{"tags", build{"-tags": "b,a"}, build{"-tags": "b"}, side(), "-tags b against a,b", "-tags b against a,b"},
		{"cosmetic", build{"-trimpath": "true", "vcs.revision": "1", "-buildmode": "pie", "GOFLAGS": "-v", "DefaultGODEBUG": "x=1", "-ldflags": `-s -w -X main.v=1 "-X=main.date=1 May" -randlayout=7`},
			build{"GOOS": ""}, side(), "", ""},
		{"linking", build{"-ldflags": "-X a=b -linkmode=external"}, build{"-ldflags": "-s"}, side(), "-ldflags none against -linkmode=external", "-ldflags none against -linkmode=external"},
		{"profile", build{"-pgo": "sha256:1"}, build{"-pgo": "sha256:2"}, side(), "-pgo sha256:2 against sha256:1", "-pgo sha256:2 against sha256:1"},
		{"profile against that of the package", build{"-pgo": "sha256:1"}, build{"-pgo": "default.pgo sha256:2"}, side(), "-pgo default.pgo sha256:2 against sha256:1", "-pgo default.pgo sha256:2 against sha256:1"},
		{"profile among the sources", build{"GOOS": "linux"}, build{"GOOS": "linux", "-pgo": "default.pgo sha256:2"}, side(), "", "-pgo default.pgo sha256:2 against none"},
		{"something new", build{"GOOS": "linux"}, build{"GOOS": "linux", "-warp": "9"}, side(), "-warp 9 against none", "-warp 9 against none"},
	} {
		ds := Differences(c.old, c.new, Chosen(record.Side{Name: "old"}, c.side))
		if got := Text(Unasked(ds)); got != c.unasked {
			t.Errorf("%s: unasked %q, want %q", c.what, got, c.unasked)
		}
		if got := Text(ds); got != c.all {
			t.Errorf("%s: %q, want %q", c.what, got, c.all)
		}
	}
}

func TestList(t *testing.T) {
	for _, c := range []struct {
		what         string
		builds       []build
		list, slowed []string
	}{
		{"nothing known", []build{nil}, nil, nil},
		{"as by default", []build{{"GOAMD64": "v1", "GOOS": "linux", "GOARCH": "amd64", "-trimpath": "true", "CGO_ENABLED": "1", "GOFLAGS": "-mod=mod"}}, nil, nil},
		{"release", []build{{"GOAMD64": "v3", "-ldflags": "-s -w", "-tags": "purego", "CGO_ENABLED": "0"}}, []string{"-tags=purego", "CGO_ENABLED=0", "GOAMD64=v3"}, nil},
		{"race", []build{{"-race": "true", "-cover": "true"}, {"-race": "true"}}, []string{"-cover", "-race"}, []string{"-race", "-cover"}},
		{"debugger", []build{{"-gcflags": "all=-N -l; -l"}}, []string{`-gcflags="all=-N -l; -l"`}, []string{`-gcflags="-N -l"`}},
		{"no inlining", []build{{"-gcflags": "-l"}}, []string{"-gcflags=-l"}, []string{"-gcflags=-l"}},
		{"no bounds checks", []build{{"-gcflags": "-B -lang=go1.20"}}, []string{`-gcflags="-B -lang=go1.20"`}, nil},
	} {
		if got := List(c.builds...); !slices.Equal(got, c.list) {
			t.Errorf("%s: %q, want %q", c.what, got, c.list)
		}
		if got := Slowed(c.builds...); !slices.Equal(got, c.slowed) {
			t.Errorf("%s: not of a release: %q, want %q", c.what, got, c.slowed)
		}
	}
}
