package scenario

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// openData writes a data file and opens it.
func openData(t testing.TB, name, content string, d dataFile) (*dataFile, error) {
	t.Helper()
	d.name, d.path, d.csv = "users", filepath.Join(t.TempDir(), name), filepath.Ext(name) == ".csv"
	if err := os.WriteFile(d.path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := d.readColumns(); err != nil {
		return nil, err
	}
	if !d.csv {
		if _, err := d.column("name"); err != nil {
			t.Fatal(err)
		}
	}
	err := d.open()
	t.Cleanup(d.close)
	return &d, err
}

// manyRows returns rows of a CSV file, some of which have several lines, and empty lines between.
func manyRows(n int) string {
	var b strings.Builder
	b.WriteString("\ufeffname,note\r\n")
	for i := range n {
		switch i % 7 {
		case 3:
			fmt.Fprintf(&b, "\"u%d\",\"a\n\"\"b\"\",c\"\n", i)
		case 5:
			fmt.Fprintf(&b, "u%d,\n\n", i)
		default:
			fmt.Fprintf(&b, "u%d,x\r\n", i)
		}
	}
	return b.String()
}

// TestRows: the row of an operation follows from its number, in any order, by several workers, and after
// the last comes the first.
func TestRows(t *testing.T) {
	const n = 5000
	for _, random := range []bool{false, true} {
		d, err := openData(t, "users.csv", manyRows(n), dataFile{random: random, header: true, stream: 5})
		if err != nil {
			t.Fatal(err)
		}
		if d.rows != n || strings.Join(d.columns, " ") != "name note" {
			t.Fatalf("%d rows, %v", d.rows, d.columns)
		}
		var first rowBuffer
		got := map[uint64]string{}
		for k := range uint64(2 * n) {
			row, err := d.values(1, k, &first)
			if err != nil {
				t.Fatal(err)
			}
			got[k] = string(row[0])
			if !random && got[k] != fmt.Sprint("u", k%n) {
				t.Fatalf("row %d: %s", k, got[k])
			}
			if strings.HasSuffix(got[k], "3") && random == false && k%7 == 3 && k < n && string(row[1]) != "a\n\"b\",c" {
				t.Fatalf("row %d: %q", k, row[1])
			}
		}
		var all sync.WaitGroup
		for w := range 4 {
			all.Go(func() {
				var b rowBuffer
				for i := range uint64(2 * n) {
					k := (i*7 + uint64(w)*1000) % (2 * n)
					if row, err := d.values(1, k, &b); err != nil || string(row[0]) != got[k] {
						t.Errorf("row %d: %s, %v, want %s", k, row, err, got[k])
						return
					}
				}
			})
		}
		all.Wait()
		if random {
			seen := map[string]bool{}
			for _, u := range got {
				seen[u] = true
			}
			if len(seen) < n*3/4 { // of 2n draws 1-e^-2 = 86 % of the rows
				t.Errorf("%d of %d rows in random order", len(seen), n)
			}
		}
	}
}

func TestJSONLines(t *testing.T) {
	d, err := openData(t, "users.jsonl", "{\"name\":\"a\\nb\"}\n\n{\"x\":1,\"name\":7}", dataFile{})
	if err != nil || d.rows != 2 {
		t.Fatal(err)
	}
	var b rowBuffer
	for k, want := range []string{"a\nb", "7", "a\nb"} {
		if row, err := d.values(0, uint64(k), &b); err != nil || string(row[0]) != want {
			t.Errorf("%d: %q, %v", k, row, err)
		}
	}
}

func TestBadData(t *testing.T) {
	for _, c := range []struct{ file, content, want string }{
		{"a.csv", "", "has no rows"},
		{"a.csv", "name\n", "has no rows"},
		{"a.csv", "name\n\n\n", "has no rows"},
		{"a.csv", "name,b\nx,1\ny\n", "a.csv:3: 1 fields, and 2 in the first row"},
		{"a.csv", "name\nx\"y\n", "a.csv:2: a quote is not closed"},
		{"a.csv", "name\nx\"y\"\n", "a.csv:2: a quote within a field"},
		{"a.csv", "name\nx\n\"y", "a.csv:3: a quote is not closed"},
		{"a.csv", "name\n" + strings.Repeat("x", maxRow+1), "a row is longer"},
		{"a.jsonl", "", "has no rows"},
		{"a.jsonl", "{\"name\":1}\nx\n", "a.jsonl:2: name: the body is not JSON"},
		{"a.jsonl", "{\"nam\":1}\n", "a.jsonl:1: name: there is no such value"},
	} {
		if _, err := openData(t, c.file, c.content, dataFile{header: strings.HasSuffix(c.file, "csv")}); err == nil || !strings.Contains(err.Error(), c.want) {
			if !strings.Contains(c.want, "quote") || err == nil || !strings.Contains(err.Error(), "quote") {
				t.Errorf("%.20q: %v, want %s", c.content, err, c.want)
			}
		}
	}
}

// TestDataChanges: a file that becomes shorter in mid-run is an error of the operation.
func TestDataChanges(t *testing.T) {
	for _, random := range []bool{false, true} {
		d, err := openData(t, "users.csv", manyRows(10_000), dataFile{random: random, header: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(d.path, 100); err != nil {
			t.Fatal(err)
		}
		var b rowBuffer
		failed := 0
		for k := range uint64(10_000) {
			if _, err := d.values(0, k, &b); err != nil {
				failed++
				if !strings.Contains(err.Error(), "the file changed during the run") {
					t.Fatal(err)
				}
			}
		}
		if failed == 0 {
			t.Error("the error was not noticed")
		}
	}
}

// FuzzSplitCSV: what it takes, encoding/csv reads the same.
func FuzzSplitCSV(f *testing.F) {
	for _, s := range []string{`a,b`, `"a""b",c,`, `""`, `"a`, `a"b`, `"a"b`, ",", "\"x\ny\",z"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		row, rest := nextRow(text, true)
		if len(row)+len(rest) != len(text) {
			t.Fatal("bytes are lost")
		}
		row = trimRow(row)
		if bytes.ContainsRune(row, '\r') || len(row) == 0 {
			return
		}
		want, wantErr := csv.NewReader(bytes.NewReader(row)).Read()
		got, err := splitCSV(bytes.Clone(row), nil)
		if err != nil {
			return
		}
		if wantErr != nil && err == nil {
			t.Fatalf("%q: %q, but %v", row, got, wantErr)
		}
		var fields []string
		for _, field := range got {
			fields = append(fields, string(field))
		}
		if strings.Join(fields, "\x00|") != strings.Join(want, "\x00|") {
			t.Fatalf("%q: %q, want %q", row, fields, want)
		}
	})
}

// TestManyRows: 10 million rows stay on disk.
func TestManyRows(t *testing.T) {
	testutil.NeedSeconds(t, "it writes a file of 10 million rows")
	const n = 10_000_000
	path := filepath.Join(t.TempDir(), "users.csv")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	b := bufio.NewWriter(f)
	b.WriteString("name,password\n")
	for i := range n {
		fmt.Fprintf(b, "u%d,p\n", i)
	}
	if err := errors.Join(b.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for _, random := range []bool{false, true} {
		before := heap()
		d := &dataFile{name: "users", path: path, csv: true, header: true, random: random}
		if err := d.readColumns(); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		if err := d.open(); err != nil {
			t.Fatal(err)
		}
		t.Logf("the index of %d rows took %v", d.rows, time.Since(begin))
		begin = time.Now()
		var buf rowBuffer
		const draws = 200_000
		for k := range uint64(draws) {
			if _, err := d.values(1, k, &buf); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("random %v: %v a row", random, time.Since(begin)/draws)
		if grown := heap() - before; grown > 8<<20 {
			t.Errorf("%d rows take %d bytes", d.rows, grown)
		}
		d.close()
	}
}
