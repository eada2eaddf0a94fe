package scenario

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/tarebench/tare/internal/client/httpclient"
	"github.com/tarebench/tare/internal/numbers/objective"
	"go.yaml.in/yaml/v3"
)

var nameOf = regexp.MustCompile(nameForm)

// name checks a name that results show and --slo takes.
func (r *reader) name(n *yaml.Node, path string, others []string) string {
	switch {
	case !nameOf.MatchString(n.Value):
		r.add(n, path, "%q: a name has letters, digits, -, _ and . and begins with a letter, because --slo takes it", n.Value)
	case strings.EqualFold(n.Value, "response") || strings.EqualFold(n.Value, "service"):
		r.add(n, path, "%q is a word of --slo: take another name", n.Value)
	}
	for _, o := range others {
		if strings.EqualFold(o, n.Value) {
			r.add(n, path, "%q is here twice; upper and lower case do not differ in --slo", n.Value)
		}
	}
	return n.Value
}

// transaction reads a transaction.
func (r *reader) transaction(key, n *yaml.Node) {
	path := join("transactions", key.Value)
	t := &transaction{name: r.name(key, path, r.s.Transactions()), weight: 1, kind: len(r.s.Kinds())}
	if w := textOf(n, "weight"); w != "" {
		t.weight, _ = strconv.ParseUint(w, 10, 31) // was checked
	}
	steps := &stepReader{reader: r, t: t, all: elements(child(n, "steps")), slots: map[string]int{}}
	for i, x := range steps.all {
		steps.at = i
		steps.step(x, fmt.Sprintf("%s.steps[%d]", path, i))
	}
	if n := child(n, "steps"); n != nil && n.Kind == yaml.SequenceNode && len(t.steps) == 0 {
		r.add(n, path, "has no steps")
	}
	t.slots = len(steps.slots)
	r.s.transactions = append(r.s.transactions, t)
	r.s.weights += t.weight
}

// A stepReader reads the steps of a transaction, in their order.
type stepReader struct {
	*reader
	t     *transaction
	all   []*yaml.Node
	at    int            // the step at hand
	slots map[string]int // captures of the steps before
}

// step reads a step.
func (r *stepReader) step(n *yaml.Node, path string) {
	s := &step{stream: r.s.streams}
	r.s.streams++
	if x := scalarOf(n, "name"); x != nil {
		var others []string
		for _, o := range r.t.steps {
			others = append(others, o.name)
		}
		s.name = r.name(x, join(path, "name"), others)
	}
	r.request(s, n, path)
	r.think(s, scalarOf(n, "think"), join(path, "think"))
	r.check(s, child(n, "check"), join(path, "check"))
	pairs(child(n, "capture"), func(key, value *yaml.Node) { r.capture(s, key, value, join(path, "capture")) })
	if f := scalarOf(n, "follow"); f != nil {
		if s.follow, _ = strconv.Atoi(f.Value); s.follow > maxFollow {
			r.add(f, join(path, "follow"), "%s: at most %d redirects are followed", f.Value, maxFollow)
		}
	}
	for i, x := range elements(child(n, "slo")) {
		r.objective(x, fmt.Sprintf("%s.slo[%d]", path, i), r.t.name+"/"+s.name)
	}
	r.t.steps = append(r.t.steps, s)
}

// maxFollow limits redirects.
const maxFollow = 20

// template reads a scalar as a template.
func (r *stepReader) template(n *yaml.Node, to sink, path string) template {
	t, errs := parseTemplate(n.Value, to, r.scope())
	for _, e := range errs {
		r.addAt(n, e.at, path, "%s", e.err)
	}
	return t
}

// request reads the method, the path, the headers and the body.
func (r *stepReader) request(s *step, n *yaml.Node, path string) {
	var where *yaml.Node
	var found []string
	for _, m := range methods {
		if x := scalarOf(n, m); x != nil {
			s.method, where = strings.ToUpper(m), x
			found = append(found, m)
		}
	}
	if m := scalarOf(n, "method"); m != nil {
		found = append(found, "method")
		if s.method, where = m.Value, scalarOf(n, "path"); where == nil {
			r.add(m, path, "method needs a path")
		}
		if !httpclient.IsToken(m.Value) || strings.EqualFold(m.Value, "CONNECT") {
			r.add(m, join(path, "method"), "%q is no method that is sent to a path", m.Value)
		}
	} else if x := scalarOf(n, "path"); x != nil {
		r.add(x, path, "path needs a method, as {method: PURGE, path: /x}")
	}
	switch len(found) {
	case 1:
	case 0:
		r.add(n, path, "has no request: want one of %s, with a path", strings.Join(methods[:], ", "))
	default:
		r.add(n, path, "has %d requests, %s: want one", len(found), strings.Join(found, " and "))
	}
	if where != nil {
		r.path(s, where, join(path, found[0]))
	}
	pairs(child(n, "headers"), func(key, value *yaml.Node) { r.header(s, key, value, join(path, "headers")) })
	r.body(s, n, path)
}

