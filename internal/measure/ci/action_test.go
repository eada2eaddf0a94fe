package ci_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/tarebench/tare/internal/testkit/testutil"
)

// action is action.yml at the root of the repository.
type action struct {
	Inputs map[string]struct {
		Description string
		Default     string
	}
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []step
	}
}

type step struct {
	Name, ID, If, Uses, Shell, Run string
	With, Env                      map[string]string
	WorkingDirectory               string `yaml:"working-directory"`
}

func readAction(t *testing.T) (*action, string) {
	t.Helper()
	text, err := os.ReadFile("../../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	a := &action{}
	if err := yaml.Unmarshal(text, a); err != nil {
		t.Fatal(err)
	}
	return a, string(text)
}

var (
	inputUsed  = regexp.MustCompile(`\binputs\.([A-Za-z0-9_-]+)`)
	stepUsed   = regexp.MustCompile(`\bsteps\.([A-Za-z0-9_-]+)\.`)
	expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)
)

// TestActionInputs: inputs that are used are defined, and the other way round; so are steps. actionlint sees neither.
func TestActionInputs(t *testing.T) {
	a, text := readAction(t)
	used := map[string]bool{}
	for _, m := range inputUsed.FindAllStringSubmatch(text, -1) {
		used[m[1]] = true
		if _, ok := a.Inputs[m[1]]; !ok {
			t.Errorf("inputs.%s is used, and not defined", m[1])
		}
	}
	for name, in := range a.Inputs {
		if !used[name] {
			t.Errorf("input %s is not used", name)
		}
		if in.Description == "" {
			t.Errorf("input %s has no description", name)
		}
	}
	for _, m := range stepUsed.FindAllStringSubmatch(text, -1) {
		if !slices.ContainsFunc(a.Runs.Steps, func(s step) bool { return s.ID == m[1] }) {
			t.Errorf("no step has the id %s", m[1])
		}
	}
	for i, s := range a.Runs.Steps {
		if s.Run != "" && s.Shell == "" {
			t.Errorf("step %d runs without a shell", i+1)
		}
		if expression.MatchString(s.Run) {
			t.Errorf("step %d has an expression in its script: what a stranger names a branch would be run", i+1)
		}
	}
	for name, text := range workflows(t) {
		for key := range withOfAction(t, text) {
			if _, ok := a.Inputs[key]; !ok {
				t.Errorf("%s gives an input %s, which is not defined", name, key)
			}
		}
	}
}

// workflows returns those of the repository that use the action, by name.
func workflows(t *testing.T) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, name := range []string{"bench.yml", "bench-comment.yml"} {
		text, err := os.ReadFile(filepath.Join("../../../.github/workflows", name))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = text
	}
	return out
}

func withOfAction(t *testing.T, text []byte) map[string]string {
	t.Helper()
	var w struct {
		Jobs map[string]struct{ Steps []step }
	}
	if err := yaml.Unmarshal(text, &w); err != nil {
		t.Fatal(err)
	}
	for _, j := range w.Jobs {
		for _, s := range j.Steps {
			if s.Uses == "./" || strings.HasPrefix(s.Uses, "tarebench/tare@") {
				return s.With
			}
		}
	}
	t.Errorf("no step uses the action:\n%s", text)
	return nil
}

// runner runs the steps of the action that have a script, as a runner of GitHub does.
type runner struct {
	t       *testing.T
	dir     string
	inputs  map[string]string
	outputs map[string]string // "steps.measure.outputs.code"
	env     []string          // of what the scripts call
}

// fakeTare writes its arguments, and ends with FAKE_CODE.
const fakeTare = `#!/bin/bash
printf '%s\n' "$@" --- >>"$FAKE_LOG"
if [ "$1 $2" != "ci comment" ]; then mkdir -p "$3"; echo summary >"$3/summary.md"; exit "${FAKE_CODE:-0}"; fi
`

func newRunner(t *testing.T, a *action) *runner {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("bash is not installed")
	}
	r := &runner{t: t, dir: t.TempDir(), inputs: map[string]string{}, outputs: map[string]string{}}
	for name, in := range a.Inputs {
		r.inputs[name] = in.Default
	}
	if err := os.WriteFile(filepath.Join(r.dir, "fake tare"), []byte(fakeTare), 0o777); err != nil {
		t.Fatal(err)
	}
	r.inputs["tare"] = filepath.Join(r.dir, "fake tare")
	r.inputs["token"] = "secret"
	return r
}

// value returns a text with what its expressions come to: inputs, outputs of steps, and the one that chooses the summary.
func (r *runner) value(text string) string {
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		inner := expression.FindStringSubmatch(e)[1]
		if v, ok := r.inputs[strings.TrimPrefix(inner, "inputs.")]; ok {
			return v
		}
		if v, ok := r.outputs[inner]; ok || strings.HasPrefix(inner, "steps.") {
			return v
		}
		if strings.HasPrefix(inner, "inputs.mode == 'comment' && format(") {
			return filepath.Join(r.dir, r.inputs["working-directory"], r.inputs["report-dir"], "summary.md")
		}
		r.t.Errorf("what is %s?", inner)
		return ""
	})
}

