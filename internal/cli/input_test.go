package cli_test

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// readers are the verbs that read a file, with the arguments before its name.
var readers = [][]string{
	{"report"}, {"compare", filepath.Join("testdata", "golden", "bench.jsonl")}, {"hist"}, {"asm"}, {"trace"}, {"sample"}, {"contrast"},
	{"selftest", "--show"}, {"bench", "--resume"},
	{"asm", filepath.Join("testdata", "golden", "asm.jsonl")},
}

// TestReadersRefuse: what is no file with an end is refused by every verb, in two lines that name it.
func TestReadersRefuse(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such files there")
	}
	socket := filepath.Join(t.TempDir(), "socket")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, verb := range readers {
		for _, path := range []string{socket, "/dev/zero"} {
			code, out, messages := run("", append(append([]string{}, verb...), path)...)
			if code == 0 || out != "" || !strings.Contains(messages, path) || strings.Count(messages, "\n") > 2 {
				t.Errorf("%q %s: exit %d, %s%s", verb, path, code, out, messages)
			}
		}
	}
}

// TestReadersEndless: a line without end is read as far as a line may go.
func TestReadersEndless(t *testing.T) {
	testutil.NeedLong(t, "it reads 100 MB some ten times")
	record := goldenRecord(t, "bench")
	first, _, _ := strings.Cut(record, "\n")
	long := strings.Repeat("x", 100<<20)
	for begin, readers := range map[string][][]string{
		first + "\n":              {{"report", "-"}, {"compare", "-", "-"}, {"hist", "-"}, {"asm", "-"}},
		"":                        {{"report", "-"}, {"compare", "-"}, {"hist", "-"}, {"asm", "-"}, {"trace", "-"}},
		"BenchmarkX 1 ":           {{"compare", "-"}},
		"#[Histogram log\n":       {{"hist", "-"}},
		`"StartTimestamp"` + "\n": {{"hist", "-"}},
	} {
		for _, verb := range readers {
			code, out, messages := run(begin+long, verb...)
			if code == 0 && !strings.Contains(messages, "warning") || len(messages) > 2000 {
				t.Errorf("%q after %.20q: exit %d, %.300s%.300s", verb, begin, code, out, messages)
			}
		}
	}
}

// TestReportCodes: of several files the exit code is the largest, whichever comes last.
func TestReportCodes(t *testing.T) {
	missing, damaged := filepath.Join(t.TempDir(), "missing.jsonl"), filepath.Join(t.TempDir(), "damaged.jsonl")
	if err := os.WriteFile(damaged, []byte("{\"k\":\"run\",\"v\":1}\nno line\n{\"k\":\"end\"}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, files := range [][]string{{missing, damaged}, {damaged, missing}} {
		if code, _, messages := run("", append([]string{"report"}, files...)...); code != 2 {
			t.Errorf("%q: exit %d, %s", files, code, messages)
		}
	}
	if code, _, messages := run("", "report", damaged); code != 1 {
		t.Errorf("exit %d, %s", code, messages)
	}
}
