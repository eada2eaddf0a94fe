package build

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/tarebench/tare/internal/golang/toolchain"
)

// settings returns the build settings of a binary, by the names that go version -m prints. The go command does not store
// -ldflags and C flags in the binary, nor -pgo in a test binary. These settings come from the command line's flags and from
// env, the output of go env. The value of -pgo is a hash of the profile's content. Values may contain secrets.
func settings(opt Options, p Package, at place, env map[string]string, info *debug.BuildInfo) map[string]string {
	out := map[string]string{}
	for _, s := range info.Settings {
		if !isUsual(s.Key, s.Value) && s.Value != "" {
			out[s.Key] = s.Value
		}
	}
	flags := toolchain.ParseFlags(env["GOFLAGS"], opt.flags(at.flags)...)
	for _, name := range []string{"race", "msan", "asan", "cover"} {
		if flags.Switched(func(n string) bool { return n == name }) != "" {
			out["-"+name] = "true"
		}
	}
	for _, name := range []string{"covermode", "coverpkg"} {
		if v, _ := flags.Last(name); v != "" {
			out["-"+name] = v
		}
	}
	for _, name := range []string{"gcflags", "asmflags", "ldflags", "gccgoflags"} { // each may be for other packages
		if all := strings.TrimSpace(strings.Join(flags.All(name), "; ")); all != "" {
			out["-"+name] = all
		}
	}
	for _, name := range []string{"CGO_CPPFLAGS", "CGO_CFLAGS", "CGO_CXXFLAGS", "CGO_FFLAGS", "CGO_LDFLAGS"} {
		if v := env[name]; v != "" && v != "-O2 -g" && out["CGO_ENABLED"] == "1" {
			out[name] = v
		}
	}
	if v := strings.TrimSpace(env["GOFLAGS"]); v != "" {
		out["GOFLAGS"] = v
	}
	delete(out, "-pgo")
	if v := profile(p, at, flags); v != "" {
		out["-pgo"] = v
	}
	return out
}

// isUsual reports whether a setting says nothing: it is that of every binary, or about the sources.
func isUsual(name, value string) bool {
	switch name {
	case "-buildmode":
		return value == "exe"
	case "-compiler":
		return value == "gc"
	}
	return strings.HasPrefix(name, "vcs")
}

// ownProfile is the name of a profile that go uses without being asked.
const ownProfile = "default.pgo"

// profile returns a hash of the profile that a test binary was optimized by, "" if there is none. A name before it says
// that the profile is one of the package's files.
func profile(p Package, at place, flags toolchain.Flags) string {
	file, prefix := "", ""
	switch v, ok := flags.Last("pgo"); {
	case v == "off":
		return ""
	case v == "" && !ok || v == "auto":
		if p.Name != "main" {
			return ""
		}
		file, prefix = filepath.Join(p.Dir, ownProfile), ownProfile+" "
	case filepath.IsAbs(v):
		file = v
	default:
		file = filepath.Join(at.dir, v)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return prefix + "sha256:" + hex.EncodeToString(sum[:8])
}
