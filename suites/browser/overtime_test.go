package browser

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/tarebench/tare/hist"
	"github.com/tarebench/tare/internal/show/script"
)

// TestHistograms: the page reads and adds histograms as package hist does, to the last value.
func TestHistograms(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	file := filepath.Join(t.TempDir(), "page.html")
	page := "<!DOCTYPE html><title>histograms</title><script type=\"module\">" + script.Join("records", "histogram") +
		"globalThis.api = { readHistogram, addUp, steps, percentile, beyond };</script>"
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	x := openPage(t, file, "", 800)
	percentiles := []float64{0, 0.1, 25, 50, 90, 99, 99.9, 99.99, 99.999}
	list, _ := json.Marshal(percentiles)
	for range 40 {
		var parts []string
		sum := hist.New(hist.Config{})
		for range 1 + r.IntN(4) {
			h := hist.New(hist.Config{})
			for range r.IntN(3000) {
				h.Record(int64(r.ExpFloat64() * float64(uint64(1)<<r.IntN(45))))
			}
			if err := sum.Merge(h); err != nil {
				t.Fatal(err)
			}
			data, err := h.Encode()
			if err != nil {
				t.Fatal(err)
			}
			parts = append(parts, base64.StdEncoding.EncodeToString(data))
		}
		if sum.Count() == 0 {
			continue
		}
		texts, _ := json.Marshal(parts)
		got := eval[[][2]int64](x, fmt.Sprintf(`Promise.all(%s.map(api.readHistogram)).then((hs) => {
			const all = api.steps(api.addUp(hs));
			return %s.map((p) => [api.percentile(all, p), api.beyond(all, p)]);
		})`, texts, list))
		for i, p := range percentiles {
			if want := [2]int64{sum.ValueAtPercentile(p), sum.CountBeyond(p)}; p > 0 && got[i] != want {
				t.Errorf("p%v of %d values: value and count beyond %d, want %d", p, sum.Count(), got[i], want)
			}
		}
	}
}

// said is the expression of the sentence below the charts, once it is there.
const said = `new Promise((done) => {
	const look = () => { const p = document.querySelector("[data-record] [role=status]"); p ? done(p.textContent) : setTimeout(look, 10); };
	look();
})`

// loadRun returns the record of a run of 20 s, with one answer each 10 ms of 1 ms, of 9 ms in the tenth second.
func loadRun(t *testing.T) string {
	return loadPage(t, [2]string{"READ", "response"}, [2]string{"READ", "service"})
}

