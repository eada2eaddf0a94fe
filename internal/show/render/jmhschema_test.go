package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// jmhKeys are the keys of JMH in their order; * marks those that may be absent.
var (
	jmhKeys = "jmhVersion benchmark mode threads forks jvm jvmArgs jdkVersion vmName vmVersion " +
		"warmupIterations warmupTime warmupBatchSize measurementIterations measurementTime measurementBatchSize " +
		"params* primaryMetric secondaryMetrics"
	jmhOwnKeys    = "timestamp host goVersion package name side role operations seed scoreIs scoreConfidenceIs scoreConfidenceLevel rawDataIs warnings"
	jmhMetricKeys = "score scoreError scoreConfidence scorePercentiles scoreUnit rawData* rawDataHistogram*"
	jmhLevelKeys  = "0.0 50.0 90.0 95.0 99.0 99.9 99.99 99.999 99.9999 100.0"
)

// member is a key with its value.
type member struct {
	key   string
	value json.RawMessage
}

// members are the keys and values of an object in their order.
func members(t testing.TB, object []byte) (out []member) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(object))
	if tok, err := d.Token(); err != nil || tok != json.Delim('{') {
		t.Fatalf("no object: %v, %s", err, object)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		m := member{key: key.(string)}
		if err := d.Decode(&m.value); err != nil {
			t.Fatal(err)
		}
		for _, have := range out {
			if have.key == m.key {
				t.Errorf("%q stands twice", m.key)
			}
		}
		out = append(out, m)
	}
	return out
}

// checkKeys tells whether an object has these keys in this order, and perhaps
// some of the others behind them.
func checkKeys(t testing.TB, object []byte, keys, others string) map[string]json.RawMessage {
	t.Helper()
	all, values := members(t, object), map[string]json.RawMessage{}
	i := 0
	for _, key := range strings.Fields(keys) {
		optional := strings.HasSuffix(key, "*")
		key = strings.TrimSuffix(key, "*")
		switch {
		case i < len(all) && all[i].key == key:
			values[key] = all[i].value
			i++
		case !optional:
			t.Fatalf("key %d is not %s: %s", i, key, object)
		}
	}
	for ; i < len(all); i++ {
		if !slices.Contains(strings.Fields(others), all[i].key) {
			t.Errorf("unknown key %s, or out of order", all[i].key)
		}
		values[all[i].key] = all[i].value
	}
	return values
}

// decode checks the type of a value.
func decode[T any](t testing.TB, value json.RawMessage) (x T) {
	t.Helper()
	if err := json.Unmarshal(value, &x); err != nil {
		t.Errorf("%s is no %T", value, x)
	}
	return x
}

// jmhFloat is a number, or the string that stands for one.
func jmhFloat(t testing.TB, value json.RawMessage) float64 {
	t.Helper()
	switch string(value) {
	case `"NaN"`:
		return math.NaN()
	case `"+INF"`:
		return math.Inf(1)
	case `"-INF"`:
		return math.Inf(-1)
	}
	return decode[float64](t, value)
}

// TestJMH holds for all summaries: JMH's keys in JMH's order, of JMH's types, and
// nothing lost on the way through a reader.
func TestJMH(t *testing.T) {
	for _, c := range testCases() {
		t.Run(c.name, func(t *testing.T) {
			text := write(t, JMH, c.summary, Options{})
			rows := decode[[]json.RawMessage](t, json.RawMessage(text))
			want := 0
			for _, r := range c.summary.Results {
				if r.Forks > 0 {
					want++
				}
			}
			if len(rows) != want || rows == nil {
				t.Fatalf("%d rows, want %d", len(rows), want)
			}
			charts := map[string][]chartRow{}
			for _, row := range rows {
				chart, r := checkJMHRow(t, row)
				charts[chart] = append(charts[chart], r)
			}
			for name, rows := range charts {
				checkChart(t, name, rows)
			}
		})
	}
}

func checkJMHRow(t *testing.T, row json.RawMessage) (chart string, _ chartRow) {
	v := checkKeys(t, row, jmhKeys, jmhOwnKeys)
	for _, key := range []string{"jmhVersion", "jvm", "jdkVersion", "vmName", "vmVersion", "scoreIs", "package", "name"} {
		decode[string](t, v[key])
	}
	for key, least := range map[string]int{"threads": 1, "forks": 1, "warmupIterations": 0, "warmupBatchSize": 1, "measurementIterations": 0, "measurementBatchSize": 1} {
		if n := decode[int](t, v[key]); n < least {
			t.Errorf("%s: %d", key, n)
		}
	}
	if args := decode[[]string](t, v["jvmArgs"]); args == nil {
		t.Error("jvmArgs is no list")
	}
	for _, key := range []string{"warmupTime", "measurementTime"} {
		var n int
		var unit string
		text := decode[string](t, v[key])
		if _, err := fmt.Sscanf(text, "%d %s", &n, &unit); text != "single-shot" && err != nil {
			t.Errorf("%s: %q", key, text)
		}
	}
	mode := decode[string](t, v["mode"])
	if !slices.Contains([]string{"thrpt", "avgt", "sample", "ss"}, mode) {
		t.Errorf("mode %q", mode)
	}
	forks := decode[int](t, v["forks"])
	checkJMHMetric(t, v["primaryMetric"], forks, mode == "sample")
	for _, m := range members(t, v["secondaryMetrics"]) {
		checkJMHMetric(t, m.value, forks, false)
	}
	return readName(t, decode[string](t, v["benchmark"]), v["params"])
}

