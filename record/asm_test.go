package record_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestAsmValidate: what cannot be is refused, by name.
func TestAsmValidate(t *testing.T) {
	const good = `{"binary":"x","arch":"amd64","source":"pprof","window":"whole","events":[{"name":"cpu","samples":7}],"funcs":[
		{"name":"f","area":"user","entry":4096,"samples":[4],"code":"kJCQkA==","counts":[{"a":4096,"n":[1]},{"a":4099,"n":[3]}]},
		{"name":"kernel","area":"kernel","samples":[3],"counts":[{"a":18446744073709551615,"n":[3]}]}]}`
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{`"events":[{"name":"cpu","samples":7}]`, `"events":[]`, "0 kinds of events"},
		{`"samples":7`, `"samples":8`, `event "cpu": 8 samples, and its functions have 7`},
		{`"samples":[4]`, `"samples":[5]`, `function "f": 5 samples, and its addresses have 4`},
		{`"samples":[4]`, `"samples":[4,0]`, `function "f": counts of 2 kinds`},
		{`"n":[1]`, `"n":[]`, "0x1000: counts of 0 kinds"},
		{`"n":[1]`, `"n":[-1]`, "0x1000: -1 samples"},
		{`"a":4099`, `"a":4100`, "0x1004 lies outside of its code, which is 4 bytes from 0x1000 on"},
		{`"a":4099`, `"a":4096`, "0x1000 after 0x1000"},
		{`"entry":4096`, `"entry":4097`, "0x1000 lies outside"},
		{`"entry":4096,"samples":[4],"code":"kJCQkA==","counts":[{"a":4096,"n":[1]},{"a":4099,"n":[3]}]`,
			`"entry":18446744073709551614,"samples":[4],"code":"kJCQkA==","counts":[{"a":18446744073709551615,"n":[4]}]`, "4 bytes of code from"},
	} {
		text := good
		if c.old != "" {
			if text = strings.Replace(good, c.old, c.new, 1); text == good {
				t.Fatalf("%q is not there to be replaced", c.old)
			}
		}
		var a record.Asm
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatalf("%q: %v", c.new, err)
		}
		err := a.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.new, err, c.want)
		}
	}
}
