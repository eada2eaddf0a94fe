package http

import (
	"bufio"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
)

// serverEnv makes this test binary a server, until its standard input ends.
const serverEnv = "TARE_HTTP_BENCH_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(serverEnv) == "" {
		os.Exit(m.Run())
	}
	body := []byte(strings.Repeat("x", 256))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(body) }))
	fmt.Println(s.URL)
	bufio.NewReader(os.Stdin).ReadByte()
}

// BenchmarkRequest compares the CPU time of this process for a request that is sent directly and by net/http, by the
// engine with one worker in a closed loop. The server is another process. Runs take turns, and the ratio is the median of those of
// neighbours.
func BenchmarkRequest(b *testing.B) {
	url := serverProcess(b)
	var targets [2]load.Target
	for i, follow := range []string{"0", "1"} {
		targets[i] = open(b, kv.Settings{URL: url, Props: kv.Properties{"http.follow": follow}})
	}
	var took [2][]float64
	var ratios []float64
	for b.Loop() {
		for i, t := range targets {
			total, err := load.Run(b.Context(), t, load.Config{Workers: 1, Operations: 5000}, nil)
			if err != nil || total.Completed != 5000 {
				b.Fatal(err, total)
			}
			took[i] = append(took[i], float64(total.CPU)/1e3/float64(total.Completed))
		}
		n := len(ratios)
		ratios = append(ratios, took[0][n]/took[1][n])
	}
	b.ReportMetric(middle(took[0]), "direct-cpu-µs/request")
	b.ReportMetric(middle(took[1]), "nethttp-cpu-µs/request")
	b.ReportMetric(middle(ratios), "direct/nethttp")
}

// serverProcess starts a server of 256 bytes and returns its URL.
func serverProcess(b *testing.B) string {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), serverEnv+"=1")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		stdin.Close()
		cmd.Wait()
	})
	url, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(url)
}
