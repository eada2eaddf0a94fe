package cli

import (
	"cmp"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/session"
)

// fullName is the file of the command that has gRPC, Pebble and agents, too.
const fullName = "tare-full"

// handOver runs tare-full with the arguments in the place of this process. It returns only if it cannot, with an
// error that says how to get it.
func handOver(c Config, args []string, needs *exit.NeedsFull) error {
	if c.Run == nil {
		return usageError(needs, exit.InstallFull)
	}
	self, err := os.Executable()
	if err != nil {
		return usageError(needs, exit.InstallFull)
	}
	source := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		source = session.SourceOf(info)
	}
	path, err := findFull(self, source)
	if err != nil {
		return usageError(fmt.Errorf("%w: %w", needs, err), exit.InstallFull)
	}
	return failed(fmt.Errorf("%s: %w", path, c.Run(path, append([]string{path}, args...))), "")
}

// findFull returns the path of a tare-full of the same source as this program (see [session.SourceOf]): beside self,
// which is this program, or on PATH. One in the current directory is not used, unless self lies there, too.
func findFull(self, source string) (string, error) {
	name := fullName
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	candidates := []string{filepath.Join(filepath.Dir(self), name)}
	if target, err := filepath.EvalSymlinks(self); err == nil {
		candidates = append(candidates, filepath.Join(filepath.Dir(target), name))
	}
	if found, err := exec.LookPath(name); err == nil && filepath.IsAbs(found) {
		candidates = append(candidates, found)
	}
	bad := errors.New("it is neither beside tare nor on PATH")
	for _, path := range candidates {
		if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() {
			continue
		}
		info, err := buildinfo.ReadFile(path)
		if err != nil {
			bad = fmt.Errorf("%s: %w", path, err)
			continue
		}
		switch other := cmp.Or(session.SourceOf(info), "of no known version"); {
		case source == "":
			bad = fmt.Errorf("this tare does not know its version; run %s itself", path)
		case other == source:
			return path, nil
		default:
			bad = fmt.Errorf("%s is %s, and this is tare %s", path, other, source)
		}
	}
	return "", bad
}

// newAgent returns the verb agent of a program that has no agents.
func newAgent() *cobra.Command {
	return &cobra.Command{
		Use: "agent --join URL [flags]", Short: "Generate load for a controller on another machine, by tare-full",
		DisableFlagParsing: true, Hidden: true,
		RunE: func(*cobra.Command, []string) error { return &exit.NeedsFull{What: "tare agent"} },
	}
}

// fullFlags are the flags of load by agents besides --agents. TestFullFlags holds them against those of tare-full.
var fullFlags = []string{
	"agents-listen", "nats", "agents-token", "nats-creds", "agents-cert", "agents-key", "agents-ca", "agents-group", "on-loss", "agents-keep", "resume", "agents-timeout", "allow-skew",
}

// registerFull adds the flags of load by agents to a program that has no agents.
func registerFull(fl *pflag.FlagSet) {
	fl.Var(fullFlag("agents"), "agents", "other processes generate the load, `N` that join or local:N, on other machines, too: by tare-full, which has more flags for it")
	for _, name := range fullFlags {
		fl.Var(fullFlag(name), name, "by tare-full")
		fl.MarkHidden(name)
	}
	fl.Lookup("allow-skew").NoOptDefVal = "true"
}

// fullFlag is a flag, by its name, that tare-full alone has.
type fullFlag string

func (fullFlag) String() string     { return "" }
func (fullFlag) Type() string       { return "N" }
func (f fullFlag) Set(string) error { return &exit.NeedsFull{What: "--" + string(f)} }
