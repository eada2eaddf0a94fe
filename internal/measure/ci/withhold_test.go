package ci

import (
	"slices"
	"strings"
	"testing"
)

// TestWithhold: orders to the service and secrets are withheld from measured code, the former from the go command too, and
// nothing that builds and benchmarks need.
func TestWithhold(t *testing.T) {
	service := []string{
		"GITHUB_OUTPUT=f", "GITHUB_ENV=f", "GITHUB_PATH=f", "GITHUB_STATE=f", "GITHUB_STEP_SUMMARY=f", "ACTIONS_RUNTIME_TOKEN=x", "ACTIONS_RUNTIME_URL=x",
		"ACTIONS_ID_TOKEN_REQUEST_TOKEN=x", "ACTIONS_ID_TOKEN_REQUEST_URL=x", "ACTIONS_CACHE_URL=x", "ACTIONS_RESULTS_URL=x", "CI_JOB_JWT=x", "CI_JOB_JWT_V2=x",
		"github_output=f", "Github_Env=f", "ACTIONS_CACHE_SERVICE_V2=True", "SYSTEM_OIDCREQUESTURI=https://h/x",
	}
	secret := []string{
		"GITHUB_TOKEN=x", "GH_TOKEN=x", "CI_JOB_TOKEN=x", "NPM_TOKEN=x", "AWS_SECRET_ACCESS_KEY=x", "DB_PASSWORD=x", "SYSTEM_ACCESSTOKEN=x", "SSH_AUTH_SOCK=/s", "GIT_CONFIG_VALUE_0=x",
		"OTEL_EXPORTER_OTLP_HEADERS=a=x", "OTEL_EXPORTER_OTLP_TRACES_HEADERS=a=x", "GIT_HTTP_EXTRAHEADER=x", "NATS_NKEY=x", "ROOTPW=1", "SERVICE_ACCOUNT_JSON={}", "GCP_SA=x", "SA_JSON={}", "KEYSTORE=/k", "KEYSTORE_BASE64=x", "P12_BASE64=x", "TLS_PEM=x",
		"APPLE_CERTIFICATE=x", "CONN_STR=x", "MNEMONIC=a b c", "SEED_PHRASE=a b c", "PSK=12345678", "HMAC=x", "SONAR_LOGIN=x", "VAULT_ROLE_ID=x", "npm_config__auth=x", "MY_KEYSTORE=x", "SIGNING_P12=x", "CARD_PIN=1234",
		"CI_REPOSITORY_URL=https://gitlab-ci-token:x@h/r.git", "HTTPS_PROXY=http://me:x@h:1", "LINK=https://h/x?sig=x", "EMPTY_TOKEN=",
		"AWS_WEB_IDENTITY_TOKEN_FILE=/f", "AWS_SHARED_CREDENTIALS_FILE=/f", "AWS_PROFILE=x", "DOCKER_CONFIG=/d", "NETRC=/n", "KUBECONFIG=/k", "GOOGLE_APPLICATION_CREDENTIALS=/g", "PASSWORD_FILE=/p", "DB_SECRET_PATH=/p",
		"SLACK_URL=https://hooks.slack.com/services/T1/B2/abcDEF123", "STRIPE=sk_live_" + "a1B2c3D4e5F6g7H8", "PLAIN=ghp_" + strings.Repeat("a1B2", 9), "KEYFILE=-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
	}
	harmless := []string{
		"PATH=/bin", "HOME=/h", "PWD=/p", "OLDPWD=/o", "TMPDIR=/t", "GOFLAGS=-mod=mod", "GOPROXY=https://proxy.golang.org,direct", "GOMAXPROCS=2", "GOGC=100", "CI=true", "GITHUB_ACTIONS=true",
		"GITHUB_SHA=x", "GITHUB_REPOSITORY=o/r", "RUNNER_TEMP=/t", "LANG=C", "=C:=C:\\x", "LS_COLORS=rs=0:di=01;34", "TARE_FORKS=3",
		"VAULT_ADDR=https://vault:8200", "AWS_REGION=x", "AWS_ACCESS=no", "DOCKER_HOST=unix:///s", "KUBERNETES_SERVICE_HOST=h", "TESTDATA_PATH=/t", "CONFIG_FILE=/c", "GITHUB_WORKSPACE=/w", "GITHUB_EVENT_PATH=/e", "LD_LIBRARY_PATH=/l", "XDG_SESSION_ID=1", "GOCACHE=/c", "SLACK_CHANNEL=x",
		"COOKIES=on", "SECRETARY=bob", "HASH_KEY=a", "SEED=42", "PIN=1", "NUM_KEYS=10", "CACHE_KEY=linux", "TOKEN_BUCKET_RATE=100", "AUTH_DISABLED=true", "AUTH_ADDR=localhost:80", "OAUTH_URL=https://h/auth", "DATABASE_URL=postgres://me@h/db",
	}
	w := Withhold(slices.Concat(harmless, secret, service), nil)
	for _, kv := range slices.Concat(secret, service) {
		if name, _, _ := strings.Cut(kv, "="); !slices.Contains(w.Forks, name) {
			t.Errorf("%s is passed on", name)
		}
	}
	for _, kv := range service {
		if name, _, _ := strings.Cut(kv, "="); !slices.Contains(w.Go, name) {
			t.Errorf("%s is passed on to go", name)
		}
	}
	if len(w.Forks) != len(secret)+len(service) || len(w.Go) != len(service) {
		t.Errorf("too much: %q, %q", w.Forks, w.Go)
	}
	if note := w.Note(); strings.Contains(note, "x@h") || !strings.HasPrefix(note, "withheld from the measured code: ACTIONS_CACHE_SERVICE_V2, ") {
		t.Error(note)
	}
	w = Withhold(slices.Concat(secret, service), []string{"DB_PASSWORD", "GITHUB_*", "ACTIONS_[CR]*", "aws_*"})
	for name, passed := range map[string]bool{
		"DB_PASSWORD": true, "GITHUB_TOKEN": true, "GITHUB_OUTPUT": true, "ACTIONS_CACHE_URL": true, "ACTIONS_ID_TOKEN_REQUEST_URL": false, "AWS_SECRET_ACCESS_KEY": false, "NPM_TOKEN": false,
	} {
		if slices.Contains(w.Forks, name) == passed {
			t.Errorf("%s is passed on: want %v", name, passed)
		}
	}
	if w := Withhold(harmless, nil); w.Note() != "" || w.Forks != nil {
		t.Errorf("%+v", w)
	}
}

// TestCheckPass: a setting or a broken pattern is no name.
func TestCheckPass(t *testing.T) {
	if err := CheckPass([]string{"A", "AWS_*", "[AB]_?"}); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"", "A=B", "[A", "A B", "a/b"} {
		if err := CheckPass([]string{"A", bad}); err == nil {
			t.Errorf("%q is a name", bad)
		}
	}
}
