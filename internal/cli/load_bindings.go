package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/internal/suggest"
	"github.com/tarebench/tare/load"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/ycsb"
)

// defaultDB needs nothing but a disk.
const defaultDB = "bolt"

// fullBindings are databases that only cmd/tare-full has, because they are large.
func fullBindings() []string { return []string{"pebble"} }

const installFull = "go install github.com/tarebench/tare/cmd/tare-full@latest"

func bindingNames(bindings []kv.Binding) []string {
	var names []string
	for _, b := range bindings {
		names = append(names, b.Name)
	}
	return names
}

// findBinding finds what --db names, and the URL if it is one.
func findBinding(bindings []kv.Binding, db string) (*kv.Binding, string, error) {
	if scheme, _, ok := strings.Cut(db, "://"); ok {
		for i := range bindings {
			if slices.Contains(bindings[i].Schemes, strings.ToLower(scheme)) {
				return &bindings[i], db, nil
			}
		}
		return nil, "", usageError(fmt.Errorf("--db: no database has URLs that begin with %s://", scheme), "tare load bindings lists them")
	}
	for i := range bindings {
		if bindings[i].Name == db {
			return &bindings[i], "", nil
		}
	}
	if slices.Contains(fullBindings(), db) {
		return nil, "", usageError(fmt.Errorf("--db %s is in cmd/tare-full: it would double the size of this program", db), installFull)
	}
	hint := "tare load bindings lists what there is"
	if near := nearestName(db, slices.Concat(bindingNames(bindings), fullBindings())); near != "" {
		hint = "did you mean: --db " + near
	}
	return nil, "", usageError(fmt.Errorf("--db: there is no database %q", load.Redact("", db)), hint)
}

// nearestName is the one name that differs by no more than two letters, or "".
func nearestName(name string, names []string) string {
	best, least, tie := "", 3, false
	for _, n := range names {
		switch d := suggest.Distance(strings.ToLower(name), n); {
		case d < least:
			best, least, tie = n, d, false
		case d == least:
			tie = true
		}
	}
	if tie || least >= len(best) {
		return ""
	}
	return best
}

const bindingsLong = `tare load bindings lists the databases and services that this program can load, the
URLs that --db takes for them, and with a NAME the properties that -p takes for it.
The name workload stands for the properties of workloads.`

func newLoadBindings(s streams, bindings []kv.Binding) *cobra.Command {
	return &cobra.Command{
		Use:   "bindings [NAME]",
		Short: "List databases, and their properties",
		Long:  bindingsLong,
		Example: `  tare load bindings
  tare load bindings mock
  tare load bindings workload`,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) > 1:
				return usageError(errors.New("bindings takes one name"), "tare load bindings "+args[0])
			case len(args) == 0:
				listBindings(s.out, bindings)
				return nil
			case args[0] == "workload":
				listProperties(s.out, ycsb.Properties())
				return nil
			}
			b, _, err := findBinding(bindings, args[0])
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
			listProperties(s.out, b.Properties)
			return nil
		},
	}
}

func urls(b *kv.Binding) []string {
	var out []string
	for _, s := range b.Schemes {
		out = append(out, s+"://…")
	}
	return out
}

func listBindings(w io.Writer, bindings []kv.Binding) {
	var rows [][]string
	for i := range bindings {
		b := &bindings[i]
		rows = append(rows, []string{b.Name, b.Short, strings.Join(urls(b), " ")})
	}
	for _, name := range fullBindings() {
		if !slices.Contains(bindingNames(bindings), name) {
			rows = append(rows, []string{name, "in cmd/tare-full: " + installFull, ""})
		}
	}
	printRows(w, rows)
}

func listProperties(w io.Writer, ps []kv.Property) {
	var rows [][]string
	for _, p := range ps {
		value := p.Default
		if p.Secret {
			value = "(secret)"
		}
		rows = append(rows, []string{p.Name, value, p.Short})
	}
	printRows(w, rows)
}

// printRows prints rows with columns two blanks apart.
func printRows(w io.Writer, rows [][]string) {
	var widths []int
	for _, r := range rows {
		for i, text := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(text))
		}
	}
	for _, r := range rows {
		var b strings.Builder
		for i, text := range r {
			b.WriteString(text + strings.Repeat(" ", widths[i]+2-utf8.RuneCountInString(text)))
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}
