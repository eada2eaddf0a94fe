package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// emptyLines makes an empty line of each kind.
var emptyLines = map[string]func() Line{
	"run":       func() Line { return new(Run) },
	"bin":       func() Line { return new(Bin) },
	"case":      func() Line { return new(Case) },
	"fork":      func() Line { return new(Fork) },
	"sample":    func() Line { return new(Sample) },
	"hist":      func() Line { return new(Hist) },
	"tare":      func() Line { return new(Overhead) },
	"warn":      func() Line { return new(Warn) },
	"attach":    func() Line { return new(Attach) },
	"load":      func() Line { return new(Load) },
	"agent":     func() Line { return new(Agent) },
	"stall":     func() Line { return new(Stall) },
	"marks":     func() Line { return new(Marks) },
	"bisect":    func() Line { return new(Bisect) },
	"another":   func() Line { return new(AnotherRun) },
	"reference": func() Line { return new(Reference) },
	"look":      func() Line { return new(InterimAnalysis) },
	"replan":    func() Line { return new(Replan) },
	"end":       func() Line { return new(End) },
}

// LineKinds returns the kinds of lines that this package knows, in alphabetical order. A [LineDecoder] returns a line of each
// as its own type.
func LineKinds() []string { return slices.Sorted(maps.Keys(emptyLines)) }

// newLine returns an empty line of the kind, nil if the kind is unknown.
func newLine(kind string) Line {
	if empty := emptyLines[kind]; empty != nil {
		return empty()
	}
	return nil
}

// kindOf returns the kind of a line. If the key "k" is first, as writers place it,
// the rest of the line is not read; other programs may have moved it.
func kindOf(text []byte) (string, error) {
	if rest, ok := bytes.CutPrefix(text, []byte(`{"k":"`)); ok {
		kind, _, ok := bytes.Cut(rest, []byte(`"`))
		if ok && !bytes.Contains(kind, []byte(`\`)) {
			return string(kind), nil
		}
	}
	var probe struct {
		K *string `json:"k"`
	}
	if err := json.Unmarshal(text, &probe); err != nil {
		return "", decodeError("", err)
	}
	if probe.K == nil {
		return "", errors.New(`no key "k"`)
	}
	return *probe.K, nil
}

// versionOf returns the format and tare versions of a run line, whatever else a newer
// version may have changed. written is the format version as it stands there.
func versionOf(text []byte) (version int, written, tare string) {
	var probe struct {
		V    json.RawMessage `json:"v"`
		Tare any             `json:"tare"`
	}
	if json.Unmarshal(text, &probe) != nil {
		return 0, "", ""
	}
	v, _ := strconv.ParseFloat(string(probe.V), 64) // 0 of what is no number, infinite of one that is too large
	tare, _ = probe.Tare.(string)
	return int(max(0, min(v, 1<<30))), string(probe.V), tare
}

// decodeError rewrites an error of encoding/json without Go terms.
func decodeError(kind string, err error) error {
	where := "line"
	if kind != "" {
		where = fmt.Sprintf("%.20s line", kind)
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("%s: %w at byte %d", where, err, syntax.Offset)
	}
	if typ, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if typ.Field == "" {
			return fmt.Errorf("%s: is no object but a JSON %s", where, typ.Value)
		}
		return fmt.Errorf("%s: key %q cannot be a JSON %s", where, typ.Field, typ.Value)
	}
	return fmt.Errorf("%s: %s", where, strings.TrimPrefix(err.Error(), "json: "))
}

// blank reports whether a line has only white space.
func blank(text []byte) bool { return len(bytes.Trim(text, " \t\r")) == 0 }
