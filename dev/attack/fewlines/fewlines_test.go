package fewlines_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tarebench/tare/dev/attack/fewlines"
	"github.com/tarebench/tare/record"
)

// TestFile: the reader accepts every line that is drawn, the same seed gives the same bytes, and lines of all kinds and with all
// attachments are drawn.
func TestFile(t *testing.T) {
	real, err := os.ReadFile(filepath.FromSlash("../../../record/testdata/v1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, records := range [][][]byte{nil, {real}} {
		source, seen := fewlines.New(records...), map[string]int{}
		for seed := range uint64(400) {
			file := source.File(rand.New(rand.NewPCG(seed, 1)))
			if again := source.File(rand.New(rand.NewPCG(seed, 1))); !bytes.Equal(again, file) {
				t.Fatalf("seed %d gave\n%s\nand then\n%s", seed, file, again)
			}
			for _, err := range record.NewReader(bytes.NewReader(file), "drawn").All() {
				if err != nil {
					t.Errorf("seed %d: %v\n%s", seed, err, file)
				}
			}
			for line := range bytes.Lines(file) {
				var l struct{ K, Name string }
				if err := json.Unmarshal(line, &l); err != nil {
					t.Fatal(err)
				}
				if seen[l.K]++; l.K == "attach" {
					seen["attach "+l.Name]++
				}
			}
		}
		for _, kind := range record.LineKinds() {
			if seen[kind] < 5 {
				t.Errorf("%d lines of kind %s", seen[kind], kind)
			}
		}
		for _, name := range attachmentNames(t) {
			if seen["attach "+name] < 1 {
				t.Errorf("%d attachments %s", seen["attach "+name], name)
			}
		}
	}
}

// attachmentNames are the names of attachments that package record declares.
func attachmentNames(t *testing.T) (names []string) {
	t.Helper()
	sources, err := filepath.Glob(filepath.FromSlash("../../../record/*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range sources {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`Attach\w+ += "(.*)"`).FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
	}
	if len(names) < 10 {
		t.Fatalf("found only %q", names)
	}
	return names
}

// TestShrink: what a failure does not need is left out, also inside of an attachment.
func TestShrink(t *testing.T) {
	data, err := json.Marshal([]byte(`{"ops":12345,"sites":[{"line":7},{"line":8,"func":"main.f"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	file := `{"k":"run","v":1,"tare":"1","sides":[{"name":"old"},{"name":"new"}]}
{"k":"case","id":1,"name":"B"}
{"k":"attach","fork":12,"name":"allocs","data":` + string(data) + `}
{"k":"end","state":"completed"}
`
	small := fewlines.Shrink([]byte(file), func(file []byte) bool {
		inside := regexp.MustCompile(`"data":"(.*)"`).FindSubmatch(file)
		if inside == nil || !bytes.Contains(file, []byte(`"new"`)) {
			return false
		}
		var text []byte
		json.Unmarshal([]byte(`"`+string(inside[1])+`"`), &text)
		return bytes.Contains(text, []byte("main.f"))
	})
	want, err := json.Marshal([]byte(`{"sites":[{"func":"main.f"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(small), `{"k":"run","v":1,"sides":[{"name":"new"}]}`+"\n"+`{"k":"attach","data":`+string(want)+"}\n"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestDraw: groups have command lines with the file in them.
func TestDraw(t *testing.T) {
	for _, group := range fewlines.Draw(rand.New(rand.NewPCG(1, 1)), fewlines.Commands(), 100) {
		for _, line := range group {
			if text := strings.Join(line, " "); !strings.Contains(text, fewlines.FileHere) {
				t.Errorf("%s reads no file", text)
			}
		}
	}
}
