package job

import (
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
	checkSeed(p, c.Seed, c.Given)
	c.checkPlaces(p)
	c.checkLines(p)
	return p.Err()
}

// checkLines checks what is run.
func (c *Command) checkLines(p *exit.Problems) {
	lines := c.lines(p)
	const twice = "--%s is given twice; join the commands by && and --shell"
	c.split(p, "setup", c.Setup)
	p.AddIf(len(c.Setup) > 1, twice, "setup")
	c.split(p, "prepare", c.Prepare)
	c.split(p, "cleanup", c.Cleanup)
	p.AddIf(len(c.Cleanup) > 1, twice, "cleanup")
	alone, others := len(c.Words) == 0, len(c.Against)+len(c.Side)
	p.HintIf(alone && others == 0, "tare time -- COMMAND [ARG...]", "time needs a command")
	p.HintIf(alone && (others == 1 || len(c.Against) > 0), "put it behind --, or name each of two by --side NAME=COMMAND", "there is no command to compare with the others")
	n, of := len(c.Prepare), len(lines)
	p.HintIf(n > 1 && n != of && of > 0, "give one for all commands, or one for each, in their order", "--prepare is given %d times for %d commands", n, of)
	c.parameters(p, lines)
}

// checkPlaces checks what names files and variables.
func (c *Command) checkPlaces(p *exit.Problems) {
	checkSettings(p, c.Setenv)
	p.AddIf(c.Stdout == "", "--stdout needs null, inherit or a file")
	if st, err := os.Stat(c.Stdout); err == nil && c.Stdout != StdoutNull && c.Stdout != StdoutInherit {
		p.AddIf(st.Mode()&noFile != 0, "--stdout %s is a directory or a pipe, and no file that each run can write", c.Stdout)
	}
	for _, x := range [...]struct{ option, path string }{{"input", c.Input}, {"cwd", c.Dir}} {
		st, err := os.Stat(x.path)
		switch {
		case x.path == "":
			p.AddIf(c.Given[x.option], "--%s names nothing", x.option)
		case err != nil:
			p.Add("--%s: %v", x.option, err)
		case x.option == "input":
			p.AddIf(st.Mode()&noFile != 0, "--input %s is a directory or a pipe, and no file that each run can read", x.path)
		default:
			p.AddIf(!st.IsDir(), "--cwd %s is not a directory", x.path)
		}
	}
}

// noFile are types of files that processes cannot read or write one after the other.
const noFile = os.ModeDir | os.ModeNamedPipe | os.ModeSocket
