package hist

import "testing"

// TestNilArguments panic with the name of the argument.
func TestNilArguments(t *testing.T) {
	for want, f := range map[string]func(){
		"hist: NewLogReader: r is nil": func() { NewLogReader(nil, "a") },
		"hist: NewLogWriter: w is nil": func() { NewLogWriter(nil, LogConfig{}) },
	} {
		func() {
			defer func() {
				if got := recover(); got != want {
					t.Errorf("panics with %v, want %q", got, want)
				}
			}()
			f()
		}()
	}
}
