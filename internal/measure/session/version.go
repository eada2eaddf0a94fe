package session

import (
	"cmp"
	"runtime/debug"
)

// module is the path of tare's module.
const module = "github.com/tarebench/tare"

// Version returns the version of tare that this program was built from; see [VersionOf].
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return VersionOf(info)
}

// VersionOf returns the version of tare's module that a program was built from, as the go command stamped it. A build from a
// checkout without such a stamp has its revision, as in devel-0123456789ab-dirty. It is devel if that is not known either, and
// unknown for a program without the module.
func VersionOf(info *debug.BuildInfo) string {
	at := &info.Main
	for _, m := range info.Deps {
		if at.Path != module {
			at = m
		}
	}
	if at.Path != module {
		return "unknown"
	}
	if v := cmp.Or(at.Version, "(devel)"); v != "(devel)" {
		return v
	}
	return "devel" + revision(info)
}

// revision returns -REVISION, and -dirty behind it if files were changed; "" if the go command stamped none.
func revision(info *debug.BuildInfo) (r string) {
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			r = "-" + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true" && r != "":
			r += "-dirty"
		}
	}
	return r
}

// SourceOf returns what a program was built from: the same for two programs of one checkout or of one version of tare's module,
// although their own modules differ. It is "" if that is not known.
func SourceOf(info *debug.BuildInfo) string {
	if r := revision(info); r != "" {
		return "devel" + r
	}
	if v := VersionOf(info); v != "devel" && v != "unknown" {
		return v
	}
	return ""
}
