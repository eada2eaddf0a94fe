package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tarebench/tare/internal/base/diagnosis"
	"github.com/tarebench/tare/record"
)

const warningsHead = `# Warnings

A warning is a footnote under the figure that it concerns, a line in the [record](records.md), and a code in JSON; ` + "`--strict`" + ` makes
warnings an exit code. In the sentences below, {names} in braces stand for figures and names, which a record has as ` + "`facts`" + `; what is
in brackets is said only where it applies. A verdict that a warning takes the trust from is not *trusted*: see
[Verdicts](method.md#verdicts). What reports derive from the samples, each report computes again. This page is printed from the table
that tare itself uses.
`

// warningsPage returns the page of all warnings.
func warningsPage() string {
	var text strings.Builder
	text.WriteString(warningsHead)
	for _, k := range diagnosis.Kinds() {
		writeWarning(&text, k)
	}
	return text.String()
}

// trusts says what a kind takes the trust from.
var trusts = map[diagnosis.Trust]string{
	diagnosis.Times:      "Verdicts on times, rates and memory are then not trusted.",
	diagnosis.Everything: "No verdict is then trusted, also none on exact counts.",
}

// scopes says what a kind is about.
var scopes = map[string]string{record.AboutRun: "the run", record.AboutCase: "a benchmark", record.AboutFork: "a process (fork)"}

func writeWarning(text *strings.Builder, k *diagnosis.Kind) {
	fmt.Fprintf(text, "\n## `%s`\n\n", k.Code)
	about := []string{"About " + scopes[k.Scope] + "."}
	if k.Machine {
		about[0] = "About the machine, during " + scopes[k.Scope] + "."
	}
	for _, x := range []struct {
		holds bool
		text  string
	}{
		{k.Trust != diagnosis.Nothing, trusts[k.Trust]}, {k.Derived, "Reports derive it from the samples."},
		{k.MachineMayCause, "A busy machine may be the cause."}, {k.Harmless, "`--strict` ignores it."},
	} {
		if x.holds {
			about = append(about, x.text)
		}
	}
	fmt.Fprintf(text, "%s\n\nWhen: %s.\n", strings.Join(about, " "), k.When)
	for _, f := range k.Sentences() {
		writeSentence(text, f.Sentence, f.Advice)
	}
	if k.Anchor != "" {
		fmt.Fprintf(text, "\nMore: [How tare measures](method.md#%s).\n", k.Anchor)
	}
}

func writeSentence(text *strings.Builder, sentence, advice string) {
	fmt.Fprintf(text, "\n* says: %s\n", readable(sentence))
	if advice != "" {
		fmt.Fprintf(text, "  what to do: %s\n", readable(advice))
	}
}

// conditions are the names of conditions, which readers do not need.
var conditions = regexp.MustCompile(`\[\w+\?`)

// readable returns a sentence of the table as Markdown.
func readable(sentence string) string {
	return strings.NewReplacer("[", `\[`, "]", `\]`).Replace(escape(conditions.ReplaceAllString(sentence, "[")))
}
