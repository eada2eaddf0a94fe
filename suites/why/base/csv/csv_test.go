package csv

import (
	"bytes"
	"fmt"
	"testing"
)

func text(lines int) []byte {
	var b bytes.Buffer
	for i := range lines {
		fmt.Fprintf(&b, "%d,name %d,%d.%02d,\"Street %d, \"\"left\"\"\",city,%d,yes,no,,end\n", i, i*7, i%90, i%100, i, 10000+i)
	}
	return b.Bytes()
}

func TestNext(t *testing.T) {
	var r Reader
	r.Reset(text(3))
	records, last := 0, ""
	for {
		fields, ok := r.Next()
		if !ok {
			break
		}
		records++
		last = fmt.Sprintf("%q", fields)
	}
	want := `["2" "name 14" "2.02" "Street 2, \"left\"" "city" "10002" "yes" "no" "" "end"]`
	if records != 3 || last != want {
		t.Errorf("%d records, the last is %s, want %s", records, last, want)
	}
}

var sink int

func BenchmarkRead(b *testing.B) {
	data := text(100)
	var r Reader
	for b.Loop() {
		r.Reset(data)
		for {
			fields, ok := r.Next()
			if !ok {
				break
			}
			sink += len(fields[len(fields)-1])
		}
	}
}
