package diagnosis

import (
	"bytes"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// names returns the facts of a sentence, and those of them that it cannot do without.
func names(sentence string) (all, needed []string) {
	find := func(text string) (out []string) {
		for _, m := range regexp.MustCompile(`\{(\w+)\}|\[(\w+)\?`).FindAllStringSubmatch(text, -1) {
			out = append(out, m[1]+m[2])
		}
		return out
	}
	return find(sentence), find(regexp.MustCompile(`\[[^\]]*\]`).ReplaceAllString(sentence, ""))
}

// TestTable: each row says what the documents and notes need.
func TestTable(t *testing.T) {
	rows := 0
	for _, theme := range [][]Kind{machine, samples, loops, sides, benchmarks, loads, agents, commands, profilers, memory, stacks, machineCode, calls} {
		rows += len(theme)
	}
	if rows != len(kinds()) {
		t.Errorf("%d rows have %d codes: one is there twice", rows, len(kinds()))
	}
	scopes := []string{record.AboutRun, record.AboutCase, record.AboutFork}
	for _, k := range Kinds() {
		if k.When == "" || !slices.Contains(scopes, k.Scope) || len(k.Sentences()) == 0 || !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(k.Code) {
			t.Errorf("%s: %+v", k.Code, k)
		}
		names := map[string]bool{}
		for _, f := range k.Sentences() {
			name := f.Name
			if names[name] {
				t.Errorf("%s: two forms are named %q", k.Code, name)
			}
			names[name] = true
			for _, text := range []string{f.Sentence, f.Advice} {
				if strings.HasSuffix(text, ".") || strings.TrimSpace(text) != text || strings.Contains(text, "\n") || strings.Count(text, "[") != strings.Count(text, "]") || strings.Count(text, "{") != strings.Count(text, "}") {
					t.Errorf("%s %s: %q", k.Code, name, text)
				}
			}
			if f.Sentence == "" || !slices.Contains(scopes, f.Scope) {
				t.Errorf("%s %s: %+v", k.Code, name, f)
			}
		}
	}
}

// TestRoundTrip: a warning that was written is read as it was written, whatever its facts are, also where its text is that
// of another version.
func TestRoundTrip(t *testing.T) {
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 1))
	alphabet := []rune("ab7 %:{}[]?-,„ß\"\\\n")
	for _, k := range Kinds() {
		for _, f := range k.Sentences() {
			name := f.Name
			facts := Facts{}
			all, _ := names(f.Sentence + f.Advice)
			for _, n := range all {
				text := "x"
				for range random.IntN(8) {
					text += string(alphabet[random.IntN(len(alphabet))])
				}
				facts[n] = text
			}
			w := WarnForm(k.Code, name, facts)
			if strings.Contains(w.Text, "not known") && !strings.Contains(f.Sentence, "not known") {
				t.Errorf("%s %s: %q", k.Code, name, w.Text)
			}
			if random.IntN(2) == 0 {
				w = Prefix(w, "at 5/s")
			}
			want := *w
			if len(all) > 0 {
				w.Text, w.Advice = "in other words", "other advice"
				if strings.ContainsAny(f.Advice, "{[") || f.Advice == "" {
					w.Advice = want.Advice
				}
			}
			if got := Read(recorded(t, w)); got.Text != want.Text || got.Advice != want.Advice {
				t.Errorf("%s %s, seed %d:\ngot  %+v\nwant %+v", k.Code, name, seed, got, want)
			}
		}
	}
}

// recorded writes a warning to a record and reads it.
func recorded(t *testing.T, w *record.Warn) record.Warn {
	t.Helper()
	var buf bytes.Buffer
	out := record.NewWriter(&buf)
	if err := out.Write(&record.Run{Version: 1}); err != nil {
		t.Fatal(err)
	}
	if err := out.Write(w); err != nil {
		t.Fatal(err)
	}
	in := record.NewReader(&buf, "test")
	for {
		l, err := in.Next()
		if err == io.EOF {
			t.Fatal("no warning")
		}
		if err != nil {
			t.Fatal(err)
		}
		if w, ok := l.(*record.Warn); ok {
			return *w
		}
	}
}

// TestRead: an older record is shown in the words of this version where it has what they need.
func TestRead(t *testing.T) {
	for _, test := range []struct {
		name         string
		w            record.Warn
		text, advice string
	}{
		{"no facts are needed", record.Warn{Code: SameBinary, Text: "the same"}, Of(SameBinary).Sentence, ""},
		{"facts are missing", record.Warn{Code: RecordLost, Text: "3 lines went", Advice: "old"}, "3 lines went", Of(RecordLost).Advice},
		{"one fact is missing", record.Warn{Code: SlowProcessor, Text: "old", Facts: map[string]string{"share": "7 %"}}, "old", Of(SlowProcessor).Advice},
		{"which of several sentences is not known", record.Warn{Code: FewLooks, Text: "no sample", Advice: "old"}, "no sample", "old"},
		{"a sentence of a later version", record.Warn{Code: FewLooks, Form: "later", Text: "later", Advice: "do", Facts: map[string]string{"samples": "1"}}, "later", "do"},
		{"a code of a later version", record.Warn{Code: "later", Text: "later", Advice: "do"}, "later", "do"},
		{"a code that meant something else", record.Warn{Code: NotSettled, Text: "heap: nothing was read: the window was too short", Advice: "old"}, "heap: nothing was read: the window was too short", "old"},
		{"facts", record.Warn{Code: RecordLost, Text: "old", Facts: map[string]string{"lines": "3"}}, "another program changed the record while it was written: 3 of its lines are lost", Of(RecordLost).Advice},
		{"a prefix", record.Warn{Code: RecordLost, Text: "old", Facts: map[string]string{"lines": "3", "of": "at 5/s"}}, "at 5/s: another program changed the record while it was written: 3 of its lines are lost", Of(RecordLost).Advice},
		{"a prefix of an older record", record.Warn{Code: NoAnswer, Text: "at 5/s: no operation was answered"}, "at 5/s: no operation was answered", ""},
	} {
		if got := Read(test.w); got.Text != test.text || got.Advice != test.advice {
			t.Errorf("%s: %q; %q, want %q; %q", test.name, got.Text, got.Advice, test.text, test.advice)
		}
	}
}
