package plan

import (
	"context"
	"math/rand/v2"

	"github.com/tarebench/tare/record"
)

// CalibrateLike calibrates the case of another side. It takes N and the iterations from base, because the cost of a
// benchmark may depend on N, and the minimum of a fork on how many iterations it has.
func (p *Plan) CalibrateLike(ctx context.Context, run Runner, c, base *record.Case) (*Failure, error) {
	p.takeOver(c, base)
	_, f, err := p.measureForks(ctx, p.observed(run), c)
	return f, err
}

// identity identifies a benchmark on all sides.
type identity struct {
	pkg, name string
	procs     int
}

// groups returns the cases grouped by benchmark.
func (p *Plan) groups() [][]*record.Case {
	var out [][]*record.Case
	at := map[identity]int{}
	for _, c := range p.Cases {
		id := identity{c.Pkg, c.Name, c.Procs}
		i, known := at[id]
		if !known {
			i = len(out)
			at[id] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], c)
	}
	return out
}

// shuffle returns the order of a round. The sides of a benchmark follow each other in random order, because the
// noise of a machine changes within seconds.
func (p *Plan) shuffle(round int) []*record.Case {
	groups := p.groups()
	within := rand.New(rand.NewPCG(uint64(p.Seed), 1<<63|uint64(round)))
	var out []*record.Case
	for _, g := range Order(p.Seed, round, len(groups)) {
		for _, i := range within.Perm(len(groups[g])) {
			out = append(out, groups[g][i])
		}
	}
	return out
}
