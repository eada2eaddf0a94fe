package objfile

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// goCommand builds the go command, about 20 MB with its symbols and debug data.
func goCommand(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "go")
	cmd := exec.Command("go", "build", "-o", path, "cmd/go")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Skipf("go build cmd/go: %v: %s", err, out)
	}
	return path
}

// BenchmarkHot opens the go command and reads 20 functions, as a listing of its hot
// places does: all of it, only the functions of the file, and with the debug data in
// place of the runtime's tables.
func BenchmarkHot(b *testing.B) {
	path := goCommand(b)
	st, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d bytes", st.Size())
	for _, bench := range []struct {
		name   string
		source func(*File, Function) (Source, error)
	}{
		{"functions", nil},
		{"hot", (*File).Source},
		{"debug", (*File).debugSource},
	} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				f, err := Open(path)
				if err != nil {
					b.Fatal(err)
				}
				fs, err := f.Functions()
				if err != nil {
					b.Fatal(err)
				}
				if bench.source != nil {
					read := 0
					for i := 50; read < 20 && i < fs.Len(); i += fs.Len() / 21 {
						fn := fs.list[i]
						if fn.C || fn.Wrapper {
							continue
						}
						if _, err := f.Text(fn); err != nil {
							b.Fatal(err)
						}
						if _, err := bench.source(f, fn); err != nil {
							b.Fatal(err)
						}
						read++
					}
				}
				f.Close()
			}
		})
	}
}
