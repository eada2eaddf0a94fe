package record_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestTraceValidate: what cannot be is refused, by name.
func TestTraceValidate(t *testing.T) {
	const good = `{"mode":"exact","clock":"cycles","tick_ns":0.4,"probe":{"outside_ns":24,"inside_ns":9},"ended":true,"calls":7,"goroutines":1,
		"funcs":[{"name":"a","file":"a.go","line":1,"calls":3,"timed":3,"total_ns":90,"min_ns":10,"max_ns":50,"mean_ns":30,"squares_ns2":800,
			"hist":[{"from_ns":8,"to_ns":16,"n":1},{"from_ns":16,"to_ns":64,"n":2}]},
			{"name":"b","file":"a.go","line":2,"calls":4,"timed":4}],
		"tree":[{"f":0,"p":-1,"calls":1},{"f":1,"p":0,"calls":4},{"f":0,"p":1,"b":2,"calls":2}],
		"path":[{"f":1,"g":1,"t_ns":0,"d_ns":-1}],"path_more":6}`
	for _, c := range []struct{ old, new, want string }{
		{"", "", ""},
		{`"mode":"exact"`, `"mode":"x"`, `mode "x"`},
		{`"calls":7`, `"calls":8`, "8 calls, and its functions have 7"},
		{`"timed":3`, `"timed":-1`, `function "a": 3 calls, -1 timed`},
		{`"calls":4,"timed":4`, `"calls":4,"timed":4,"open":5`, `function "b": 4 calls, 4 timed, 5 open`},
		{`"min_ns":10`, `"min_ns":60`, "times from 60 to 50 ns"},
		{`"squares_ns2":800`, `"squares_ns2":-1`, "times from"},
		{`"from_ns":16`, `"from_ns":15`, "2 calls from 15 to 64 ns, after those to 16"},
		{`"to_ns":64`, `"to_ns":16`, "2 calls from 16 to 16"},
		{`"n":2`, `"n":0`, "0 calls from 16"},
		{`"outside_ns":24`, `"outside_ns":-24`, "a probe takes -24"},
		{`"f":1,"p":0`, `"f":2,"p":0`, "element 1 of the tree: function 2 of 2"},
		{`"f":1,"p":0`, `"f":1,"p":1`, "element 1 of the tree: its parent is 1"},
		{`"b":2`, `"b":3`, "element 2 of the tree leads back 3, before its beginning"},
		{`"b":2`, `"b":1`, "element 2 of the tree, function 0, leads back to function 1"},
		{`"b":2`, `"b":-1`, "element 2 of the tree leads back -1"},
		{`"f":1,"g"`, `"f":-1,"g"`, "step 0 of the path: function -1"},
		{`"ended":true`, `"ended":true,"window":"moon"`, `window "moon"`},
		{`"ended":true`, `"ended":true,"window":"marks","ops":-1`, "-1 operations"},
		{`"calls":3,"timed":3`, `"calls":3,"timed":3,"fewest_per_op":2,"most_per_op":1`, `function "a": from 2 to 1 calls per operation`},
		{`"path_more":6`, `"path_more":-6`, "-6 calls after the path"},
	} {
		text := good
		if c.old != "" {
			if text = strings.Replace(good, c.old, c.new, 1); text == good {
				t.Fatalf("%q is not there to be replaced", c.old)
			}
		}
		var tr record.Trace
		if err := json.Unmarshal([]byte(text), &tr); err != nil {
			t.Fatalf("%q: %v", c.want, err)
		}
		err := tr.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.new, err, c.want)
		}
	}
}
