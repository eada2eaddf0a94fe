package diagnosis

import (
	"fmt"
	"maps"
	"strings"

	"github.com/tarebench/tare/internal/base/units"
	"github.com/tarebench/tare/record"
)

// Facts are what a sentence names, by name. Figures are written by package units, integers by Warn. What is "", nil or
// false is missing; true is a condition that holds.
type Facts map[string]any

// prefixFact is the fact that a text of any kind begins with, such as the name of a profiler, a role or a phase.
const prefixFact = "of"

// Warn returns a warning with the sentence and the advice of a code. It is about what the code is about, without an ID.
func Warn(code string, facts Facts) *record.Warn { return WarnForm(code, "", facts) }

// WarnForm is [Warn] with another sentence of the code.
func WarnForm(code, form string, facts Facts) *record.Warn {
	f, _ := Of(code).form(form)
	w := &record.Warn{About: f.Scope, Code: code, Form: form, Facts: f.written(facts)}
	w.Text, _ = expand(f.Sentence, w.Facts)
	w.Advice, _ = expand(f.Advice, w.Facts)
	return w
}

// Prefix has the text of a warning begin with a name and a colon, before what it began with, and returns the warning.
func Prefix(w *record.Warn, name string) *record.Warn {
	w.Text = name + ": " + w.Text
	if earlier := w.Facts[prefixFact]; earlier != "" {
		name += ": " + earlier
	}
	w.Facts = maps.Clone(w.Facts)
	if w.Facts == nil {
		w.Facts = map[string]string{}
	}
	w.Facts[prefixFact] = name
	return w
}

// Read returns a warning of a record in the words of this version, which fit its documents. The text and the advice of the
// record stay where this version does not know the code or the sentence, or where the record lacks facts of it.
func Read(w record.Warn) record.Warn {
	k := Of(w.Code)
	f, found := k.form(w.Form)
	if !found || len(k.Forms) > 0 && w.Form == "" && len(w.Facts) == 0 { // an older record does not say which
		return w
	}
	if text, ok := again(f.Sentence, w.Facts); ok && !strings.HasSuffix(w.Text, ": "+text) {
		w.Text = text
		if name := w.Facts[prefixFact]; name != "" {
			w.Text = name + ": " + text
		}
	}
	if advice, ok := again(f.Advice, w.Facts); ok && advice != "" {
		w.Advice = advice
	}
	return w
}

// again returns a sentence with the facts of a record, and whether these suffice.
func again(sentence string, facts map[string]string) (string, bool) {
	if strings.ContainsAny(sentence, "{[") && len(facts) == 0 {
		return "", false
	}
	return expand(sentence, facts)
}

// written returns those facts that the sentence and the advice have, as they are recorded.
func (f Form) written(facts Facts) map[string]string {
	var out map[string]string
	for name, x := range facts {
		if all := f.Sentence + f.Advice; !strings.Contains(all, "{"+name+"}") && !strings.Contains(all, "["+name+"?") {
			continue
		}
		text := ""
		switch x := x.(type) {
		case nil:
		case bool:
			if x {
				text = "true"
			}
		case int:
			text = units.Count(x)
		case int64:
			text = units.Count(x)
		default:
			text = fmt.Sprint(x)
		}
		if text == "" {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[name] = text
	}
	return out
}
