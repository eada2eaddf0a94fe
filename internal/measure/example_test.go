package measure_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/tarebench/tare/internal/measure"
	"github.com/tarebench/tare/internal/measure/job"
	"github.com/tarebench/tare/internal/measure/loadrun"
	"github.com/tarebench/tare/load/kv"
	"github.com/tarebench/tare/load/kv/mock"
)

// A benchmark is measured without a command line.
func ExampleRun() {
	j := job.DefaultBench()
	j.Packages, j.Bench = []string{"unicode/utf8"}, "^BenchmarkRuneCountTenASCIIChars$"
	j.Forks, j.Iterations, j.Time, j.ShortIterations, j.NoRepeat = 3, 1, 5*time.Millisecond, false, true

	c, err := measure.Config(context.Background(), &j)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	c.Output = filepath.Join(dir, "x.jsonl")
	out, err := measure.Run(c)
	if err != nil {
		log.Fatal(err)
	}
	for _, b := range out.Recorder.Result().Results {
		fmt.Println(b.Name, b.Unit, b.Forks, b.Median > 0)
	}
	// Output: RuneCountTenASCIIChars ns/op 3 true
}

// A database is loaded without a command line.
func ExampleRunLoad() {
	j := job.DefaultLoad()
	j.Workload, j.DB = "c", "mock"
	j.Operations, j.Duration, j.Warmup = 300, 0, 0

	plan, err := loadrun.NewPlan(j, loadrun.Program{Bindings: []kv.Binding{mock.Binding()}})
	if err != nil {
		log.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	r, err := measure.RunLoad(context.Background(), plan, loadrun.Session{Output: filepath.Join(dir, "x.jsonl")})
	if err != nil {
		log.Fatal(err)
	}
	if err := r.Close(true); err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Result().Load.Operations, "operations,", r.Result().Load.Errors, "errors")
	// Output: 300 operations, 0 errors
}

// A command is measured without a command line: here this test, which ends at once with this variable.
func ExampleRunCommand() {
	j := job.DefaultCommand()
	j.Words, j.Setenv, j.Runs = []string{os.Args[0]}, []string{"MEASURED_COMMAND=x"}, 6

	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	rec, err := measure.RunCommand(context.Background(), &j, filepath.Join(dir, "x.jsonl"))
	if err != nil {
		log.Fatal(err)
	}
	for _, b := range rec.Result().Results {
		fmt.Println(b.Name, b.Forks > 0, b.Median > 0)
	}
	// Output: Command true true
}
