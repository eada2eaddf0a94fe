package job

import (
	"reflect"
	"strings"
	"testing"

	"github.com/tarebench/tare/record"
)

// TestCommandValidate: each contradiction is refused, and all are named at once.
func TestCommandValidate(t *testing.T) {
	for want, change := range map[string]func(*Command){
		"time needs a command":                           func(c *Command) { c.Words = nil },
		"there is no command to compare with the others": func(c *Command) { c.Words, c.Side = nil, []string{"a=x"} },
		"no command to compare":                          func(c *Command) { c.Words, c.Against = nil, []string{"x", "y"} },
		`--side "x" is not of the form NAME=COMMAND`:     func(c *Command) { c.Side = []string{"x"} },
		`--side "a= " is not of the form NAME=COMMAND`:   func(c *Command) { c.Side = []string{"a= "} },
		`--side "echo x=1" is not of the form NAME=`:     func(c *Command) { c.Side = []string{"echo x=1"} },
		"--side a is given twice":                        func(c *Command) { c.Side = []string{"a=x", "a=y"} },
		"--prepare is given 2 times for 3 commands":      func(c *Command) { c.Against, c.Prepare = []string{"x", "y"}, []string{"p", "q"} },
		"--setup is given twice":                         func(c *Command) { c.Setup = []string{"x", "y"} },
		"--param n is given twice":                       func(c *Command) { c.Words, c.Params = []string{"{n}"}, []string{"n=1", "n=2"} },
		"--param password: its values would be":          func(c *Command) { c.Words, c.Params = []string{"{password}"}, []string{"password=1,2"} },
		"--param n: no command has {n}":                  func(c *Command) { c.Params = []string{"n=1"} },
		`--param: "n=1,1" has the value 1 twice`:         func(c *Command) { c.Params = []string{"n=1,1"} },
		"--stdout . is a directory":                      func(c *Command) { c.Stdout = "." },
		"--input . is a directory":                       func(c *Command) { c.Input = "." },
		"--cwd job_test.go is not a directory":           func(c *Command) { c.Dir = "job_test.go" },
		"--input names nothing":                          func(c *Command) { c.Given = Given{"input": true} },
		"--timeout 0s is not above 0":                    func(c *Command) { c.Given = Given{"timeout": true} },
		"--runs 0 is less than 1; --warmup -1 is less than 0; --confidence 2 is not between 0 and 1; --seed: ": func(c *Command) { c.Runs, c.Warmup, c.Confidence, c.Seed = 0, -1, 2, "x" },
	} {
		c := DefaultCommand()
		c.Words = []string{"true"}
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestCommandLines: the command comes first, then those it is compared with, the first of which is the base.
func TestCommandLines(t *testing.T) {
	c := DefaultCommand()
	c.Words, c.Against, c.Side = []string{"new"}, []string{"old -x", "older"}, []string{"a=A=1 b"}
	want := []Line{{Words: []string{"new"}}, {Words: []string{"old", "-x"}}, {Words: []string{"older"}}, {"a", []string{"A=1", "b"}}}
	if got := c.Lines(); !reflect.DeepEqual(got, want) || c.Base() != 1 {
		t.Errorf("%q, base %d", got, c.Base())
	}
	c.Words, c.Against, c.Side, c.Shell = nil, nil, []string{"a=x | y", "b=z"}, true
	want = []Line{{"a", []string{"x | y"}}, {"b", []string{"z"}}}
	if got := c.Lines(); !reflect.DeepEqual(got, want) || c.Base() != 0 {
		t.Errorf("%q, base %d", got, c.Base())
	}
}

// TestCommandPlan: the head of the record has how often the commands run, and with a precision that is the largest number.
func TestCommandPlan(t *testing.T) {
	c := DefaultCommand()
	c.Words, c.Precision, c.Warmup, c.Seed = []string{"true"}, 0.01, 2, "7f"
	run, err := c.Plan()
	if err != nil || run.Kind != record.KindTime || run.Seed != 0x7f || run.Config.Forks != 80 || run.Config.Warmup != 2 || run.Config.Precision != 0.01 {
		t.Errorf("%+v, %v", run, err)
	}
	c.Given, c.Runs = Given{"runs": true}, 5
	if run, err := c.Plan(); err != nil || run.Config.Forks != 5 {
		t.Errorf("%+v, %v", run, err)
	}
}
