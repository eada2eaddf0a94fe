package cli_test

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/pprof/profile"

	"github.com/tarebench/tare/internal/testkit/testutil"
	"github.com/tarebench/tare/record"
)

// hostile is a name that terminals, Markdown, HTML and spreadsheets would obey.
const hostile = "=cmd|' /C calc'!A0\x1b[2J\x1b]0;x\x07\u009b31m\u202eevil\u2066\r\n\x00`|<script>alert(1)</script>\u200b\u2028"

// hostileKeys are the keys of records whose texts others choose.
var hostileKeys = []string{
	"name", "text", "advice", "fn", "func", "file", "pkg", "side", "role", "tag", "why", "tail", "cpu", "kernel", "path", "sym", "symbol", "label",
	"virtual", "ref", "revision", "dir", "os", "arch", "go", "op", "value", "source", "mod", "title", "first", "key", "class", "status", "part",
}

// addresses are texts with secrets, each of which begins with HUN.
const addresses = ` https://me:HUNTER@h/x?a=1&sig=HUNTER&token=HUNTER&X-Amz-Signature=HUNTER /x?a=1\u0026sig=HUNTER postgres://u:HUN"TER@h` +
	` postgres://u:HUN<TER HUN TER@h?password=HUNTER redis://:HUNTER `

// formula is how names begin, for spreadsheets.
const formula = "+1+"

// poison returns a record in which the texts that others choose end in more text, and names begin with a formula.
// Whatever stands for the same thing stays the same. Texts in attachments are among them, those of profiles too.
// Names of attachments and tags of histograms say what follows, so that there is one of each with another name beside
// it.
func poison(t *testing.T, text, more string) string {
	t.Helper()
	var out bytes.Buffer
	for line := range strings.Lines(text) {
		var l map[string]any
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if d.Decode(&l) != nil {
			out.WriteString(line) // cut off
			continue
		}
		kind := l["k"]
		poisonIn(l, kind, more)
		if data, ok := l["data"].(string); ok && kind == "attach" {
			l["data"] = poisonData(t, data, more)
		}
		key := map[any]string{"attach": "name", "hist": "tag"}[kind]
		if key == "" {
			writeLine(t, &out, l)
			continue
		}
		was := l[key].(string)
		l[key] = was + more
		writeLine(t, &out, l)
		l[key] = was
		writeLine(t, &out, l)
	}
	return out.String()
}

func writeLine(t *testing.T, out *bytes.Buffer, l map[string]any) {
	t.Helper()
	b, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(out, "%s\n", b)
}

// poisonData poisons the data of an attachment: JSON or a profile of pprof, in base64.
func poisonData(t *testing.T, data, more string) string {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	var x any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&x) == nil {
		poisonIn(x, "data", more)
		if raw, err = json.Marshal(x); err != nil {
			t.Fatal(err)
		}
		return base64.StdEncoding.EncodeToString(raw)
	}
	p, err := profile.ParseData(raw)
	if err != nil {
		return base64.StdEncoding.EncodeToString(append(raw, more...)) // plain text, such as objectives
	}
	for _, f := range p.Function {
		f.Name, f.SystemName, f.Filename = formula+f.Name+more, f.SystemName+more, f.Filename+more
	}
	for _, s := range p.Sample {
		if reasons := s.Label[record.LabelReason]; len(reasons) > 0 {
			reasons[0] += more
		}
	}
	var out bytes.Buffer
	if err := p.Write(&out); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

func poisonIn(x any, kind any, more string) {
	switch x := x.(type) {
	case map[string]any:
		for key, v := range x {
			s, isText := v.(string)
			switch {
			case isText && s != "" && slices.Contains(hostileKeys, key) && !(kind == "attach" && key == "name") && !(kind == "hist" && key == "tag") && !(kind == "data" && fixedKeys[key]):
				if key == "name" || key == "fn" || key == "func" || key == "side" {
					s = formula + s
				}
				x[key] = s + more
			case key == "v" && kind == "sample":
			case key == "data" && isText:
			default:
				poisonIn(v, kind, more)
			}
		}
	case []any:
		for i, v := range x {
			if _, ok := v.(string); ok {
				x[i] = v.(string) + more
				continue
			}
			poisonIn(v, kind, more)
		}
	}
}

// fixedKeys are keys of attachments whose texts are words of a set.
var fixedKeys = map[string]bool{"source": true}

