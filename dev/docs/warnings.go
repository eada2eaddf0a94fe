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
[Verdicts](method.md#verdicts). Warnings that are *derived* follow from the samples: each report computes them again. This page is
printed from the table that tare itself uses.
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
	diagnosis.Times:      "takes the trust from verdicts on what varies: times, rates, memory",
	diagnosis.Everything: "takes the trust from all verdicts, also on exact counts",
}

// scopes says what a kind is about.
var scopes = map[string]string{record.AboutRun: "the run", record.AboutCase: "a benchmark", record.AboutFork: "a process (fork)"}

func writeWarning(text *strings.Builder, k *diagnosis.Kind) {
	fmt.Fprintf(text, "\n## `%s`\n\n", k.Code)
	facts := []string{"About " + scopes[k.Scope]}
	if k.Machine {
		facts[0] += ", and its machine"
	}
	if trust := trusts[k.Trust]; trust != "" {
		facts = append(facts, trust)
	}
	if k.Derived {
		facts = append(facts, "derived")
	}
	if k.MachineMayCause {
		facts = append(facts, "a busy machine may be the cause")
	}
	if k.Harmless {
		facts = append(facts, "ignored by `--strict`")
	}
	fmt.Fprintf(text, "%s.\n\nWhen: %s.\n", strings.Join(facts, "; "), k.When)
	if k.Sentence != "" {
		writeSentence(text, k.Sentence, k.Advice)
	}
	for _, f := range k.Forms {
		sentence, advice := f.Sentence, f.Advice
		if sentence == "" {
			sentence = k.Sentence
		}
		if advice == "" {
			advice = k.Advice
		}
		writeSentence(text, sentence, advice)
	}
	if k.Anchor != "" {
		fmt.Fprintf(text, "\nMore: [How tare measures](method.md#%s).\n", k.Anchor)
	}
}

func writeSentence(text *strings.Builder, sentence, advice string) {
	fmt.Fprintf(text, "\n* says: %s\n", readable(sentence))
	if advice != "" && advice != "-" {
		fmt.Fprintf(text, "  what to do: %s\n", readable(advice))
	}
}

// conditions are the names of conditions, which readers do not need.
var conditions = regexp.MustCompile(`\[\w+\?`)

// readable returns a sentence of the table as Markdown.
func readable(sentence string) string {
	return strings.NewReplacer("[", `\[`, "]", `\]`).Replace(escape(conditions.ReplaceAllString(sentence, "[")))
}
