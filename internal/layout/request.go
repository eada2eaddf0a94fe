package layout

import (
	"encoding/json"
	"fmt"
	"strings"
)

func newRequest(q Query, packages []*listed, all map[string]*listed) request {
	r := request{Arch: q.arch(), All: len(q.Types) == 0, Compiled: map[string]compiled{}}
	for path, p := range all {
		r.Compiled[path] = compiled{p.Name, p.Export}
	}
	for _, p := range packages {
		s := source{Path: p.ImportPath, Files: p.sources(), ImportMap: p.ImportMap, Types: q.asked(p)}
		if p.Module != nil {
			s.GoVersion = p.Module.GoVersion
		}
		r.Packages = append(r.Packages, s)
	}
	return r
}

// decodeAnswers reads an answer for each package. It fails if there are fewer, or fewer types than were asked for.
func decodeAnswers(text string, packages []*listed, q Query) ([]answer, error) {
	var answers []answer
	d := json.NewDecoder(strings.NewReader(text))
	for _, p := range packages {
		var a answer
		if err := d.Decode(&a); err != nil {
			return nil, fmt.Errorf("answer for %s: %w", p.ImportPath, err)
		}
		if a.Fault == "" && len(q.Types) > 0 && len(a.Structs) != len(q.asked(p)) {
			return nil, fmt.Errorf("%d answers for %d types of %s", len(a.Structs), len(q.asked(p)), p.ImportPath)
		}
		answers = append(answers, a)
	}
	return answers, nil
}
