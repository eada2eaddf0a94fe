package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/base/exit"
	"github.com/tarebench/tare/internal/measure/loadrun"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/ycsb"
)

const bindingsLong = `tare load bindings lists the databases and services that this program can load, the
URLs that --db takes for them, and with a NAME the properties that -p takes for it.
The name workload stands for the properties of workloads, client for those of YCSB's
client and its measurements. An HTTP service also takes a
scenario of several requests, instead of a binding: tare load --scenario FILE.`

const bindingsExample = `  tare load bindings
  tare load bindings mock
  tare load bindings workload`

func newLoadBindings(s streams, bindings []kv.Binding) *cobra.Command {
	return verb{
		use:     "bindings [NAME]",
		short:   "List databases, and their properties",
		long:    bindingsLong,
		example: bindingsExample,
		run: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return usageError(errors.New("bindings takes one name"), "tare load bindings "+args[0])
			case len(args) == 0:
				return listBindings(s.out, bindings)
			case args[0] == "workload":
				return listProperties(s.out, ycsb.Properties())
			case args[0] == "client":
				return listProperties(s.out, loadrun.ClientProperties())
			}
			b, _, err := loadrun.FindBinding(bindings, args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(s.out, "%s: %s\n", b.Name, b.Short)
			if len(b.Schemes) > 0 {
				fmt.Fprintf(s.out, "--db takes %s\n", strings.Join(urls(b), ", "))
			}
			if len(b.Properties) > 0 {
				fmt.Fprintln(s.out)
			}
			return listProperties(s.out, b.Properties)
		},
	}.command()
}

func urls(b *kv.Binding) []string {
	var out []string
	for _, s := range b.Schemes {
		out = append(out, s+"://…")
	}
	return out
}

func listBindings(w io.Writer, bindings []kv.Binding) error {
	var rows [][]string
	for i := range bindings {
		b := &bindings[i]
		rows = append(rows, []string{b.Name, b.Short, strings.Join(urls(b), " ")})
	}
	for _, full := range loadrun.FullBindings {
		if !slices.Contains(loadrun.BindingNames(bindings), full.Name) {
			rows = append(rows, []string{full.Name, "run by tare-full: " + exit.InstallFull, ""})
		}
	}
	return writeRows(w, rows)
}

func listProperties(w io.Writer, ps []kv.Property) error {
	var rows [][]string
	for _, p := range ps {
		value := p.Default
		if p.Secret {
			value = "(secret)"
		}
		rows = append(rows, []string{p.Name, value, p.Short})
	}
	return writeRows(w, rows)
}