// TestHostileText: no verb in any format lets a name through that a terminal, a browser or a
// spreadsheet would obey, or the secret of an address, whatever a record says.
func TestHostileText(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	files, err := filepath.Glob(filepath.Join("testdata", "golden", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	if !testutil.Long() { // one of each kind
		files = slices.DeleteFunc(files, func(f string) bool {
			return !slices.Contains(oneOfEach, strings.TrimSuffix(filepath.Base(f), ".jsonl"))
		})
	}
	shown := map[string]int{} // outputs with hostile names, by their formats
	all := 0
	eachOutput(t, files, addresses+hostile, func(what, format, text string) {
		if format == "jsonl" && strings.HasPrefix(what, "killed.jsonl") {
			text = text[:strings.LastIndexByte(text, '\n')+1] // the last line of this record is cut off, and so is that of its copies
		}
		if bad := obeyed(text, format); bad != "" {
			t.Errorf("%s: %.300q", what, bad)
		}
		if at := strings.Index(text, "HUN"); at >= 0 {
			t.Errorf("%s shows a secret: …%.300q", what, text[max(0, at-100):])
		}
		if strings.Contains(text, "evil") {
			shown[format]++
			all++
		}
	})
	for _, format := range []string{"text", "md", "csv", "json", "jsonl", "benchfmt", "hlog", "svg", "folded", "callgrind", "ycsb", "jmh", "junit", "messages"} {
		if shown[format] == 0 {
			t.Errorf("hostile names are in no output of format %s: the test does not reach what is shown", format)
		}
	}
	if all < 100 {
		t.Errorf("hostile names are in %d outputs only: %v", all, shown)
	}
}

// eachOutput calls each with all that every verb writes about records whose texts end in more: in every format, to
// standard output, in files and as messages.
func eachOutput(t *testing.T, files []string, more string, each func(what, format, text string)) {
	t.Helper()
	dir := t.TempDir()
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.Base(file))
		if err := os.WriteFile(path, []byte(poison(t, string(text), more)), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, args := range hostileVerbs {
			words := append(slices.Clone(args), path)
			out := ""
			if i := slices.Index(words, "-o"); i >= 0 {
				out = filepath.Join(dir, words[i+1])
				words[i+1] = out
			}
			_, stdout, messages := run("", words...)
			what := fmt.Sprintf("%s, %q", filepath.Base(file), args)
			each(what+", stdout", formatOf(args), stdout)
			each(what+", messages", "messages", messages)
			if written, err := os.ReadFile(out); err == nil {
				each(what+", file", formatOf(args), string(written))
				os.Remove(out)
			}
		}
	}
}

// oneOfEach has a record of each kind.
var oneOfEach = []string{"bench-sides", "bench-latency", "time-one", "load", "asm-command", "trace", "sample", "contrast", "selftest"}

// hostileVerbs are the verbs that show records, in every format.
var hostileVerbs = func() (all [][]string) {
	for _, f := range []string{"text", "json", "csv", "md", "benchfmt", "jmh", "junit", "ycsb", "ycsb-json"} {
		all = append(all, []string{"report", "--format", f})
	}
	for _, f := range []string{"text", "json", "csv", "md", "benchfmt", "junit"} {
		all = append(all, []string{"compare", "--format", f})
	}
	for _, v := range []string{"asm", "trace", "sample", "contrast"} {
		all = append(all, []string{v, "--format", "text"}, []string{v, "--format", "json"})
	}
	for _, f := range []string{"text", "csv", "json", "md"} {
		all = append(all, []string{"hist", "--format", f})
	}
	for _, f := range []string{"text", "csv", "json"} {
		all = append(all, []string{"hist", "slowest", "--format", f})
	}
	for _, f := range []string{"csv", "hlog", "json", "hgrm"} {
		all = append(all, []string{"hist", "convert", "--format", f})
	}
	for verb, suffixes := range map[string][]string{
		"report": {"csv", "jsonl"}, "asm": {"txt"}, "trace": {"svg", "folded", "trace.json", "callgrind", "speedscope.json"}, "sample": {"svg", "folded", "callgrind", "speedscope.json"}, "contrast": {"txt"},
	} {
		for _, suffix := range suffixes {
			all = append(all, []string{verb, "-o", "out." + suffix})
		}
	}
	return append(all, []string{"report", "-v"}, []string{"report", "--format", "jsonl"}, []string{"selftest", "--show"},
		[]string{"hist", "plot", "-o", "out.svg"}, []string{"hist", "cut", "--from", "0s", "-o", "out.hlog"}, []string{"hist", "merge", "-o", "out.hlog"},
		[]string{"asm", "--format", "jsonl"}, []string{"bench", "--resume"})
}()

func formatOf(args []string) string {
	if i := slices.Index(args, "--format"); i >= 0 {
		return args[i+1]
	}
	if i := slices.Index(args, "-o"); i >= 0 {
		_, suffix, _ := strings.Cut(args[i+1], ".")
		if suffix == "txt" {
			return "text"
		}
		return suffix
	}
	return "text"
}

// control returns the line of a text with a character that a terminal obeys.
func control(text string) string {
	for line := range strings.SplitSeq(text, "\n") {
		for i, r := range line {
			if r == utf8.RuneError || r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029' {
				return line[i:]
			}
		}
	}
	return ""
}

