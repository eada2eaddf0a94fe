package markdowntest

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	gmtext "github.com/yuin/goldmark/text"
)

// Page is what a reader sees of a Markdown text.
type Page struct {
	Text     string   // all of it, with a line break between two elements that are not within a line
	Problems []string // what has a meaning that no report gives a text
	Folds    []string // titles of folded parts
}

var translator = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithRendererOptions(html.WithUnsafe(), html.WithXHTML()))

// own are the elements that reports are made of, with the attributes that they may have.
var own = map[string][]string{
	"h3": nil, "h2": nil, "p": nil, "ul": nil, "ol": {"start"}, "li": nil, "table": nil, "thead": nil, "tbody": nil, "tr": nil, "th": {"style", "align"}, "td": {"style", "align"},
	"pre": nil, "code": {"class"}, "strong": nil, "em": nil, "blockquote": nil, "details": nil, "summary": nil,
}

// inLine are the elements that do not end a line.
var inLine = []string{"code", "strong", "em"}

// meanings are what GitHub searches for in text outside of code.
var meanings = map[string]*regexp.Regexp{
	"a mention or a mail address": regexp.MustCompile(`@\w`),
	"an issue":                    regexp.MustCompile(`(?i)#\d|\bGH-\d`),
	"a commit":                    regexp.MustCompile(`(?i)\b[0-9a-f]{7,40}\b`),
	"an address":                  regexp.MustCompile(`(?i)://|\bwww\.`),
	"an emoji":                    regexp.MustCompile(`:[\w+-]+:`),
	"a formula":                   regexp.MustCompile(`\$`),
	"an alert":                    regexp.MustCompile(`\[!`),
}

var (
	colour   = regexp.MustCompile(`(?i)^\s*(#[0-9a-f]{3,8}|(rgb|hsl)a?\(.*\))\s*$`)
	entity   = regexp.MustCompile(`^&#\d+;$`)
	fraction = regexp.MustCompile(`\b\d{1,6}\.\d+\b`) // a number that is no commit
	language = regexp.MustCompile(`^language-diff$`)
)

// Render translates a text and examines the page.
func Render(text string) *Page {
	p := &Page{}
	var b bytes.Buffer
	if err := translator.Convert([]byte(text), &b); err != nil {
		p.problem("not translated", err.Error())
		return p
	}
	p.source([]byte(text))
	p.read(b.Bytes())
	return p
}

func (p *Page) problem(what, where string) {
	p.Problems = append(p.Problems, fmt.Sprintf("%s: %.200q", what, where))
}

// source examines what GitHub reads otherwise than our translator: it links addresses also within code that is written in HTML,
// where only a single character is safe.
func (p *Page) source(text []byte) {
	ast.Walk(translator.Parser().Parse(gmtext.NewReader(text)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.RawHTML); ok && entering && string(h.Segments.Value(text)) == "<code>" {
			if t, ok := n.NextSibling().(*ast.Text); !ok || !entity.Match(t.Segment.Value(text)) || t.NextSibling().Kind() != ast.KindRawHTML {
				p.problem("code in HTML", string(n.Parent().Lines().Value(text)))
			}
		}
		return ast.WalkContinue, nil
	})
}

// read walks through the page.
func (p *Page) read(page []byte) {
	var text, run strings.Builder // all that is seen; the text between two tags
	var open []string
	flush := func() {
		p.run(run.String(), open)
		text.WriteString(run.String())
		run.Reset()
	}
	d := xml.NewDecoder(bytes.NewReader(append(append([]byte("<page>"), page...), "</page>"...)))
	d.Entity = xml.HTMLEntity
	for {
		t, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			p.problem("elements that are not closed", err.Error())
			break
		}
		switch t := t.(type) {
		case xml.StartElement:
			flush()
			p.element(t, open)
			open = append(open, t.Name.Local)
			if !slices.Contains(inLine, t.Name.Local) {
				text.WriteByte('\n')
			}
		case xml.EndElement:
			if t.Name.Local == "summary" {
				p.Folds = append(p.Folds, run.String())
			}
			flush()
			open = open[:len(open)-1]
			if !slices.Contains(inLine, t.Name.Local) {
				text.WriteByte('\n')
			}
		case xml.CharData:
			run.Write(t)
		default:
			p.problem("not seen", fmt.Sprintf("%T", t))
		}
	}
	p.Text = text.String()
}

// element examines the beginning of an element.
func (p *Page) element(e xml.StartElement, open []string) {
	name := e.Name.Local
	attributes, ok := own[name]
	if !ok && name != "page" {
		p.problem("a foreign element", name)
	}
	for _, a := range e.Attr {
		if !slices.Contains(attributes, a.Name.Local) || name == "code" && !language.MatchString(a.Value) {
			p.problem("a foreign attribute of "+name, a.Name.Local+"="+a.Value)
		}
	}
	if name == "summary" && (len(open) == 0 || open[len(open)-1] != "details") {
		p.problem("a title of nothing", name)
	}
}

// run examines a text between two tags.
func (p *Page) run(text string, open []string) {
	for _, r := range text {
		if r != '\n' && (!strconv.IsPrint(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)) {
			p.problem("a character that is not seen", strconv.QuoteRune(r))
		}
	}
	if slices.Contains(open, "code") {
		if colour.MatchString(text) && !slices.Contains(open, "pre") {
			p.problem("a colour", text)
		}
		return
	}
	text = fraction.ReplaceAllString(text, "0")
	for what, m := range meanings {
		if m.MatchString(text) {
			p.problem(what, text)
		}
	}
}