// run runs a step and returns its exit code.
func (r *runner) run(s step) int {
	r.t.Helper()
	out := filepath.Join(r.dir, "output")
	if err := os.WriteFile(out, nil, 0o666); err != nil {
		r.t.Fatal(err)
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", s.Run)
	cmd.Dir = filepath.Join(r.dir, r.value(s.WorkingDirectory))
	cmd.Env = append(os.Environ(), "GITHUB_OUTPUT="+out, "RUNNER_TEMP="+r.dir, "FAKE_LOG="+filepath.Join(r.dir, "log"))
	cmd.Env = append(cmd.Env, r.env...)
	for k, v := range s.Env {
		cmd.Env = append(cmd.Env, k+"="+r.value(v))
	}
	text, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !asExit(err, &exit) {
		r.t.Fatalf("%s: %v\n%s", s.Name, err, text)
	}
	lines, err := os.ReadFile(out)
	if err != nil {
		r.t.Fatal(err)
	}
	for line := range strings.Lines(string(lines)) {
		if k, v, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "="); ok {
			r.outputs["steps."+s.ID+".outputs."+k] = v
		}
	}
	return cmd.ProcessState.ExitCode()
}

func asExit(err error, to **exec.ExitError) bool {
	e, ok := err.(*exec.ExitError)
	*to = e
	return ok
}

// all runs all scripts and returns the exit code of each by the step's name.
func (r *runner) all(a *action) map[string]int {
	codes := map[string]int{}
	for _, s := range a.Runs.Steps {
		if s.Run != "" {
			codes[s.Name] = r.run(s)
		}
	}
	return codes
}

func (r *runner) log() string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, "log"))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

// TestActionRuns: inputs become arguments, whatever characters they have; the step that measures does not fail, and the
// last one does, with the exit code of tare.
func TestActionRuns(t *testing.T) {
	a, _ := readAction(t)
	r := newRunner(t, a)
	r.inputs["gate"] = "slower:5%\nmore:0%@.name:/Enc \\d|x/\n"
	r.inputs["packages"] = "./a ./b/...\n./c"
	r.inputs["base"] = "$(touch injected)`touch injected`"
	r.inputs["args"] = "--budget=5m\n--env=A=b c"
	r.env = []string{"FAKE_CODE=3"}
	codes := r.all(a)
	want := strings.Join([]string{
		"ci", "--report-dir", "tare-ci", "--against", r.inputs["base"], "--gate", "slower:5%", "--gate", `more:0%@.name:/Enc \d|x/`, "--budget=5m", "--env=A=b c", "./a", "./b/...", "./c", "---",
		"ci", "comment", "--summary", filepath.Join(r.dir, "tare-ci", "summary.md"), "--comment", "tare", "---", "",
	}, "\n")
	if got := r.log(); got != want {
		t.Errorf("tare was called with\n%s\nwant\n%s", got, want)
	}
	if codes["measure"] != 0 || codes["comment"] != 0 || codes["verdict"] != 3 {
		t.Errorf("%v", codes)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "injected")); err == nil {
		t.Error("a base was run")
	}
}

// TestActionDefaults: without inputs nothing but the directory is said, and success stays success.
func TestActionDefaults(t *testing.T) {
	a, _ := readAction(t)
	r := newRunner(t, a)
	codes := r.all(a)
	if got := r.log(); !strings.HasPrefix(got, "ci\n--report-dir\ntare-ci\n---\n") || codes["verdict"] != 0 {
		t.Errorf("%v, %s", codes, got)
	}
	r = newRunner(t, a) // measuring was cut off before it said anything
	for _, s := range a.Runs.Steps {
		if s.Name == "verdict" || s.Name == "comment" {
			codes[s.Name] = r.run(s)
		}
	}
	if codes["verdict"] != 1 || codes["comment"] != 0 {
		t.Errorf("without a measurement: %v", codes)
	}
}

// documentedWorkflows returns the workflows in docs/ci.md.
func documentedWorkflows(t *testing.T) (out []string) {
	t.Helper()
	text, err := os.ReadFile("../../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "```yaml\n")[1:] {
		if block, _, _ := strings.Cut(part, "```"); strings.Contains(block, "runs-on:") {
			out = append(out, block)
		}
	}
	if len(out) != 3 {
		t.Errorf("docs/ci.md has %d workflows", len(out))
	}
	return out
}

