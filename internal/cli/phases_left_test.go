package cli_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestNoWindow: phases that are left out are counted in a warning.
func TestNoWindow(t *testing.T) {
	const text = `{"k":"run","v":1,"kind":"load","sides":[{"name":"old"},{"name":"new"}]}
{"k":"load","phase":"run","final":true,"window":{"side":"old","pair":1}}
{"k":"load","phase":"run","final":true}
`
	code, out, messages := run(text, "report", "-")
	if code != 0 || !strings.Contains(out, "1 phase of the run left out") {
		t.Errorf("exit %d: %s%s", code, out, messages)
	}
}

// TestHostileSlowest: what a list of the slowest operations says of an operation is obeyed by no terminal and no
// spreadsheet.
func TestHostileSlowest(t *testing.T) {
	name, err := json.Marshal(formula + hostile)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(`{"k":"run","v":1,"kind":"load"}
{"k":"load","phase":"run","final":true,"slowest":[{"op":X,"n":1,"due":0,"start":1,"end":2,"key":X,"part":X,"class":X,"status":X}]}
`, "X", string(name))
	for _, format := range []string{"text", "csv", "json"} {
		code, out, messages := run(text, "hist", "slowest", "--format", format, "-")
		if bad := obeyed(out, format) + obeyed(messages, "messages"); code != 0 || bad != "" || !strings.Contains(out, "evil") {
			t.Errorf("%s: exit %d, %q in %q%s", format, code, bad, out, messages)
		}
	}
}
