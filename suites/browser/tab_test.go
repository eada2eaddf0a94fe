package browser

import (
	"bytes"
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/tarebench/tare/internal/cli"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/kv/mock"
)

// browser is one Chromium for all tests.
var browser context.Context

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) == "1" {
		os.Exit(cli.Main(cli.Config{Bindings: []kv.Binding{mock.Binding()}}, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		if os.Getenv("TARE_REQUIRE_BROWSER") == "1" {
			os.Stderr.WriteString("chromium is not installed, and TARE_REQUIRE_BROWSER is 1\n")
			os.Exit(1)
		}
		os.Stderr.WriteString("skipped: chromium is not installed\n")
		os.Exit(0)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	var end context.CancelFunc
	browser, end = chromedp.NewContext(ctx)
	code := 1
	if err := chromedp.Do(browser, chromedp.Navigate("about:blank")); err != nil {
		os.Stderr.WriteString("starting chromium: " + err.Error() + "\n")
	} else {
		code = m.Run()
	}
	end()
	stop()
	os.Exit(code)
}

// tab is a page that is open. At the end of its test it must have printed nothing and asked for nothing.
type tab struct {
	t   testing.TB
	ctx context.Context

	mu      sync.Mutex
	printed []string
	asked   []string
}

// patience is how long an action may take: far more than it does.
const patience = time.Minute

// threeFrames waits until the page was drawn, its pictures took its width, and what that moved was drawn, too.
const threeFrames = `new Promise((done) => { let n = 0; const next = () => (++n > 3 ? done(n) : requestAnimationFrame(next)); next(); })`

// asCommand is the variable by which this test binary is the command, for tests of what several processes do.
const asCommand = "TARE_TEST_AS_COMMAND"

// openPage opens a page at a width, with a fragment of its address.
func openPage(t testing.TB, file, fragment string, width int64) *tab {
	t.Helper()
	plain, err := url.PathUnescape(fragment)
	if err != nil {
		t.Fatal(err)
	}
	return openAddress(t, url.URL{Scheme: "file", Path: file, RawFragment: fragment, Fragment: plain}, width)
}

func openAddress(t testing.TB, address url.URL, width int64) *tab {
	t.Helper()
	ctx, done := chromedp.NewContext(browser)
	t.Cleanup(done)
	x := &tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, x.event); err != nil {
		t.Fatal(err)
	}
	x.do(call(network.Enable, network.EnableParams{}), call(log.Enable, cdp.Empty{}), chromedp.EmulateViewport(width, 900))
	x.do(chromedp.Navigate(address.String()))
	eval[int](x, threeFrames) // ResizeObservers run within a frame, which may come late on a busy machine
	t.Cleanup(func() { x.clean(address) })
	return x
}

func (x *tab) event(ev any) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch e := ev.(type) {
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
		x.printed = append(x.printed, text)
	case *runtime.EventConsoleAPICalled:
		x.printed = append(x.printed, string(e.Type))
	case *log.EventEntryAdded: // what the policy of the page forbids is among them
		x.printed = append(x.printed, e.Entry.Text)
	case *network.EventRequestWillBeSent:
		x.asked = append(x.asked, e.Request.URL)
	}
}

// clean fails the test if the page printed, or asked for anything but itself, data inside it, and the server that it is from.
func (x *tab) clean(address url.URL) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, text := range x.printed {
		x.t.Errorf("the console has: %s", text)
	}
	address.Fragment, address.RawFragment = "", ""
	for _, a := range x.asked {
		if address.Host != "" && strings.HasPrefix(a, address.Scheme+"://"+address.Host+"/") {
			continue
		}
		if a, _, _ := strings.Cut(a, "#"); a != address.String() && !strings.HasPrefix(a, "data:") && !strings.HasPrefix(a, "blob:") {
			x.t.Errorf("the page asked for %s", a)
		}
	}
}

func (x *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	x.t.Helper()
	ctx, done := context.WithTimeout(x.ctx, patience)
	defer done()
	if err := chromedp.Do(ctx, actions...); err != nil {
		x.t.Fatal(err)
	}
}

// call is a command of the protocol without a result.
func call[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, c, params)
		return chromedp.Void{}, err
	}
}

// eval returns the value of an expression in the page.
func eval[T any](x *tab, expression string) T {
	x.t.Helper()
	ctx, done := context.WithTimeout(x.ctx, patience)
	defer done()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		x.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// pageOf returns the file of a page that tare report made.
func pageOf(t testing.TB, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	var out, errs bytes.Buffer
	if code := cli.Main(cli.Config{}, append(args, "-o", file), strings.NewReader(""), &out, &errs); code > 1 {
		t.Fatalf("tare %s: exit code %d, %s", strings.Join(args, " "), code, &errs)
	}
	return file
}

// golden returns a record that the tests of the command have.
func golden(name string) string {
	return filepath.Join("../../internal/cli/testdata/golden", name+".jsonl")
}
