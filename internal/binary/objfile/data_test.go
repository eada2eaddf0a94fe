package objfile

import (
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// TestData: a variable has its name, from its first byte to its last, in all formats;
// what no program has named has none.
func TestData(t *testing.T) {
	const source = `package main

var Table = [4]uint64{1, 2, 3, 4}

var zero [3]uint32

func main() {
	for i := range zero {
		zero[i] += uint32(Table[i])
	}
	println(zero[0], zero[2], "a text")
}
`
	for _, env := range [][]string{{"GOOS=linux", "GOARCH=amd64"}, {"GOOS=darwin", "GOARCH=arm64"}, {"GOOS=windows", "GOARCH=amd64"}} {
		t.Run(strings.Join(env, " "), func(t *testing.T) {
			if env[0] != "GOOS=linux" {
				testutil.NeedLong(t, "builds another standard library")
			}
			f, fs := open(t, compile(t, map[string]string{"main.go": source}, append(env, "CGO_ENABLED=0")))
			d, err := f.Data()
			if err != nil {
				t.Fatal(err)
			}
			found := map[string]Datum{}
			for i, x := range d.list {
				if x.End <= x.Addr || i > 0 && x.Addr < d.list[i-1].End {
					t.Fatalf("%+v behind %+v", x, d.list[max(0, i-1)])
				}
				if _, code := fs.Find(x.Addr); code && f.isCode(x.Addr) {
					t.Errorf("%+v is code", x)
				}
				if got, ok := d.Find(x.End - 1); !ok || got != x {
					t.Errorf("at the end of %+v there is %+v", x, got)
				}
				found[x.Name] = x
			}
			for name, size := range map[string]uint64{"main.Table": 32, "main.zero": 12, "runtime.writeBarrier": 4} {
				x, ok := found[name]
				if n := x.End - x.Addr; !ok || n < size || n > size+32 { // formats without sizes have the next one's
					t.Errorf("%s: %+v", name, x)
				}
			}
			for _, name := range []string{"runtime.edata", "runtime.bss", "type:*", "go:string.*", "main.main"} {
				if x, ok := found[name]; ok {
					t.Errorf("%+v", x)
				}
			}
			if x, ok := d.Find(1); ok {
				t.Errorf("at 1 there is %+v", x)
			}
		})
	}
	f, _ := open(t, compile(t, map[string]string{"main.go": source}, []string{"CGO_ENABLED=0"}, "-ldflags=-s -w"))
	if _, ok := f.format.(elfFile); ok {
		if d, err := f.Data(); err != nil || len(d.list) > 0 {
			t.Errorf("stripped: %+v, %v", d, err)
		}
	}
}