// obeyed returns what of a text in a format would be obeyed, "" for nothing.
func obeyed(text, format string) string {
	switch format {
	case "json", "jmh", "ycsb-json", "jsonl", "trace.json", "speedscope.json":
		for d := json.NewDecoder(strings.NewReader(text)); d.More(); {
			if err := d.Decode(new(any)); err != nil {
				return err.Error()
			}
		}
		return control(text)
	case "csv":
		for r := csv.NewReader(strings.NewReader(text)); ; {
			r.FieldsPerRecord = -1
			row, err := r.Read()
			if err == io.EOF {
				break
			}
			if err != nil {
				return err.Error()
			}
			for _, cell := range row {
				if _, err := strconv.ParseFloat(cell, 64); err != nil && strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r") {
					return cell
				}
			}
		}
	case "svg":
		for d := xml.NewDecoder(strings.NewReader(text)); ; {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				return err.Error()
			}
			if bad := scripted(d, token); bad != "" {
				return bad
			}
		}
	case "md":
		if i := strings.Index(outsideCode(text), "<script"); i >= 0 {
			return outsideCode(text)[max(0, i-80):]
		}
	}
	return control(text)
}

// scripted returns the script of an element of an image if a hostile name is in it.
func scripted(d *xml.Decoder, token xml.Token) string {
	e, ok := token.(xml.StartElement)
	if !ok {
		return ""
	}
	for _, a := range e.Attr {
		if name := strings.ToLower(a.Name.Local); (strings.HasPrefix(name, "on") || name == "href") && strings.Contains(a.Value, "evil") {
			return a.Value
		}
	}
	if strings.ToLower(e.Name.Local) != "script" {
		return ""
	}
	text, _ := d.Token()
	if inside, _ := text.(xml.CharData); strings.Contains(string(inside), "evil") {
		return string(inside)
	}
	return ""
}

// outsideCode returns a Markdown text without its blocks and spans of code.
func outsideCode(text string) string {
	var out strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(mark) >= 3:
			fence = mark
		case fence != "" && mark == fence && strings.TrimSpace(line) == fence:
			fence = ""
		case fence == "":
			out.WriteString(codeSpan.ReplaceAllString(line, ""))
		}
	}
	return out.String()
}

// codeSpan matches what stands between as many backticks on both sides.
var codeSpan = regexp.MustCompile("(^|[^`])(`[^`]+`|``[^`].*?[^`]``|```[^`].*?[^`]```)")

// TestHostileLog: no verb lets a tag of a log through that a terminal, a browser or a spreadsheet would obey.
func TestHostileLog(t *testing.T) {
	_, log, messages := run("", "hist", "convert", "--format", "hlog", filepath.Join("testdata", "golden", "load.jsonl"))
	if !strings.Contains(log, "Tag=READ") {
		t.Fatal(log, messages)
	}
	tag := strings.NewReplacer("\r", "", "\n", "", ",", "", " ", "_", "\u2028", "").Replace(formula + hostile)
	path := filepath.Join(t.TempDir(), "x.hlog")
	if err := os.WriteFile(path, []byte("#[title: "+tag+"]\n"+strings.ReplaceAll(log, "Tag=READ", "Tag="+tag+"READ")), 0o666); err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, args := range hostileVerbs {
		if args[0] != "hist" {
			continue
		}
		words := append(slices.Clone(args), path)
		out := filepath.Join(t.TempDir(), "out")
		if i := slices.Index(words, "-o"); i >= 0 {
			out += words[i+1]
			words[i+1] = out
		}
		_, text, messages := run("", words...)
		written, _ := os.ReadFile(out) // none without -o
		if text += string(written); strings.Contains(text, "evil") {
			shown++
		}
		if bad := obeyed(text, formatOf(args)) + obeyed(messages, "messages"); bad != "" {
			t.Errorf("%q: %.300q", args, bad)
		}
	}
	if shown < 10 {
		t.Errorf("hostile tags are in %d outputs only", shown)
	}
}

// TestBombInRecord: a profile in a record that unpacks to a gibibyte is refused before it takes memory.
func TestBombInRecord(t *testing.T) {
	var member, bomb bytes.Buffer
	z := gzip.NewWriter(&member)
	z.Write(make([]byte, 1<<20)) // to memory
	z.Close()
	for range 1 << 10 { // members of one file
		bomb.Write(member.Bytes())
	}
	data := base64.StdEncoding.EncodeToString(bomb.Bytes())
	text := regexp.MustCompile(`("name":"sampled\.pb\.gz",[^}]*"data":")[^"]*`).ReplaceAllString(goldenRecord(t, "sample"), "${1}"+data)
	if !strings.Contains(text, data) {
		t.Fatal("the record has no profile")
	}
	path := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"sample"}, {"report"}, {"sample", "-o", filepath.Join(t.TempDir(), "x.svg")}, {"report", "--format", "jsonl"}} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, out, messages := run("", append(slices.Clone(args), path)...)
		runtime.ReadMemStats(&after)
		if args[0] == "sample" && !strings.Contains(out+messages, "what the profile unpacks to is larger than 100 times the file") {
			t.Errorf("%q: %.300s%.300s", args, out, messages)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 96<<20 { // far from the gibibyte; secrets that other tests have named take some, too
			t.Errorf("%q: %d MiB were allocated", args, n>>20)
		}
	}
}
