package cli_test

import (
	"strings"
	"testing"
)

// TestMachinesNamed: a command that cannot combine machines shows each run, and says which one can.
func TestMachinesNamed(t *testing.T) {
	named := func(record, name, machine string) string {
		return strings.Replace(goldenRecord(t, record), `{"k":"run",`, `{"k":"run","group":"`+name+`","machine":"`+machine+`",`, 1)
	}
	a, b := named("bench", "g", "a"), named("bench-two", "g", "b")
	code, text, messages := run(a+b, "report", "-")
	if code != 0 || !strings.Contains(text, "run 2 of 2") || strings.Count(messages, "cmd/tare-full combines") != 1 {
		t.Errorf("exit %d, %s\n%s", code, messages, text)
	}
	for what, other := range map[string]string{"another group": named("bench-two", "h", "b"), "a copy": a, "no group": goldenRecord(t, "bench-two")} {
		if code, _, messages := run(a+other, "report", "-"); code != 0 || strings.Contains(messages, "tare-full") {
			t.Errorf("%s: exit %d, %s", what, code, messages)
		}
	}
}
