package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/cli"
)

// TestGolden shows again what earlier versions recorded, in this process, and compares it
// with what they showed. Each line of manifest.txt is a file and the arguments that print it.
// The same figures have to be there; words may change.
//
//   - JSON: every old key with its old value, except sentences. New keys may be added.
//   - Texts and Markdown: every figure of the old text. Their files may be refreshed by
//     -update where figures are meant to be written another way.
//   - All other formats: the same bytes. These and JSON are promises, which -update leaves.
func TestGolden(t *testing.T) {
	t.Chdir(filepath.Join("testdata", "golden"))
	t.Setenv("LC_ALL", "C.UTF-8")
	manifest, err := os.ReadFile("manifest.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(manifest)) {
		words := strings.Fields(line)
		t.Run(strings.Join(words[1:], " "), func(t *testing.T) {
			old, err := os.ReadFile(words[0])
			if err != nil {
				t.Fatal(err)
			}
			var out, errText bytes.Buffer
			if code := cli.Main(cli.Config{}, words[1:], strings.NewReader(""), &out, &errText); code != 0 && !(code == exit.Untrusted && slices.Contains(words, "--gate")) {
				t.Fatalf("exit %d: %s", code, errText.String())
			}
			if *update && isProse(words[0]) {
				if err := os.WriteFile(words[0], out.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if err := sameFigures(words[0], old, out.Bytes()); err != nil {
				t.Error(err)
			}
		})
	}
}

// goldenForm is the form that a golden file is in: "text", "text-v", "json", "csv" …
func goldenForm(name string) string {
	return strings.TrimPrefix(filepath.Ext(strings.TrimSuffix(name, ".golden")), ".")
}

// isProse reports whether a golden file is read by people alone.
func isProse(name string) bool {
	f := goldenForm(name)
	return f == "md" || strings.HasPrefix(f, "text")
}

// sameFigures returns an error that names what is in old and not in now.
func sameFigures(name string, old, now []byte) error {
	switch f := goldenForm(name); {
	case isProse(name):
		return sameNumbers(string(old), string(now))
	case f == "json" || f == "jmh" || f == "ycsb-json":
		return sameJSON(old, now)
	}
	if !bytes.Equal(old, now) {
		a, b := strings.Split(string(old), "\n"), strings.Split(string(now), "\n")
		for i := range min(len(a), len(b)) {
			if a[i] != b[i] {
				return fmt.Errorf("line %d was\n%s\nand is\n%s", i+1, a[i], b[i])
			}
		}
		return fmt.Errorf("had %d lines, and has %d", len(a), len(b))
	}
	return nil
}

// sameNumbers looks for the figures of one text in another.
func sameNumbers(old, now string) error {
	have := map[float64]bool{}
	for _, x := range figures(now) {
		have[x] = true
	}
	var lost []string
	for _, x := range figures(old) {
		if !have[x] {
			lost = append(lost, strconv.FormatFloat(x, 'g', -1, 64))
		}
	}
	if len(lost) > 0 {
		return fmt.Errorf("figures that were there and are not: %s, in\n%s", strings.Join(lost, " "), now)
	}
	return nil
}

// figures are the numbers of a text that have three digits or a fraction. Those of fewer
// digits tell nothing: too many of them stand in any text.
func figures(text string) (out []float64) {
	split := func(r rune) bool { return r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for _, word := range strings.FieldsFunc(text, split) {
		word = strings.Trim(word, ".")
		if len(word) < 3 {
			continue
		}
		if x, err := strconv.ParseFloat(word, 64); err == nil {
			out = append(out, x)
		} else if x, err := strconv.ParseUint(word, 0, 64); err == nil { // an address
			out = append(out, float64(x))
		}
	}
	return out
}

// sameJSON compares streams of JSON values.
func sameJSON(old, now []byte) error {
	a, b := json.NewDecoder(bytes.NewReader(old)), json.NewDecoder(bytes.NewReader(now))
	for i := 0; ; i++ {
		var x, y any
		ea, eb := a.Decode(&x), b.Decode(&y)
		switch {
		case errors.Is(ea, io.EOF) && errors.Is(eb, io.EOF):
			return nil
		case ea != nil || eb != nil:
			return fmt.Errorf("value %d: was %v, is %v", i, ea, eb)
		}
		if err := sameValue(fmt.Sprintf("value %d", i), x, y); err != nil {
			return err
		}
	}
}

// sentences are keys whose values are written for people.
var sentences = []string{"text", "advice", "why"}

// sameValue reports where a value of JSON lacks something that it had, or has it otherwise.
func sameValue(at string, old, now any) error {
	switch old := old.(type) {
	case map[string]any:
		now, ok := now.(map[string]any)
		if !ok {
			return fmt.Errorf("%s is no object", at)
		}
		for key, x := range old {
			y, ok := now[key]
			if _, text := x.(string); !ok {
				return fmt.Errorf("%s.%s is not there", at, key)
			} else if text && slices.Contains(sentences, key) {
				continue
			}
			if err := sameValue(at+"."+key, x, y); err != nil {
				return err
			}
		}
	case []any:
		now, ok := now.([]any)
		if !ok || len(now) != len(old) {
			return fmt.Errorf("%s: had %d elements, and has %d", at, len(old), len(now))
		}
		for i, x := range old {
			if err := sameValue(fmt.Sprintf("%s[%d]", at, i), x, now[i]); err != nil {
				return err
			}
		}
	default:
		if old == "NaN" && now == nil { // older versions wrote what is not known as text
			return nil
		}
		if old != now {
			return fmt.Errorf("%s was %v, and is %v", at, old, now)
		}
	}
	return nil
}

// TestGoldenNotices: a figure that changes is found in every form.
func TestGoldenNotices(t *testing.T) {
	for _, test := range []struct{ name, old, same, other string }{
		{"x.json.golden", `{"a":[1.5,2],"text":"3"}`, `{"text":"4","b":0,"a":[1.5,2]}`, `{"a":[1.5,2.1],"text":"3"}`},
		{"x.json.golden", `{"a":1} {"a":2}`, `{"a":1}{"a":2}`, `{"a":1}`},
		{"x.json.golden", `{"a":[1]}`, `{"a":[1]}`, `{"a":[1,2]}`},
		{"x.text.golden", "Sum  760 ns/op ± 1.5 %", "1.50 Sum 760.0", "Sum  761 ns/op ± 1.5 %"},
		{"x.asm.text-all.golden", "0x5345ca 1", "0x5345ca 2", "0x5345cb 1"},
		{"x.csv.golden", "a,1\n", "a,1\n", "a,1"},
	} {
		if err := sameFigures(test.name, []byte(test.old), []byte(test.same)); err != nil {
			t.Errorf("%s: %s is %s: %v", test.name, test.old, test.same, err)
		}
		if err := sameFigures(test.name, []byte(test.old), []byte(test.other)); err == nil {
			t.Errorf("%s: %s is not %s", test.name, test.old, test.other)
		}
	}
}