func (r *stepReader) path(s *step, n *yaml.Node, path string) {
	s.source = n.Value
	to := inPath
	if strings.HasPrefix(n.Value, "${") && strings.IndexByte(n.Value, '}') == len(n.Value)-1 {
		to = inURL // a path that a server sent
	} else if !strings.HasPrefix(n.Value, "/") {
		r.add(n, path, "%q: a path begins with /, or is one variable that holds a path", n.Value)
	}
	s.path = r.template(n, to, path)
	for _, p := range s.path.parts {
		if p.from == fixed && (strings.ContainsAny(p.text, " #") || !httpclient.IsHeaderValue(p.text)) {
			r.add(n, path, "%q: spaces, # and control characters are written as %%20, %%23 and so on", n.Value)
			break
		}
	}
}

func (r *stepReader) header(s *step, key, value *yaml.Node, path string) {
	path = join(path, key.Value)
	if !httpclient.IsToken(key.Value) {
		r.add(key, path, "%q is no name of a header", key.Value)
		return
	}
	if value.Kind != yaml.ScalarNode {
		return
	}
	t := r.template(value, inHeader, path)
	secret := isSecretHeader(key.Value)
	for _, p := range t.parts {
		if p.from == fixed && !httpclient.IsHeaderValue(p.text) {
			r.add(value, path, "a header has no line breaks")
			return
		}
	}
	if secret && !t.varies() && !t.secret {
		r.add(value, path, "a secret is not written into the file: name an environment variable, env: [TOKEN], and write ${env.TOKEN}")
	}
	if strings.EqualFold(key.Value, "host") {
		s.host = &t
		return
	}
	s.headers = append(s.headers, header{name: key.Value, value: t, secret: secret || t.secret})
}

// readBody reads the file of a body.
func (r *reader) readBody(name string) (string, error) {
	if r.alone {
		return "", fmt.Errorf("%w: %s", ErrFile, name)
	}
	return httpclient.ReadBody(r.resolve(name))
}

// body reads the body, as text, from a file, or as JSON.
func (r *stepReader) body(s *step, n *yaml.Node, path string) {
	text, value := scalarOf(n, "body"), child(n, "json")
	switch {
	case text != nil && value != nil:
		r.add(text, path, "body and json: want one of them")
	case text != nil && strings.HasPrefix(text.Value, "@"):
		content, err := r.readBody(text.Value[1:])
		r.addError(text, join(path, "body"), err)
		t, errs := parseTemplate(content, asIs, r.scope())
		for _, e := range errs {
			r.add(text, join(path, "body"), "%s: at byte %d: %s", text.Value[1:], e.at+1, e.err)
		}
		s.body = &t
	case text != nil:
		t := r.template(text, asIs, join(path, "body"))
		s.body = &t
	case value != nil:
		w := &jsonWriter{r: r}
		w.value(value, join(path, "json"), 0)
		w.flush()
		s.body = &w.t
		for _, h := range s.headers {
			if strings.EqualFold(h.name, "content-type") {
				return
			}
		}
		s.headers = append(s.headers, header{name: "Content-Type", value: template{parts: []part{{text: "application/json"}}}})
	}
}

// think reads 1s or 200ms..2s.
func (r *stepReader) think(s *step, n *yaml.Node, path string) {
	if n == nil {
		return
	}
	from, to, ramp := strings.Cut(n.Value, "..")
	if !ramp {
		to = from
	}
	a, err := time.ParseDuration(from)
	b, err2 := time.ParseDuration(to)
	switch {
	case err != nil || err2 != nil || a < 0 || b <= 0 || a > b || b > math.MaxInt32*time.Millisecond:
		r.add(n, path, "%q is no pause, as 1s or 200ms..2s", n.Value)
	case r.at == len(r.all)-1:
		r.add(n, path, "no step follows: a pause is before the next step")
	}
	s.think = [2]time.Duration{a, b}
}

// objective checks an objective. about names the step that it is about.
func (r *reader) objective(n *yaml.Node, path, about string) {
	text := strings.TrimSpace(about + " " + n.Value)
	if _, err := objective.Parse(text); err != nil {
		if about != "" {
			err = fmt.Errorf("%q is no objective of a step: want one such as p99<50ms or errors<1%%", n.Value)
		}
		r.addError(n, path, err)
	}
	r.s.Objectives = append(r.s.Objectives, text)
}
