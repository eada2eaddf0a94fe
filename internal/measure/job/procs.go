package job

import (
	"runtime"
	"strconv"
	"strings"
)

// defaultProcs returns the GOMAXPROCS of forks for which none was asked: that of the settings
// K=V of their environment, else ours.
func defaultProcs(setenv []string) int {
	for _, kv := range setenv {
		if v, ok := strings.CutPrefix(kv, "GOMAXPROCS="); ok {
			if n, err := strconv.Atoi(v); err == nil && n > 0 {
				return n
			}
		}
	}
	return runtime.GOMAXPROCS(0)
}
