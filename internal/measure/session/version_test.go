package session

import (
	"runtime/debug"
	"testing"
)

// TestSourceOf: programs of two modules in one checkout, and of one version of the module, have the same source.
func TestSourceOf(t *testing.T) {
	build := func(path, version, revision, modified string, deps ...*debug.Module) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Path: path, Version: version}, Deps: deps}
		if revision != "" {
			info.Settings = []debug.BuildSetting{{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: revision}, {Key: "vcs.modified", Value: modified}}
		}
		return info
	}
	const revision, pseudo = "51e8810877bc2a720bbbf19011cb2f3149b70a01", "v0.0.0-20261128153718-51e8810877bc"
	for _, c := range []struct {
		name string
		info *debug.BuildInfo
		want string
	}{
		{"a checkout", build(module, pseudo, revision, "false"), "devel-51e8810877bc"},
		{"another module there", build(module+"/full", pseudo, revision, "false", &debug.Module{Path: module, Version: "(devel)"}), "devel-51e8810877bc"},
		{"changed files", build(module, pseudo+"+dirty", revision, "true"), "devel-51e8810877bc-dirty"},
		{"an installed version", build(module, "v1.2.3", "", ""), "v1.2.3"},
		{"another module with it", build(module+"/full", "v1.2.0", "", "", &debug.Module{Path: module, Version: "v1.2.3"}), "v1.2.3"},
		{"no stamp", build(module, "(devel)", "", ""), ""},
		{"another program", build("example.org/x", "v1.0.0", "", ""), ""},
	} {
		if got := SourceOf(c.info); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