func checkJMHMetric(t *testing.T, metric json.RawMessage, forks int, histogram bool) {
	v := checkKeys(t, metric, jmhMetricKeys, "")
	score, wide := jmhFloat(t, v["score"]), jmhFloat(t, v["scoreError"])
	bounds := decode[[]json.RawMessage](t, v["scoreConfidence"])
	if len(bounds) != 2 {
		t.Fatalf("scoreConfidence %s", v["scoreConfidence"])
	}
	lo, hi := jmhFloat(t, bounds[0]), jmhFloat(t, bounds[1])
	known := !math.IsNaN(hi-lo) && !math.IsInf(hi-lo, 0)
	if known == math.IsNaN(wide) || score-wide > lo || score+wide < hi || wide < 0 {
		t.Errorf("%v ± %v does not cover %v … %v", score, wide, lo, hi)
	}
	levels := members(t, v["scorePercentiles"])
	for i, key := range strings.Fields(jmhLevelKeys) {
		if i >= len(levels) || levels[i].key != key {
			t.Fatalf("percentile %d is not %s: %s", i, key, v["scorePercentiles"])
		}
		x := jmhFloat(t, levels[i].value)
		if i > 0 && x < jmhFloat(t, levels[i-1].value) {
			t.Errorf("percentiles fall: %s", v["scorePercentiles"])
		}
	}
	decode[string](t, v["scoreUnit"])
	if (v["rawDataHistogram"] != nil) != histogram || (v["rawData"] != nil) == histogram {
		t.Errorf("rawData %v, rawDataHistogram %v", v["rawData"] != nil, v["rawDataHistogram"] != nil)
	}
	if histogram {
		for _, fork := range decode[[][][][2]json.RawMessage](t, v["rawDataHistogram"]) {
			for _, iteration := range fork {
				for _, pair := range iteration {
					if jmhFloat(t, pair[0]) < 0 || decode[int](t, pair[1]) < 1 {
						t.Errorf("%s", pair)
					}
				}
			}
		}
		return
	}
	raw := decode[[][]json.RawMessage](t, v["rawData"])
	if len(raw) < forks || slices.ContainsFunc(raw, func(fork []json.RawMessage) bool { return fork == nil }) {
		t.Errorf("rawData of %d forks: %s", forks, v["rawData"])
	}
	for _, fork := range raw {
		for _, x := range fork {
			jmhFloat(t, x)
		}
	}
}

// chartRow is what a viewer makes of a row: it splits the name again.
type chartRow struct {
	method string
	params [][2]string
}

// readName reads a name as JMH Visualizer does: class and method at the last
// dot, the parameters from a text joined by blanks, their values up to the next
// "=".
func readName(t *testing.T, benchmark string, params json.RawMessage) (chart string, _ chartRow) {
	dot := strings.LastIndexByte(benchmark, '.')
	if dot <= 0 || dot == len(benchmark)-1 {
		t.Fatalf("benchmark %q", benchmark)
	}
	text := benchmark[dot+1:]
	if params != nil {
		ms := members(t, params)
		if len(ms) == 0 {
			t.Error("params are empty")
		}
		for _, m := range ms {
			text += " " + m.key + "=" + decode[string](t, m.value)
		}
	}
	parts := strings.Split(text, " ")
	r := chartRow{method: parts[0]}
	for _, p := range parts[1:] {
		kv := strings.Split(p, "=")
		if len(kv) != 2 {
			t.Errorf("a parameter of %q is %q", text, p)
		}
		r.params = append(r.params, [2]string{kv[0], kv[1]})
	}
	if strings.ContainsFunc(benchmark, unicode.IsSpace) || strings.Contains(r.method, "/") {
		t.Errorf("benchmark %q", benchmark)
	}
	return benchmark[:dot], r
}

// checkChart tells whether every row of a class gets a bar of its own, and none
// is asked for a parameter it has not, in the way in which JMH Visualizer's charts
// are made: by the parameters of the first row.
func checkChart(t *testing.T, class string, rows []chartRow) {
	methods := map[string]bool{}
	for _, r := range rows {
		methods[r.method] = true
	}
	values := func(r chartRow) (s string) {
		for _, p := range r.params {
			s += ":" + p[1]
		}
		return s
	}
	bar := func(r chartRow) string {
		switch n := len(rows[0].params); {
		case n == 0:
			return r.method
		case n == 1 && len(methods) == 1:
			return r.params[0][1]
		case n == 1 && len(r.params) == 0:
			return r.method
		case n == 1:
			return r.method + " " + r.params[0][1]
		case n == 2 && len(methods) == 1:
			return r.params[0][1] + " " + r.params[1][1]
		case len(r.params) == 0:
			t.Errorf("%s: %s has no parameters", class, r.method)
			return r.method
		default:
			return r.method + values(r)
		}
	}
	bars := map[string]bool{}
	for _, r := range rows {
		if bars[bar(r)] {
			t.Errorf("%s: two bars are %q", class, bar(r))
		}
		bars[bar(r)] = true
	}
}
