package ci

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/tarebench/tare/internal/base/redact"
)

// Withheld holds the names of environment variables of the job that measured code does not get.
//
// Withholding them leaves less to leak by code that prints or sends its environment. It does not protect secrets from code
// that searches for them: a process can read the environment of its parent (/proc/PPID/environ) if both run as one user.
// Therefore a job that runs code of a pull request must have no secrets.
type Withheld struct {
	Forks []string // from measured code
	Go    []string // from the go command, which may need secrets to fetch modules; a subset of Forks
}

// serviceVariables are patterns of variables with which a job gives orders to its service, or obtains its tokens. No build
// needs them.
var serviceVariables = []string{
	"GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY", // files with orders to the runner
	"ACTIONS_RUNTIME_*", "ACTIONS_ID_TOKEN_REQUEST_*", "ACTIONS_CACHE_*", "ACTIONS_RESULTS_*",
	"SYSTEM_OIDCREQUESTURI", "CI_JOB_JWT*",
}

// credentialVariables are patterns of variables that let a process act for the job, and whose names do not say so: sockets
// of agents, and the files and profiles where programs find secrets. The address of a server, such as VAULT_ADDR, opens
// nothing.
var credentialVariables = []string{
	"CI_JOB_TOKEN", "GIT_CONFIG_COUNT", "GIT_CONFIG_KEY_*", "GIT_CONFIG_VALUE_*", "GIT_CONFIG_PARAMETERS", // settings of git, among them headers with tokens
	"OTEL_EXPORTER_OTLP*HEADERS", "*_CERTIFICATE", "*_BASE64", "*_B64", "SONAR_LOGIN", "VAULT_ROLE_ID", "KEYSTORE", "P12*", "SERVICE_ACCOUNT_JSON", // headers with tokens, packed keys, half of a login
	"GIT_ASKPASS", "SSH_ASKPASS", "GIT_SSH_COMMAND", "GIT_SSH",
	"SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "GNUPGHOME",
	"AWS_PROFILE", "AWS_DEFAULT_PROFILE", "AWS_CONFIG_FILE", "AWS_ROLE_ARN", "AWS_CONTAINER_*", "AZURE_CONFIG_DIR", "AZURE_FEDERATED_*", "CLOUDSDK_CONFIG", "AZURE_CLIENT_CERTIFICATE_PATH", "ARM_CLIENT_CERTIFICATE_PATH", "ARM_OIDC_*", "IDENTITY_ENDPOINT", "IDENTITY_HEADER", "MSI_ENDPOINT",
	"ECS_CONTAINER_METADATA_URI*", "OCI_CLI_CONFIG_FILE", "DATABRICKS_CONFIG_FILE",
	"DOCKER_CONFIG", "DOCKER_CERT_PATH", "REGISTRY_AUTH_FILE", "KUBECONFIG", "NETRC", "CURL_NETRC", "PGPASSFILE", "PGSERVICE", "PGSERVICEFILE", "PGSSLKEY", "MYSQL_TEST_LOGIN_FILE", "NPM_CONFIG_USERCONFIG", "PIP_CONFIG_FILE", "BOTO_CONFIG",
	"GH_CONFIG_DIR", "GLAB_CONFIG_DIR", "TF_CLI_CONFIG_FILE", "RCLONE_CONFIG", "KAGGLE_CONFIG_DIR", "HELM_REGISTRY_CONFIG", "COMPOSER_HOME", "BUNDLE_*__*", "BORG_PASSCOMMAND",
	"KRB5CCNAME", "KRB5_KTNAME", "X509_USER_PROXY", "CONTAINER_HOST", "BUILDKITE_AGENT_JOB_API_SOCKET", "CIRCLE_INTERNAL_CONFIG", "TEAMCITY_BUILD_PROPERTIES_FILE",
}

// aboutSecret ends, once or several times, names of variables that say where a secret is. Its place is no secret, but it opens as much:
// AWS_WEB_IDENTITY_TOKEN_FILE.
var aboutSecret = regexp.MustCompile(`(?i)(_?(FILE|PATH|DIR|FILENAME))+$`)

// isSecretPlace reports whether a variable says where a secret is.
func isSecretPlace(name string) bool {
	of := aboutSecret.ReplaceAllString(name, "")
	return of != name && redact.SecretName(of)
}

// Withhold returns what is withheld of an environment (K=V): orders to the service of the job, its tokens, and secrets
// ([redact.SecretVariable]). Names that a pattern of pass matches are passed on; see [CheckPass].
func Withhold(environ, pass []string) Withheld {
	var w Withheld
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		service := matches(serviceVariables, strings.ToUpper(name))
		secret := service || matches(credentialVariables, strings.ToUpper(name)) || redact.SecretVariable(name, value) || isSecretPlace(name)
		if name == "" || !secret || matches(pass, name) {
			continue
		}
		w.Forks = append(w.Forks, name)
		if service {
			w.Go = append(w.Go, name)
		}
	}
	slices.Sort(w.Forks)
	return w
}

// Note says what is withheld and how it is passed on; "" if nothing is.
func (w Withheld) Note() string {
	if len(w.Forks) == 0 {
		return ""
	}
	return "withheld from the measured code: " + strings.Join(w.Forks, ", ") + "; [ci] env in tare.toml passes them"
}

// CheckPass fails for what is no name of a variable, and no pattern of names such as AWS_*.
func CheckPass(patterns []string) error {
	for _, p := range patterns {
		if _, err := path.Match(p, ""); err != nil || p == "" || strings.ContainsAny(p, "= /") {
			return fmt.Errorf("env %q is no name of a variable, and no pattern such as AWS_*", p)
		}
	}
	return nil
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := path.Match(p, name)
		return ok && err == nil
	})
}
