package e2e

import (
	"fmt"
	"strings"
	"testing"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"sigs.k8s.io/yaml"
)

// readKubernetes returns the two jobs of a manifest, read as the API server reads them if it
// refuses fields that it does not know.
func readKubernetes(t *testing.T, manifest string) (measure, merge *batch.Job) {
	t.Helper()
	var jobs []*batch.Job
	for _, text := range strings.Split(manifest, "\n---\n") {
		job := &batch.Job{}
		if err := yaml.UnmarshalStrict([]byte(text), job); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if job.APIVersion != "batch/v1" || job.Kind != "Job" {
			t.Fatalf("%s %s, want a batch/v1 Job", job.APIVersion, job.Kind)
		}
		jobs = append(jobs, job)
	}
	if len(jobs) != 2 {
		t.Fatalf("%d jobs, want one that measures and one that merges", len(jobs))
	}
	return jobs[0], jobs[1]
}

func TestKubernetesJob(t *testing.T) {
	job, merge := readKubernetes(t, write(t, "kubernetes", ""))
	s := job.Spec
	if *s.CompletionMode != batch.IndexedCompletion || *s.Completions != shards || *s.Parallelism != shards {
		t.Errorf("%s, %d completions, %d at once; want all %d indexes at once", *s.CompletionMode, *s.Completions, *s.Parallelism, shards)
	}
	if *s.BackoffLimitPerIndex != 0 || s.Template.Spec.RestartPolicy != core.RestartPolicyNever || *merge.Spec.BackoffLimit != 0 {
		t.Error("a shard may be measured twice")
	}
	if *s.Template.Spec.ActiveDeadlineSeconds != 3600 || s.ActiveDeadlineSeconds != nil {
		t.Error("the limit is of a pod, from its start; the limit of a job includes the time in which pods wait for nodes")
	}
	if !*merge.Spec.Suspend {
		t.Error("the results are merged before there are any")
	}
	for _, job := range []*batch.Job{job, merge} {
		for _, problem := range append(validation.IsDNS1123Label(job.Name), validation.IsDNS1123Label(fmt.Sprintf("%s-%d", job.Name, shards-1))...) {
			t.Errorf("%s: %s", job.Name, problem)
		}
		checkPod(t, &job.Spec.Template.Spec)
	}
	terms := s.Template.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	for name, value := range terms[0].LabelSelector.MatchLabels {
		if s.Template.Labels[name] != value {
			t.Errorf("pods do not have the label %s: %s, by which they avoid each other", name, value)
		}
	}
	suite := s.Template.Spec.Containers[0]
	for name, limit := range suite.Resources.Limits {
		if request := suite.Resources.Requests[name]; !request.Equal(limit) || limit.MilliValue()%1000 != 0 {
			t.Errorf("%s: request %v, limit %v: the pod gets no CPUs of its own", name, &request, &limit)
		}
	}
	if len(suite.Resources.Limits) != 2 || len(suite.Resources.Requests) != 2 {
		t.Errorf("want CPUs and memory: %+v", suite.Resources)
	}
	if len(suite.Env) != 2 || suite.Env[0] != (core.EnvVar{Name: "SUITE_SHARDS", Value: fmt.Sprint(shards)}) || suite.Env[1] != (core.EnvVar{Name: "SUITE_JOB", Value: job.Name}) {
		t.Errorf("the pods are told %+v", suite.Env)
	}
}

// checkPod checks what the API server requires of a pod.
func checkPod(t *testing.T, pod *core.PodSpec) {
	t.Helper()
	volumes := map[string]bool{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = true
		for _, problem := range validation.IsDNS1123Subdomain(v.PersistentVolumeClaim.ClaimName) {
			t.Errorf("claim %q: %s", v.PersistentVolumeClaim.ClaimName, problem)
		}
	}
	for _, c := range pod.Containers {
		if c.Image == "" || len(c.Command) == 0 || len(c.Args) != 1 {
			t.Errorf("container %s: %+v", c.Name, c)
		}
		for _, m := range c.VolumeMounts {
			if !volumes[m.Name] || !strings.HasPrefix(m.MountPath, "/") {
				t.Errorf("container %s mounts %s at %q", c.Name, m.Name, m.MountPath)
			}
		}
	}
}

// expand replaces $(NAME) and $$ as Kubernetes does in the arguments of a container.
func expand(text string, env map[string]string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		rest := text[i:]
		end := strings.IndexByte(rest, ')')
		switch {
		case strings.HasPrefix(rest, "$$"):
			b.WriteByte('$')
			i++
		case strings.HasPrefix(rest, "$(") && end > 0:
			value, known := env[rest[2:end]]
			if !known {
				value = rest[:end+1]
			}
			b.WriteString(value)
			i += end
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
