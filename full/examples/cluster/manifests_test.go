package cluster

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/tarebench/tare/full/internal/agentrun"
	"github.com/tarebench/tare/internal/cli"
)

// readAll reads the documents of a file. A key that T does not have is an error.
func readAll[T any](t *testing.T, file string) (all []T) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	for {
		var one T
		err := d.Decode(&one)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, one)
	}
}

// TestCompose: the services of compose.yaml are what the schema of Compose has, and call tare as it is.
func TestCompose(t *testing.T) {
	all := readAll[compose](t, "compose.yaml")
	if len(all) != 1 || len(all[0].Services) != 3 {
		t.Fatalf("%d documents: %+v", len(all), all)
	}
	c := all[0]
	for name, s := range c.Services {
		if name == "redis" {
			continue
		}
		checkCall(t, name, s.Command)
		if s.Image != "tare-full" || !s.ReadOnly || !slices.Contains(s.CapDrop, "ALL") || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") {
			t.Errorf("%s: %+v", name, s)
		}
		for _, secret := range s.Secrets {
			if _, ok := c.Secrets[secret]; !ok || !slices.ContainsFunc(s.Command, func(a string) bool { return strings.HasSuffix(a, "/run/secrets/"+secret) }) {
				t.Errorf("%s: the secret %s is not defined, or not used", name, secret)
			}
		}
		for _, other := range s.DependsOn {
			if _, ok := c.Services[other]; !ok {
				t.Errorf("%s: depends on %s", name, other)
			}
		}
	}
	agent, controller := c.Services["agent"], c.Services["controller"]
	checkPair(t, controller.Command, agent.Command, agent.Deploy.Replicas, "controller")
}

// TestKubernetes: the objects of kubernetes.yaml have keys that exist, no privileges, and names that fit together.
func TestKubernetes(t *testing.T) {
	jobs := map[string]object{}
	kinds := map[string]object{}
	for _, o := range readAll[object](t, "kubernetes.yaml") {
		kinds[o.Kind] = o
		if o.Kind == "Job" {
			jobs[o.Metadata.Name] = o
		}
	}
	k := readAll[kustomization](t, "kustomization.yaml")[0]
	secrets := map[string]bool{}
	for _, s := range k.SecretGenerator {
		secrets[s.Name] = true
	}
	claim := kinds["PersistentVolumeClaim"].Metadata.Name
	for name, j := range jobs {
		pod := j.Spec.Template.Spec
		checkPod(t, name, &pod)
		for _, v := range pod.Volumes {
			if v.Secret != nil && !secrets[v.Secret.SecretName] || v.Claim != nil && v.Claim.ClaimName != claim {
				t.Errorf("%s: the volume %s is of a source that is not declared", name, v.Name)
			}
		}
		checkCall(t, name, pod.Containers[0].Args)
	}
	controller, agent := jobs["tare-controller"], jobs["tare-agent"]
	if agent.Spec.CompletionMode != "Indexed" || agent.Spec.Completions != agent.Spec.Parallelism {
		t.Errorf("the agents are %+v", agent.Spec)
	}
	service, policy := kinds["Service"], kinds["NetworkPolicy"]
	if service.Spec.Selector["app"] != controller.Spec.Template.Metadata.Labels["app"] || policy.Spec.PodSelector.MatchLabels["app"] != service.Spec.Selector["app"] ||
		policy.Spec.Ingress[0].From[0].PodSelector.MatchLabels["app"] != agent.Spec.Template.Metadata.Labels["app"] {
		t.Error("the service or the policy selects other pods")
	}
	affinity := agent.Spec.Template.Spec.Affinity.PodAntiAffinity.Preferred
	if len(affinity) != 1 || affinity[0].Term.LabelSelector.MatchLabels["app"] != "tare-agent" {
		t.Errorf("agents avoid %+v", affinity)
	}
	checkPair(t, controller.Spec.Template.Spec.Containers[0].Args, agent.Spec.Template.Spec.Containers[0].Args, agent.Spec.Completions, service.Metadata.Name)
}

// checkPod checks that a pod has no privileges, and that its volumes are there and are mounted.
func checkPod(t *testing.T, name string, p *pod) {
	t.Helper()
	c := p.Containers[0]
	if s := p.SecurityContext; !s.RunAsNonRoot || s.RunAsUser == 0 || s.SeccompProfile.Type != "RuntimeDefault" || p.AutomountToken == nil || *p.AutomountToken {
		t.Errorf("%s: the pod has privileges: %+v", name, s)
	}
	if s := c.SecurityContext; s.AllowEscalation == nil || *s.AllowEscalation || !s.ReadOnlyRoot || !slices.Equal(s.Capabilities.Drop, []string{"ALL"}) {
		t.Errorf("%s: the container has privileges: %+v", name, s)
	}
	if c.Image != "tare-full" || c.Resources.Requests["cpu"] == "" || c.Resources.Requests["memory"] == "" || c.Resources.Limits["memory"] == "" {
		t.Errorf("%s: image %s, resources %+v", name, c.Image, c.Resources)
	}
	var volumes, mounts []string
	for _, v := range p.Volumes {
		volumes = append(volumes, v.Name)
	}
	for _, m := range c.VolumeMounts {
		mounts = append(mounts, m.Name)
	}
	if !slices.Equal(volumes, mounts) {
		t.Errorf("%s: volumes %q, mounted are %q", name, volumes, mounts)
	}
}

// checkPair checks that a controller waits for as many agents as there are, and that they join it.
func checkPair(t *testing.T, controller, agent []string, replicas int, host string) {
	t.Helper()
	for _, want := range []string{"--agents=" + string(rune('0'+replicas)), "--agents-listen=0.0.0.0:4222", "--allow-host=redis"} {
		if !slices.Contains(controller, want) {
			t.Errorf("the controller has no %s", want)
		}
	}
	for _, want := range []string{"--join=tls://" + host + ":4222", "--allow-host=redis"} {
		if !slices.Contains(agent, want) {
			t.Errorf("the agents have no %s", want)
		}
	}
}

// checkCall parses arguments as the command does. A token must not be among them: other processes can read arguments.
func checkCall(t *testing.T, name string, args []string) {
	t.Helper()
	root := cli.Command(cli.Config{Agents: func() cli.Agents { return &agentrun.Controller{} }, Agent: agentrun.Verb(nil)})
	cmd, rest, err := root.Find(args)
	if err != nil || cmd == root {
		t.Errorf("%s: %q: %v", name, args, err)
		return
	}
	if err := cmd.ParseFlags(rest); err != nil || cmd.Flags().NArg() > 0 {
		t.Errorf("%s: %q: %v, arguments %q", name, args, err, cmd.Flags().Args())
	}
	for _, flag := range []string{"token", "agents-token"} {
		if f := cmd.Flags().Lookup(flag); f != nil && !strings.HasPrefix(f.Value.String(), "@/") {
			t.Errorf("%s: --%s %s is no file", name, flag, f.Value)
		}
	}
}

// TestImage: the image is built from the command, and does not run as root.
func TestImage(t *testing.T) {
	text, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"CGO_ENABLED=0 go build -C full", "./cmd/tare-full\n", "FROM scratch\n", "USER 65532:65532\n", `ENTRYPOINT ["/tare-full"]`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the Dockerfile has no %q", want)
		}
	}
}
