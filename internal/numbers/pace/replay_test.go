package pace

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestRead(t *testing.T) {
	tests := []struct {
		name, text string
		want       []time.Duration
		err        string
	}{
		{"nanoseconds", "0\n1500000\n", []time.Duration{0, 1500 * time.Microsecond}, ""},
		{"durations", "1ms\n2.5ms\n1m3s\n", []time.Duration{time.Millisecond, 2500 * time.Microsecond, 63 * time.Second}, ""},
		{"mixed, no last newline", "100\n1us", []time.Duration{100, 1000}, ""},
		{"comments, blanks, carriage returns", "# trace\r\n\r\n  5 \r\n\t7\r\n#8\n", []time.Duration{5, 7}, ""},
		{"byte order mark", "\ufeff5\n", []time.Duration{5}, ""},
		{"byte order mark before a comment", "\ufeff# trace\n5\n", []time.Duration{5}, ""},
		{"burst", "5\n5\n5\n", []time.Duration{5, 5, 5}, ""},
		{"empty", "", nil, "t.txt: holds no due times"},
		{"only comments", "# nothing\n", nil, "t.txt: holds no due times"},
		{"descends", "5\n\n3ns\n", nil, "t.txt:3: 3ns comes after 5ns: due times must ascend"},
		{"negative", "-5\n", nil, "t.txt:1: -5: due times must not be negative"},
		{"negative duration", "0\n-1.5ms\n", nil, "t.txt:2: -1.5ms: due times must not be negative"},
		{"no unit", "1.5\n", nil, `t.txt:1: "1.5" is neither a whole number of nanoseconds nor a duration such as 1.5ms`},
		{"two columns", "1 2\n", nil, `t.txt:1: "1 2" is neither a whole number of nanoseconds nor a duration such as 1.5ms`},
		{"too large", "99999999999999999999\n", nil, "t.txt:1: 99999999999999999999: more nanoseconds than 292 years have"},
		{"no text", "1\n" + strings.Repeat("\x00", 1<<20), nil, "t.txt:2: longer than 4096 bytes: not a list of due times"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Read(strings.NewReader(tt.text), "t.txt")
			if said := fmt.Sprint(err); err != nil && said != tt.err || err == nil && tt.err != "" {
				t.Errorf("error %v, want %s", err, tt.err)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}

// FuzzRead: what is accepted is a valid replay, and survives being written in
// either form.
func FuzzRead(f *testing.F) {
	f.Add([]byte("0\n1500000\n2ms\n# c\n\n"))
	f.Add([]byte("\ufeff5\r\n-1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		times, err := Read(bytes.NewReader(text), "x")
		if err != nil {
			return
		}
		if err := (Config{Times: times}).Validate(); err != nil {
			t.Fatalf("read what is no replay: %v", err)
		}
		for _, format := range []string{"%d\n", "%v\n"} {
			var b bytes.Buffer
			for _, d := range times {
				fmt.Fprintf(&b, format, d)
			}
			again, err := Read(&b, "x")
			if err != nil || !slices.Equal(again, times) {
				t.Fatalf("%v, %v: not what was written, %v", again, err, times)
			}
		}
	})
}
