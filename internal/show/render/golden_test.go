package render

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	for _, c := range testCases() {
		for _, v := range c.views {
			t.Run(c.name+"."+v.name, func(t *testing.T) {
				var b bytes.Buffer
				if err := Write(&b, v.format, c.summary, v.o); err != nil {
					t.Fatal(err)
				}
				compareGolden(t, filepath.Join("testdata", c.name+"."+v.name), b.Bytes())
			})
		}
	}
}

func compareGolden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		os.Remove(path + ".got")
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (run go test -update)", err)
	}
	if !bytes.Equal(got, want) {
		if err := os.WriteFile(path+".got", got, 0o666); err != nil {
			t.Error(err)
		}
		t.Errorf("differs from the golden file: diff internal/show/render/%s internal/show/render/%s.got", path, path)
	} else {
		os.Remove(path + ".got")
	}
}
