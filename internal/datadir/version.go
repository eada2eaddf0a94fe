package datadir

import "runtime/debug"

// Version returns " v1.5.0", the version of a module in this program, to be
// appended to a name; "" where the program does not know, as in tests.
func Version(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return version(info, module)
}

func version(info *debug.BuildInfo, module string) string {
	for _, dep := range info.Deps {
		if dep.Path != module {
			continue
		}
		if dep.Replace != nil {
			dep = dep.Replace
		}
		if dep.Version == "" {
			return " (replaced)"
		}
		return " " + dep.Version
	}
	return ""
}
