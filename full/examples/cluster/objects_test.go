package cluster

// What the manifests use of the formats of Compose, Kubernetes and Kustomize.

type compose struct {
	Name     string
	Services map[string]struct {
		Image       string
		Build       struct{ Context, Dockerfile string }
		DependsOn   []string `yaml:"depends_on"`
		Command     []string
		Secrets     []string
		User        string
		Volumes     []string
		Tmpfs       []string
		ReadOnly    bool     `yaml:"read_only"`
		CapDrop     []string `yaml:"cap_drop"`
		SecurityOpt []string `yaml:"security_opt"`
		Deploy      struct{ Replicas int }
	}
	Secrets map[string]struct{ File string }
	Volumes map[string]struct{}
}

type kustomization struct {
	APIVersion       string `yaml:"apiVersion"`
	Kind             string
	Resources        []string
	GeneratorOptions struct {
		DisableNameSuffixHash bool `yaml:"disableNameSuffixHash"`
	} `yaml:"generatorOptions"`
	SecretGenerator []struct {
		Name, Type string
		Files      []string
	} `yaml:"secretGenerator"`
}

type meta struct {
	Name   string
	Labels map[string]string
}

type selector struct {
	MatchLabels map[string]string `yaml:"matchLabels"`
}

// object is a Service, a NetworkPolicy, a PersistentVolumeClaim or a Job.
type object struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   meta
	Spec       struct {
		ClusterIP string `yaml:"clusterIP"`
		Selector  map[string]string
		Ports     []struct {
			Name string
			Port int
		}

		PodSelector selector `yaml:"podSelector"`
		PolicyTypes []string `yaml:"policyTypes"`
		Ingress     []struct {
			From []struct {
				PodSelector selector `yaml:"podSelector"`
			}
			Ports []struct{ Port int }
		}

		AccessModes []string `yaml:"accessModes"`
		Resources   resources

		BackoffLimit   *int   `yaml:"backoffLimit"`
		CompletionMode string `yaml:"completionMode"`
		Completions    int
		Parallelism    int
		Template       struct {
			Metadata meta
			Spec     pod
		}
	}
}

type resources struct{ Requests, Limits map[string]string }

type pod struct {
	RestartPolicy   string `yaml:"restartPolicy"`
	AutomountToken  *bool  `yaml:"automountServiceAccountToken"`
	SecurityContext struct {
		RunAsNonRoot   bool `yaml:"runAsNonRoot"`
		RunAsUser      int  `yaml:"runAsUser"`
		RunAsGroup     int  `yaml:"runAsGroup"`
		FSGroup        int  `yaml:"fsGroup"`
		SeccompProfile struct {
			Type string
		} `yaml:"seccompProfile"`
	} `yaml:"securityContext"`
	Affinity struct {
		PodAntiAffinity struct {
			Preferred []struct {
				Weight int
				Term   struct {
					TopologyKey   string   `yaml:"topologyKey"`
					LabelSelector selector `yaml:"labelSelector"`
				} `yaml:"podAffinityTerm"`
			} `yaml:"preferredDuringSchedulingIgnoredDuringExecution"`
		} `yaml:"podAntiAffinity"`
	}
	Containers []container
	Volumes    []struct {
		Name   string
		Secret *struct {
			SecretName string `yaml:"secretName"`
		}
		Claim *struct {
			ClaimName string `yaml:"claimName"`
		} `yaml:"persistentVolumeClaim"`
		EmptyDir *struct{} `yaml:"emptyDir"`
	}
}

type container struct {
	Name, Image string
	Args        []string
	Ports       []struct {
		Name          string
		ContainerPort int `yaml:"containerPort"`
	}
	Resources       resources
	SecurityContext struct {
		AllowEscalation *bool `yaml:"allowPrivilegeEscalation"`
		ReadOnlyRoot    bool  `yaml:"readOnlyRootFilesystem"`
		Capabilities    struct{ Drop []string }
	} `yaml:"securityContext"`
	VolumeMounts []struct {
		Name      string
		MountPath string `yaml:"mountPath"`
		ReadOnly  bool   `yaml:"readOnly"`
	} `yaml:"volumeMounts"`
}
