package usage

import "testing"

// TestNilArguments panic with the name of the argument.
func TestNilArguments(t *testing.T) {
	for want, f := range map[string]func(){
		"usage: Measure: task is nil": func() { Measure(nil) },
		"usage: NewPrinter: w is nil": func() { NewPrinter(nil) },
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
