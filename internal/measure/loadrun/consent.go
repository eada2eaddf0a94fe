package loadrun

import (
	"fmt"
	"maps"
	"net/netip"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
)

// asked returns the schedule and its length in words.
func (p *Plan) asked() string {
	text := p.Arrivals()
	switch c := p.Run; {
	case p.Stepped() != "":
	case c.Operations > 0:
		text += fmt.Sprintf(", %d operations", c.Operations)
	case c.Duration > 0:
		text += " for " + c.Duration.String()
	}
	return text
}

// announce names a target off this machine before it is loaded.
func (r *Runner) announce(s *system) {
	if r.plan.YCSBText && r.Status != nil { // whose format has no place for them
		for _, note := range s.caps.Notes {
			r.Status.print("note: " + note)
		}
		if w := r.plan.warnIdle(); w != nil {
			r.Status.print("warning: " + r.plan.Redact(w.Text))
		}
	}
	if r.plan.allow != nil && r.Status != nil {
		fmt.Fprintf(r.Status, "tare: load for %s, as allowed by --allow-host %s: %s\n", s.caps.Name, r.plan.allow, r.plan.asked())
	}
}

// writeMoved warns of allowed names that resolved to other addresses in mid-run.
func (r *Runner) writeMoved() error {
	moved := r.plan.allow.Moved()
	for _, name := range slices.Sorted(maps.Keys(moved)) {
		if err := r.out.Write(diagnosis.Warn(diagnosis.Moved, diagnosis.Facts{"host": name, "addresses": join(moved[name])})); err != nil {
			return err
		}
	}
	return nil
}

func join(ips []netip.Addr) string {
	var out []string
	for _, ip := range ips {
		out = append(out, ip.String())
	}
	return strings.Join(out, ", ")
}
