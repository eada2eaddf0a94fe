package cli

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/measure/benchrun"
	"github.com/tarebench/tare/internal/result/gate"
	"github.com/tarebench/tare/record"
)

// registerSides adds the flags that say what is compared with what.
func registerSides(fl *pflag.FlagSet, f *benchrun.SideOptions) {
	fl.StringArrayVar(&f.Against, "against", nil, "compare the working tree with this `revision`, measured interleaved with it, or with saved:NAME, a record of --save, of another run; repeatable")
	fl.StringArrayVar(&f.Side, "side", nil, "compare `NAME=X`, a directory or a revision; repeatable, the first is the base")
	fl.StringArrayVar(&f.Toolchain, "toolchain", nil, "build the side NAME with a toolchain: `NAME=go1.25.5`")
	fl.StringArrayVar(&f.Env, "side-env", nil, "set a variable for building and running the side NAME: `NAME=K=V`")
	fl.StringArrayVar(&f.Flags, "side-flags", nil, "build flags of the side NAME: `NAME='-gcflags=-l -pgo=x.prof'`")
	fl.StringArrayVar(&f.Deep, "side-deep", nil, "--deep for the side `NAME` alone: what the hooks cost")
}

// checkSides checks the flags of comparisons and sets the configuration.
func (f *benchFlags) checkSides(cmd *cobra.Command, c *record.Config, p *problems) {
	sides, err := f.sides.Sides()
	if err != nil {
		p.Add("%v", err)
	}
	threshold := p.share("threshold", f.threshold)
	p.correction(c.Correction)
	p.test(c.Test)
	if _, err := gate.Parse(f.gates); err != nil {
		p.Add("%v", err)
	}
	if c.Layouts < 0 || c.Layouts == 1 {
		p.Add("--layouts %d is less than 2", c.Layouts)
	}
	if len(sides) > 0 {
		c.Threshold = threshold
		return
	}
	if len(f.with) > 0 && cmd.Name() == "bench" { // a history has revisions of its own
		p.Add("--with gives revisions a file, and there are none: --against REV")
	}
	f.correction, c.Correction = c.Correction, ""
	if f.compares() { // with a saved record: it is judged, and this one is not
		return
	}
	for _, name := range []string{"gate", "threshold", "correction"} {
		if cmd.Flags().Changed(name) {
			p.Add("--%s needs sides to compare: --against REV, or --side NAME=DIR", name)
		}
	}
}