// loadPage returns the page of the run of loadRun, with its times under operations and kinds.
func loadPage(t *testing.T, as ...[2]string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"k":"run","v":1,"kind":"load","tare":"devel","start":"2026-01-02T03:04:05Z","mono":0,"command":["tare","load"],"seed":"7","config":{"packages":[],"bench":"","forks":0,"warmup":0,"iterations":0,"time":0,"timeout":0,"order":"","confidence":0,"load":{"db":"mock","name":"mock","workload":"c","arrivals":"constant 100/s","rate":100,"workers":1,"duration":20000000000,"on_late":"count"}},"env":{"os":"linux","arch":"amd64","cores":1,"go":"go1.26","gomaxprocs":1}}` + "\n")
	counts := ""
	for s := range 20 {
		h := hist.New(hist.Config{})
		value := int64(1e6)
		if s == 9 {
			value = 9e6
		}
		h.RecordN(value, 100)
		data, err := h.Encode()
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprintf(`"start":%d,"length":1000000000`, s*1_000_000_000)
		counts = fmt.Sprintf(`"scheduled":%d,"started":%[1]d,"completed":%[1]d,"dropped":0,"unsent":0,"unfinished":0`, 100*(s+1))
		fmt.Fprintf(&b, `{"k":"load","phase":"run","iter":%d,%s,"asked":100,"did":100,%s}`+"\n", s+1, at, counts)
		for _, k := range as {
			fmt.Fprintf(&b, `{"k":"hist","name":%q,"iter":%d,"tag":%q,%s,"unit":"ns","data":%q}`+"\n", k[0], s+1, k[1], at, base64.StdEncoding.EncodeToString(data))
		}
	}
	fmt.Fprintf(&b, `{"k":"load","phase":"run","final":true,"start":0,"length":20000000000,"asked":100,"did":100,%s}`+"\n", counts)
	b.WriteString(`{"k":"end","state":"completed"}` + "\n")
	file := filepath.Join(t.TempDir(), "load.jsonl")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return pageOf(t, "report", file)
}

// TestOverTime: the percentiles are those of the stretch that the reader chose, by drawing or by numbers, and the address
// keeps it.
func TestOverTime(t *testing.T) {
	page := loadRun(t)
	x := openPage(t, page, "", 1024)
	if got := eval[string](x, said); !strings.HasPrefix(got, "0 to 20.0 s: 2000 answers · response p50 1.00 ms · p90 1.00 ms · p99 9.0") || !strings.Contains(got, "max 9.0") {
		t.Errorf("of all: %q", got)
	}
	got := eval[string](x, `(() => {
		const from = document.querySelector("input[aria-label='from this second']");
		from.value = "10";
		from.dispatchEvent(new Event("change"));
		return document.querySelector("[data-record] [role=status]").textContent;
	})()`)
	if !strings.HasPrefix(got, "10.0 s to 20.0 s: 1000 answers") || strings.Contains(got, "9.0") {
		t.Errorf("after the slow second: %q", got)
	}
	// Drawn over a tenth of the first chart.
	box := eval[[]float64](x, `(() => {
		const over = document.querySelector(".u-over");
		over.scrollIntoView({ block: "center" });
		const b = over.getBoundingClientRect();
		return [b.left, b.width, b.top + b.height / 2];
	})()`)
	for _, m := range []struct {
		kind    input.DispatchMouseEventType
		share   float64
		buttons int64
	}{{"mouseMoved", 0.4, 0}, {"mousePressed", 0.4, 1}, {"mouseMoved", 0.45, 1}, {"mouseMoved", 0.5, 1}, {"mouseReleased", 0.5, 0}} {
		x.do(call(input.DispatchMouseEvent, input.DispatchMouseEventParams{
			Type: m.kind, X: box[0] + m.share*box[1], Y: box[2], Button: input.MouseButtonLeft, Buttons: m.buttons, ClickCount: 1,
		}))
	}
	got = eval[string](x, said)
	if !strings.Contains(got, "s: 200 answers") || !strings.Contains(got, "max 9.0") {
		t.Errorf("drawn: %q", got)
	}
	again := openPage(t, page, strings.TrimPrefix(eval[string](x, "location.hash"), "#"), 1024)
	if restored := eval[string](again, said); restored != got {
		t.Errorf("opened again: %q, want %q", restored, got)
	}
	again.accessible("over time")
	if n := eval[int](again, `[...document.querySelectorAll("figure")].filter((f) => f.offsetParent).length`); n != 0 {
		t.Errorf("%d pictures are shown beside the charts", n)
	}
}

// TestParts: all operations are those that were sent, each once; their parts are there to be chosen.
func TestParts(t *testing.T) {
	x := openPage(t, loadPage(t, [2]string{"GET", "service"}, [2]string{"GET/first-byte", "service"}, [2]string{"PUT", "service"}), "", 1024)
	if got := eval[string](x, said); !strings.HasPrefix(got, "0 to 20.0 s: 4000 answers") {
		t.Errorf("of all: %q", got)
	}
	got := eval[string](x, `(() => {
		const select = document.querySelector("select[aria-label=operation]");
		select.value = "GET/first-byte";
		select.dispatchEvent(new Event("change"));
		return document.querySelector("[data-record] [role=status]").textContent;
	})()`)
	if !strings.HasPrefix(got, "0 to 20.0 s: 2000 answers") {
		t.Errorf("of a part: %q", got)
	}
}

// TestMarks: what happened beside the operations has a chart of its own, whose figures are those of the record.
func TestMarks(t *testing.T) {
	file := filepath.Join("..", "..", "internal", "result", "testdata", "load-marked.jsonl")
	x := openPage(t, pageOf(t, "report", file), "", 1024)
	eval[string](x, said)
	got := eval[[]string](x, `[...document.querySelectorAll("[data-record] .chart")].map((c) => [...c.querySelectorAll(".u-legend .u-label")].map((l) => l.textContent).join())`)
	want := []string{
		"second,target,achieved", "second,p50,p99,max",
		"second,server: stopped,server: waited for a processor,server: garbage collection,tare: waited for a processor,tare: garbage collection,tare: longest wait of a goroutine",
	}
	for i, w := range want {
		if i >= len(got) || got[i] != w {
			t.Fatalf("charts %q, want %q", got, want)
		}
	}
	box := eval[[]float64](x, `(() => {
		const over = document.querySelectorAll("[data-record] .u-over")[2];
		over.scrollIntoView({ block: "center" });
		const b = over.getBoundingClientRect();
		return [b.left, b.width, b.top + b.height / 2];
	})()`)
	x.do(call(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: "mouseMoved", X: box[0] + 5.5/8*box[1], Y: box[2]}))
	figures := eval[string](x, `[...document.querySelectorAll("[data-record] .chart")][2].querySelector(".u-legend").textContent`)
	if !strings.Contains(figures, "server: stopped500 ms") || !strings.Contains(figures, "server: waited for a processor1.00 ms") || !strings.Contains(figures, "tare: longest wait of a goroutine300 µs") {
		t.Errorf("the sixth second: %q", figures)
	}
	// The lane above the latencies has a row for each kind that was long, and the chart of latencies none of their colours.
	key := eval[[]string](x, `[...document.querySelectorAll(".lane .key")].map((k) => k.textContent)`)
	if strings.Join(key, ",") != "server: stopped,server: waited for a processor,tare: waited for a processor" {
		t.Errorf("the lane's rows: %q", key)
	}
	colours := eval[[]int](x, `(() => {
		const chart = document.querySelectorAll("[data-record] .chart")[1], over = chart.querySelector(".u-over"), canvas = chart.querySelector("canvas");
		const wanted = getComputedStyle(document.querySelector(".lane .swatch")).backgroundColor.match(/\d+/g).map(Number);
		const top = Math.round((over.getBoundingClientRect().top - canvas.getBoundingClientRect().top) * devicePixelRatio);
		const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height });
		const pixels = copy.getContext("2d", { willReadFrequently: true });
		pixels.drawImage(canvas, 0, 0);
		const count = (from, to) => {
			const d = pixels.getImageData(0, from, canvas.width, to - from).data;
			let n = 0;
			for (let i = 0; i < d.length; i += 4) if (wanted.every((c, k) => d[i + k] === c)) n++;
			return n;
		};
		return [count(0, top), count(top, canvas.height)];
	})()`)
	if colours[0] < 100 || colours[1] != 0 {
		t.Errorf("%d pixels of the first row above the chart, %d in it", colours[0], colours[1])
	}
}
