package build

import (
	"errors"
	"strings"
	"testing"
)

// TestNetwork: a failure of the network or of the module proxy is distinguished from a server's answer about a module, and
// from errors in code that contains such texts.
func TestNetwork(t *testing.T) {
	for _, output := range []string{
		`go: example.com/x@v1.0.0: Get "http://127.0.0.1:1/example.com/x/@v/v1.0.0.mod": dial tcp 127.0.0.1:1: connect: connection refused`,
		`m_test.go:3:8: example.com/x@v1.0.0: Get "https://proxy.example.org/example.com/x/@v/v1.0.0.zip": net/http: TLS handshake timeout`,
		`go: example.com/x@v1.0.0: Get "https://h/x": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
		`go: example.com/x@v1.0.0: Get "https://h/x": EOF`,
		`go: example.com/x@v1.0.0: Get "https://h/x": proxyconnect tcp: dial tcp 10.0.0.1:3128: i/o timeout`,
		"go: example.com/x@v1.0.0: reading http://127.0.0.1:8/example.com/x/@v/v1.0.0.mod: 503 Service Unavailable\n\tserver response: later",
		`go: module example.com/x: reading http://127.0.0.1:8/example.com/x/@v/list: 502 Bad Gateway`,
		`go: example.com/x@v1.0.0: reading http://h/x: 429 Too Many Requests`,
		`go: example.com/x@v1.0.0: reading https://h/x.zip: unexpected EOF`,
		`example.com/x@v1.0.0: verifying module: example.com/x@v1.0.0: reading https://sum.example.org/lookup/x: 500 Internal Server Error`,
		`go: example.com/x@v1.0.0: verifying go.mod: Get "https://sum.example.org/lookup/x": dial tcp: lookup sum.example.org: no such host`,
		"go: example.com/x@v1.0.0: git ls-remote -q origin in /c: exit status 128:\n\tfatal: unable to access 'https://h/x/': Could not resolve host: h",
		"go: example.com/x@v1.0.0: git fetch -f origin in /c: exit status 128:\n\tfatal: unable to access 'https://h/x/': The requested URL returned error: 503",
		`go: unrecognized import path "example.com/x": https fetch: Get "https://example.com/x?go-get=1": dial tcp: lookup example.com: i/o timeout`,
		`go: example.com/x@v1.0.0: module lookup disabled by GOPROXY=off`,
		`go: download go1.99.1 for linux/amd64: Get "https://h/golang.org/toolchain/@v/x.zip": dial tcp: lookup h: server misbehaving`,
	} {
		e := explain("./...", output)
		var c *Error
		if !errors.As(compileError("m", &goFailure{output: output, err: errors.New("exit status 1")}), &c) || !e.Server || !c.Server || e.Absent {
			t.Errorf("not of the network: %s\n%+v\n%+v", output, e, c)
		}
		for _, e := range []*Error{e, c} {
			if strings.Contains(e.Msg, "\n") || e.Hint != hintNetwork || !strings.Contains(e.Msg, unreachable) {
				t.Errorf("%s\nis said as %q, %q", output, e.Msg, e.Hint)
			}
		}
	}
	for _, output := range []string{
		`go: example.com/x@v1.0.0: reading http://127.0.0.1:8/example.com/x/@v/v1.0.0.mod: 404 Not Found`,
		"go: example.com/x@v1.0.0: reading https://h/example.com/x/@v/v1.0.0.info: 410 Gone\n\tserver response: not found: timeout",
		"verifying example.com/x@v1.0.0: checksum mismatch\n\tdownloaded: h1:x\n\tgo.sum: h1:y",
		`go: unrecognized import path "nosuch.example.org/x": https fetch: Get "https://nosuch.example.org/x?go-get=1": dial tcp: lookup nosuch.example.org on 127.0.0.53:53: no such host`,
		"# m\n./m.go:3:9: undefined: dial tcp: i/o timeout\nFAIL\tm [build failed]",
		`# m` + "\n" + `./m.go:3:9: cannot use "Get \"https://h\": EOF" (untyped string constant) as int value` + "\nFAIL\tm [build failed]",
		`m_test.go:3:8: no required module provides package example.com/x; to add it:`,
		`go: example.com/x@v9.9.9: invalid version: unknown revision v9.9.9`,
	} {
		var c *Error
		if e := explain("./...", output); e.Server && !strings.Contains(output, "[build failed]") {
			t.Errorf("of the network: %s", output)
		}
		if errors.As(compileError("m", &goFailure{output: output, err: errors.New("exit status 1")}), &c); c.Server {
			t.Errorf("of the network when compiling: %s", output)
		}
	}
}
