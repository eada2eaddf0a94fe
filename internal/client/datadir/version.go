package datadir

import "runtime/debug"

// Version returns the version of a module in this program with a leading blank, "
// v1.5.0", to be appended to a name. It returns "" if the program does not know it,
// as in tests.
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
