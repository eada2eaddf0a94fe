package target

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// invalid returns why what a command line printed, or wrote to the files of -o, is not of its format, "" if all is.
func invalid(args []string, printed string) string {
	format, written := "text", ""
	for i, arg := range args[:len(args)-1] {
		switch arg {
		case "--format":
			format = args[i+1]
		case "-o":
			text, err := os.ReadFile(args[i+1]) // the command says why it wrote none
			if err == nil {
				written = cmp.Or(written, Malformed(strings.TrimPrefix(filepath.Ext(args[i+1]), "."), string(text)))
			}
			if raw := control(text); raw != "" && written == "" {
				written = filepath.Base(args[i+1]) + ": a raw control character: " + raw
			}
		}
	}
	return cmp.Or(Malformed(format, printed), written)
}

// Malformed returns why a text is not of a format, "" if it is. An empty one is: nothing was written.
func Malformed(format, text string) string {
	if text == "" {
		return ""
	}
	var err error
	switch format {
	case "json", "jsonl", "jmh", "bmf", "gab", "ycsb-json":
		err = readJSON(text)
	case "csv":
		r := csv.NewReader(strings.NewReader(text))
		r.FieldsPerRecord = -1
		_, err = r.ReadAll()
	case "svg", "junit", "xml":
		err = readXML(text)
	case "html":
		err = readHTML(text)
	}
	if err != nil {
		return format + ": " + err.Error()
	}
	if at := strings.Index(text, "%!"); at >= 0 && format != "jsonl" && format != "html" {
		if verb := brokenVerb.FindString(text); verb != "" {
			return "a format of package fmt lacks its value: " + verb
		}
	}
	return ""
}

// brokenVerb is what package fmt prints for a verb and its value that do not fit.
var brokenVerb = regexp.MustCompile(`%![a-zA-Z]?\([^)]{0,40}\)?`)

func readJSON(text string) error {
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		var value any
		switch err := d.Decode(&value); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
	}
}

// notANumber is a coordinate that no program draws.
var notANumber = regexp.MustCompile(`(^|[ ,(MLHVCQ])[-+]?(NaN|Inf)([ ,)%]|$)`)

// drawn are the attributes of images that have coordinates.
var drawn = []string{"x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height", "d", "points", "transform", "viewBox", "style"}

func readXML(text string) error {
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		token, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		e, _ := token.(xml.StartElement)
		for _, a := range e.Attr {
			if slices.Contains(drawn, a.Name.Local) && notANumber.MatchString(a.Value) {
				return fmt.Errorf("<%s %s=%q>", e.Name.Local, a.Name.Local, a.Value)
			}
		}
	}
}

var (
	image  = regexp.MustCompile(`(?s)<svg.*?</svg>`)
	script = regexp.MustCompile(`(?s)<(script|style)[^>]*>.*?</(script|style)>`)
	island = regexp.MustCompile(`(?s)<script[^>]*type="?application/json"?[^>]*>(.*?)</script>`)
	tag    = regexp.MustCompile(`(?s)<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:[^>"']|"[^"]*"|'[^']*')*)>`)
)

// readHTML returns an error for a page whose elements do not end as they began, or whose images or data are malformed.
func readHTML(text string) error {
	if !strings.HasSuffix(strings.TrimSpace(text), "</html>") {
		return errors.New("the page does not end with </html>")
	}
	for _, data := range island.FindAllStringSubmatch(text, -1) {
		if err := readJSON(data[1]); err != nil {
			return fmt.Errorf("data in the page: %w", err)
		}
	}
	text = script.ReplaceAllString(text, "")
	for _, svg := range image.FindAllString(text, -1) {
		if err := readXML(svg); err != nil {
			return fmt.Errorf("an image in the page: %w", err)
		}
	}
	return balanced(image.ReplaceAllString(text, ""))
}

// voids are elements that have no end, and optional those whose end may be left out.
var (
	voids    = []string{"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
	optional = []string{"li", "dt", "dd", "p", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "body", "html", "head", "colgroup"}
)

func balanced(text string) error {
	var open []string
	for _, m := range tag.FindAllStringSubmatch(text, -1) {
		name := strings.ToLower(m[2])
		switch {
		case slices.Contains(voids, name) || slices.Contains(optional, name) || strings.HasSuffix(m[3], "/"):
		case m[1] == "":
			open = append(open, name)
		case len(open) == 0 || open[len(open)-1] != name:
			return fmt.Errorf("</%s> ends no element: %v are open", name, open)
		default:
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%v do not end", open)
	}
	return nil
}
