package render

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// everyCase checks every case in a format. Cases without a figure are left out.
func everyCase(t *testing.T, f Format, check func(t *testing.T, text []byte)) {
	for _, c := range testCases() {
		var b bytes.Buffer
		err := Write(&b, f, c.summary, Options{})
		if err != nil && (strings.Contains(err.Error(), "no benchmark has a figure") || strings.Contains(err.Error(), "--format")) {
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		t.Run(c.name, func(t *testing.T) { check(t, b.Bytes()) })
	}
}

// junitAttributes are those that junit-10.xsd of jenkinsci/xunit-plugin allows, by element.
var junitAttributes = map[string]string{
	"testsuites": "name time tests failures disabled errors",
	"testsuite":  "name tests failures errors group time skipped timestamp hostname id package file log url version",
	"testcase":   "name time classname group",
	"failure":    "type message", "error": "type message", "skipped": "type message",
}

// junitNeeds are those without which it refuses an element.
var junitNeeds = map[string]string{"testsuite": "name tests failures errors", "testcase": "name classname"}

// TestJUnit holds files against the rules of junit-10.xsd and those of GitLab: names are unique in a suite, and counts are
// those of the elements.
func TestJUnit(t *testing.T) {
	everyCase(t, JUnit, func(t *testing.T, text []byte) {
		d := xml.NewDecoder(bytes.NewReader(text))
		var open []string
		counts, said, names := map[string]int{}, map[string]string{}, map[string]bool{}
		for {
			tok, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			switch x := tok.(type) {
			case xml.StartElement:
				attributes := map[string]string{}
				for _, a := range x.Attr {
					attributes[a.Name.Local] = a.Value
					if !slices.Contains(strings.Fields(junitAttributes[x.Name.Local]), a.Name.Local) {
						t.Errorf("%s has an attribute %s", x.Name.Local, a.Name.Local)
					}
				}
				for _, a := range strings.Fields(junitNeeds[x.Name.Local]) {
					if _, ok := attributes[a]; !ok {
						t.Errorf("%s has no attribute %s", x.Name.Local, a)
					}
				}
				want := map[string]string{"testsuites": "", "testsuite": "testsuites", "testcase": "testsuite"}
				parent, ok := want[x.Name.Local]
				if !ok {
					parent = "testcase"
				}
				if strings.Join(open[max(0, len(open)-1):], "") != parent {
					t.Errorf("%s in %v", x.Name.Local, open)
				}
				if x.Name.Local == "testsuites" {
					said = attributes
				}
				if key := attributes["classname"] + "\x00" + attributes["name"]; x.Name.Local == "testcase" {
					if names[key] {
						t.Errorf("%q comes twice", key)
					}
					names[key] = true
				}
				counts[x.Name.Local]++
				open = append(open, x.Name.Local)
			case xml.EndElement:
				open = open[:len(open)-1]
			}
		}
		got := fmt.Sprint(counts["testcase"], counts["failure"], counts["error"])
		if want := strings.Join([]string{said["tests"], said["failures"], said["errors"]}, " "); got != want || said["tests"] != strconv.Itoa(len(names)) {
			t.Errorf("says %s, and there are %s", want, got)
		}
	})
}
