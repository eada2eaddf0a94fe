package job

import (
	"errors"
	"fmt"
	"os"

	"github.com/tarebench/tare/internal/base/exit"
)

// Validate returns one error that names every contradiction, by the names of the options.
func (c *Command) Validate() error {
	p := &exit.Problems{}
	p.AtLeast("runs", c.Runs, 1)
	p.AtLeast("warmup", c.Warmup, 0)
	checkPositive(p, c.Given, "timeout", c.Timeout)
	checkConfidence(p, c.Confidence)
	checkSeed(p, c.Given, c.Seed)
	c.checkPlaces(p)
	c.checkLines(p)
	return p.Err()
}

// checkLines checks what is run.
func (c *Command) checkLines(p *exit.Problems) {
	lines := c.lines(p)
	for _, x := range []struct {
		option string
		lines  []string
	}{{"setup", c.Setup}, {"prepare", c.Prepare}, {"cleanup", c.Cleanup}} {
		c.split(p, x.option, x.lines)
		if len(x.lines) > 1 && x.option != "prepare" {
			p.Add("--%s is given twice; join the commands by && and --shell", x.option)
		}
	}
	switch others := len(c.Against) + len(c.Side); {
	case len(c.Words) > 0:
	case others == 0:
		p.AddError(exit.Usage(errors.New("time needs a command"), "tare time -- COMMAND [ARG...]"))
	case others == 1 || len(c.Against) > 0:
		p.AddError(exit.Usage(errors.New("there is no command to compare with the others"), "put it behind --, or name each of two by --side NAME=COMMAND"))
	}
	if n, of := len(c.Prepare), len(lines); n > 1 && n != of && of > 0 {
		p.AddError(exit.Usage(fmt.Errorf("--prepare is given %d times for %d commands", n, of), "give one for all commands, or one for each, in their order"))
	}
	c.parameters(p, lines)
}

// checkPlaces checks what names files and variables.
func (c *Command) checkPlaces(p *exit.Problems) {
	const noFile = os.ModeDir | os.ModeNamedPipe | os.ModeSocket
	checkSettings(p, c.Setenv)
	switch c.Stdout {
	case "":
		p.Add("--stdout needs null, inherit or a file")
	case StdoutNull, StdoutInherit:
	default:
		if st, err := os.Stat(c.Stdout); err == nil && st.Mode()&noFile != 0 {
			p.Add("--stdout %s is a directory or a pipe, and no file that each run can write", c.Stdout)
		}
	}
	for _, x := range [...]struct{ option, path string }{{"input", c.Input}, {"cwd", c.Dir}} {
		if x.path == "" {
			if c.Given[x.option] {
				p.Add("--%s names nothing", x.option)
			}
			continue
		}
		st, err := os.Stat(x.path)
		switch {
		case err != nil:
			p.Add("--%s: %v", x.option, err)
		case x.option == "input" && st.Mode()&noFile != 0:
			p.Add("--input %s is a directory or a pipe, and no file that each run can read", x.path)
		case x.option == "cwd" && !st.IsDir():
			p.Add("--cwd %s is not a directory", x.path)
		}
	}
}
