package placeholder

import (
	"strings"

	"github.com/tarebench/tare/internal/client/httpclient"
)

// ParseOrRead is Parse for a text, or for that of a file if the text is @FILE.
func ParseOrRead(text string) (Template, error) {
	if file, ok := strings.CutPrefix(text, "@"); ok {
		var err error
		if text, err = httpclient.ReadBody(file); err != nil {
			return Template{}, err
		}
	}
	return Parse(text)
}
