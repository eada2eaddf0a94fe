package render

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarebench/tare/internal/result"
)

// pictured are the cases of which there is a picture in testdata.
var pictured = []string{"compare", "compare-hostile", "many-forks", "metrics", "hostile", "time"}

// TestPictures: the same figures give the same picture, which is XML whatever the names are.
func TestPictures(t *testing.T) {
	seen := 0
	for _, c := range testCases() {
		var b bytes.Buffer
		switch err := Write(&b, SVG, c.summary, Options{}); {
		case errors.Is(err, errNoPicture), c.summary.IsLoad():
			continue
		case err != nil:
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		d := xml.NewDecoder(strings.NewReader(b.String()))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Errorf("%s: %v", c.name, err)
				break
			}
		}
		for _, name := range pictured {
			if c.name == name {
				seen++
				compareGolden(t, filepath.Join("testdata", c.name+".svg"), b.Bytes())
			}
		}
	}
	if seen != len(pictured) {
		t.Errorf("%d of %d cases were seen", seen, len(pictured))
	}
}

// TestNoPicture: a result without figures has none.
func TestNoPicture(t *testing.T) {
	if err := Write(io.Discard, SVG, &result.Result{}, Options{}); !errors.Is(err, errNoPicture) {
		t.Errorf("got %v", err)
	}
}
