package termtext

import (
	"os"
	"strings"
)

// UTF8Locale reports whether the locale's encoding is UTF-8, by the rules of
// POSIX: the first of these that is set and not empty counts. With none set,
// as in most containers and CI jobs, UTF-8 is what reads the output.
func UTF8Locale() bool {
	for _, k := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(os.Getenv(k)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return true
}
