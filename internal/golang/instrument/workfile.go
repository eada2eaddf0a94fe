package instrument

import (
	"context"
	"encoding/json"
	"fmt"
)

// goWork is a go.work file as the go command reports it.
type goWork struct {
	Use     []struct{ DiskPath string }
	Replace []struct{ Old, New goModule }
}

func readWork(ctx context.Context, c *Config, file string) (*goWork, error) {
	out, _, err := c.command().Run(ctx, "work", "edit", "-json", file)
	if err != nil {
		return nil, err
	}
	w := new(goWork)
	if err := json.Unmarshal([]byte(out), w); err != nil {
		return nil, fmt.Errorf("%s: output of go work edit: %w", file, err)
	}
	return w, nil
}