// TestActionToken: the step that runs code of the change has no token, whatever the job's environment has; only steps that
// post or download have one.
func TestActionToken(t *testing.T) {
	a, _ := readAction(t)
	for _, s := range a.Runs.Steps {
		gets := strings.Contains(fmt.Sprint(s.Env, s.With, s.Run), "token")
		posts := s.Name == "comment" || strings.HasPrefix(s.Uses, "actions/download-artifact@")
		if gets != posts {
			t.Errorf("step %q %s: gets a token: %v", s.Name, s.Uses, gets)
		}
		if s.Name == "comment" && !strings.HasPrefix(s.If, "inputs.mode == 'comment' || inputs.comment == 'true' &&") {
			t.Errorf("posts if %s", s.If)
		}
	}
	if a.Inputs["comment"].Default != "false" {
		t.Error("the job that measures posts, too, unless a setting forbids it")
	}
	r := newRunner(t, a)
	r.env = []string{"GITHUB_TOKEN=of-the-job", "GH_TOKEN=of-the-job"}
	tare := "#!/bin/bash\nenv >\"$FAKE_LOG\"\n"
	if err := os.WriteFile(r.inputs["tare"], []byte(tare), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, s := range a.Runs.Steps {
		if s.Name == "install tare" || s.Name == "measure" {
			r.run(s)
		}
	}
	if got := r.log(); strings.Contains(got, "of-the-job") || strings.Contains(got, "secret") || !strings.Contains(got, "REPORT_DIR=") {
		t.Errorf("tare ci gets %s", got)
	}
}

// job is a job of a workflow that uses the action.
type job struct {
	Permissions map[string]string
	Env         map[string]string
	Steps       []step
}

// TestSeparateWorkflows: a job that runs code of a change may write nothing, keeps no credentials and has no secret; one that
// may write runs no code of it. This holds for the workflows of the repository and for those that the documents show.
func TestSeparateWorkflows(t *testing.T) {
	all := documentedWorkflows(t)
	for _, text := range workflows(t) {
		all = append(all, string(text))
	}
	measure, comment := 0, 0
	for _, text := range all {
		var w struct {
			Permissions map[string]string
			Jobs        map[string]job
		}
		if err := yaml.Unmarshal([]byte(text), &w); err != nil {
			t.Fatal(err)
		}
		for name, j := range w.Jobs {
			permissions := j.Permissions
			if permissions == nil {
				permissions = w.Permissions
			}
			if withOfAction(t, []byte(text))["mode"] == "comment" {
				comment++
				if len(j.Steps) != 1 || j.Steps[0].Uses != "tarebench/tare@main" || permissions["pull-requests"] != "write" || permissions["contents"] != "" {
					t.Errorf("job %s runs more than the comment:\n%s", name, text)
				}
				continue
			}
			measure++
			if len(permissions) != 1 || permissions["contents"] != "read" || strings.Contains(text, "secrets.") || strings.Contains(text, "github.token") {
				t.Errorf("job %s runs code of the change, and may write or has secrets:\n%s", name, text)
			}
			for _, s := range j.Steps {
				if strings.HasPrefix(s.Uses, "actions/checkout@") && s.With["persist-credentials"] != "false" {
					t.Errorf("job %s keeps the token in .git/config:\n%s", name, text)
				}
			}
		}
	}
	if measure != 3 || comment != 2 {
		t.Errorf("%d jobs measure, %d comment", measure, comment)
	}
}

// TestActionlint has actionlint read the workflows, and what they give to the action.
func TestActionlint(t *testing.T) {
	tool, err := exec.LookPath("actionlint")
	if err != nil {
		if !testutil.Seconds() {
			t.Skip("actionlint is not installed; TARE_LONG=seconds installs it")
		}
		dir := t.TempDir()
		cmd := exec.Command("go", "install", "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOBIN="+dir, "GOFLAGS=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("actionlint cannot be installed: %v\n%s", err, out)
		}
		tool = filepath.Join(dir, "actionlint")
	}
	documented := documentedWorkflows(t)
	lint := func(dir string) string {
		cmd := exec.Command(tool, "-no-color", "-shellcheck=", "-pyflakes=")
		cmd.Dir = dir
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	if out := lint("../../.."); out != "" {
		t.Error(out)
	}
	dir := t.TempDir()
	_, text := readAction(t)
	files := map[string]string{"action.yml": text, ".git/HEAD": ""}
	for i, w := range documented {
		files[fmt.Sprintf(".github/workflows/doc%d.yml", i)] = strings.ReplaceAll(w, "tarebench/tare@main", "./")
	}
	for name, w := range workflows(t) {
		files[".github/workflows/"+name] = strings.Replace(string(w), "          gate:", "          gatte:", 1)
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out := lint(dir)
	if !strings.Contains(out, `"gatte"`) {
		t.Errorf("a misspelt input is not seen: %s", out)
	}
	if strings.Contains(out, "doc") {
		t.Errorf("workflows in docs/ci.md: %s", out)
	}
}
