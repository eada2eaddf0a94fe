package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tarebench/tare/dev/document"
)

// verbs returns the commands that have a page each.
func verbs(root *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(root.Commands()), func(c *cobra.Command) bool { return !c.IsAvailableCommand() || c.Name() == "help" })
}

// below returns a verb with the commands below it. Those of completion, which differ in the shell
// alone, are left out.
func below(verb *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{verb}
	if verb.Name() != "completion" {
		all = append(all, verb.Commands()...)
	}
	return all
}

// writePages writes the help texts into the pages of a directory, one page for each verb. A page
// that is not there is made, without an example.
func writePages(dir string) error {
	for _, verb := range verbs(tare()) {
		path := filepath.Join(dir, verb.Name()+".md")
		if _, err := os.Stat(path); os.IsNotExist(err) {
			if err := os.WriteFile(path, []byte(emptyPage(verb)), 0o666); err != nil {
				return err
			}
		}
		if err := document.Update(path, func(text string) (string, error) { return fillPage(text, verb) }); err != nil {
			return err
		}
	}
	return nil
}

// stalePages returns an error for each page that is not as writePages makes it, and for each file
// that is no verb's page.
func stalePages(dir fs.FS) (errs []error) {
	pages := map[string]bool{}
	for _, verb := range verbs(tare()) {
		name := verb.Name() + ".md"
		pages[name] = true
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		switch now, err := fillPage(string(text), verb); {
		case err != nil:
			errs = append(errs, fmt.Errorf("%s: %w", name, err))
		case now != string(text):
			errs = append(errs, fmt.Errorf("%s: is stale against tare %s --help-all", name, verb.Name()))
		}
	}
	files, err := fs.ReadDir(dir, ".")
	if err != nil {
		errs = append(errs, err)
	}
	for _, f := range files {
		if !pages[f.Name()] {
			errs = append(errs, fmt.Errorf("%s: is the page of no verb", f.Name()))
		}
	}
	return errs
}

// about and flags are the marks of the parts of a page that come from the help text of a command.
func about(c *cobra.Command) string { return "about " + c.CommandPath() }
func flags(c *cobra.Command) string { return "flags of " + c.CommandPath() }

func emptyPage(verb *cobra.Command) string {
	var text strings.Builder
	for _, c := range below(verb) {
		level := "#"
		if c != verb {
			level = "##"
		}
		fmt.Fprintf(&text, "%s %s\n\n", level, c.CommandPath())
		for _, mark := range []string{about(c), flags(c)} {
			fmt.Fprintf(&text, "<!-- %s: begin -->\n<!-- %s: end -->\n\n", mark, mark)
		}
	}
	return strings.TrimSpace(text.String()) + "\n"
}

// fillPage returns the page of a verb with its help text as it is now.
func fillPage(text string, verb *cobra.Command) (string, error) {
	for _, c := range below(verb) {
		h := parseHelp(c)
		var err error
		if text, err = document.Replace(text, about(c), h.about()); err != nil {
			return "", err
		}
		if text, err = document.Replace(text, flags(c), h.flags()); err != nil {
			return "", err
		}
	}
	return text, nil
}

// help is the help text of a command: what it does, and sections, each with its title.
type help struct {
	short, prose string
	titles       []string
	sections     map[string]string
}

var title = regexp.MustCompile(`(?m)^([A-Z][A-Za-z ]*):\n`)

// parseHelp returns the parts of a help text.
func parseHelp(c *cobra.Command) help {
	var out strings.Builder
	c.SetOut(&out)
	c.Flags().Set("help-all", "true")
	c.Help()
	h := help{short: c.Short, sections: map[string]string{}}
	var rest string
	h.prose, rest, _ = strings.Cut(out.String(), "\nUsage:\n")
	rest = "Usage:\n" + rest
	found := title.FindAllStringSubmatchIndex(rest, -1)
	for i, m := range found {
		end := len(rest)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		name := rest[m[2]:m[3]]
		h.titles = append(h.titles, name)
		h.sections[name] = strings.Trim(rest[m[1]:end], "\n") + "\n"
	}
	return h
}

// about returns what the command does, how it is called, and examples.
func (h help) about() string {
	var text strings.Builder
	text.WriteString(escape(h.short) + ".\n")
	if prose := strings.TrimSpace(h.prose); prose != h.short {
		for p := range strings.SplitSeq(prose, "\n\n") {
			if strings.HasPrefix(p, " ") || strings.Contains(p, "\n ") { // a table or an example
				fmt.Fprintf(&text, "\n```\n%s\n```\n", outdent(p))
			} else {
				fmt.Fprintf(&text, "\n%s\n", escape(p))
			}
		}
	}
	fmt.Fprintf(&text, "\n```\n%s```\n", outdent(h.sections["Usage"]))
	if examples := h.sections["Examples"]; examples != "" {
		fmt.Fprintf(&text, "\nFor example:\n\n<!-- parsed: they are examples of any program -->\n```sh\n%s```\n", outdent(examples))
	}
	return text.String()
}

// flags returns the flags, in the groups of the help text.
func (h help) flags() string {
	var text strings.Builder
	for _, name := range h.titles {
		if name != "Usage" && name != "Examples" && name != "Commands" && name != "Help" {
			fmt.Fprintf(&text, "%s:\n%s\n", name, h.sections[name])
		}
	}
	if text.Len() == 0 {
		return ""
	}
	return "```\n" + strings.TrimRight(text.String(), "\n") + "\n```\n"
}

// escape has Markdown show a text as it is.
func escape(text string) string {
	return strings.NewReplacer(`*`, `\*`, `<`, `\<`, "`", "\\`", `|`, `\|`).Replace(text)
}

// outdent takes two blanks from the beginning of each line.
func outdent(text string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text, "  "), "\n  ", "\n")
}
