// Command deploy holds what deploy/ has for clusters to what reads it: compose.yaml to the Compose specification, kubernetes.yaml
// to the types of Kubernetes, and the command lines and variables in both to each other and to the nebula-fleet that is here.
//
//	go run . -fleet ../../nebula-fleet ../../deploy    (in tools/deploy)
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// work is how a worker is run somewhere.
type work struct {
	args []string
	env  map[string]bool // the variables that it is given
}

func main() {
	log.SetFlags(0)
	fleet := flag.String("fleet", "", "the `FILE` of nebula-fleet")
	flag.Parse()
	if err := check(flag.Arg(0), *fleet); err != nil {
		log.Fatal(err)
	}
}

func check(dir, fleet string) error {
	compose, services, err := composed(filepath.Join(dir, "compose.yaml"))
	if err != nil {
		return err
	}
	cluster, names, err := clustered(filepath.Join(dir, "kubernetes.yaml"))
	if err != nil {
		return err
	}
	if !slices.Equal(compose.args, cluster.args) {
		return fmt.Errorf("a worker is run by %q in one and by %q in the other", compose.args, cluster.args)
	}
	if a, b := listed(compose.env), listed(cluster.env); a != b {
		return fmt.Errorf("a worker is given %s in one and %s in the other", a, b)
	}
	if a, b := strings.Join(slices.Sorted(maps.Keys(services)), " "), strings.Join(slices.Sorted(maps.Keys(names)), " "); a != b {
		return fmt.Errorf("one has the parts %s and the other %s", a, b)
	}
	if out, err := exec.Command(fleet, append(slices.Clone(compose.args), "--help")...).CombinedOutput(); err != nil {
		return fmt.Errorf("nebula-fleet does not understand %q: %w\n%s", compose.args, err, out)
	}
	fmt.Println("deploy: a worker is run by the same command in both, and understands it")
	return nil
}

// listed are variables, without those that only say where traces go.
func listed(env map[string]bool) string {
	return strings.Join(slices.DeleteFunc(slices.Sorted(maps.Keys(env)), func(name string) bool { return strings.HasPrefix(name, "OTEL_") }), " ")
}

func composed(file string) (w work, services map[string]bool, err error) {
	options, err := cli.NewProjectOptions([]string{file}, cli.WithEnv([]string{"POSTGRES_PASSWORD=x", "NEBULA_FLEET_KEY=x"}))
	if err != nil {
		return w, nil, err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return w, nil, err
	}
	services = map[string]bool{}
	for name := range project.Services {
		services[name] = true
	}
	worker, err := project.GetService("worker")
	w = work{worker.Command, map[string]bool{}}
	for name := range worker.Environment {
		w.env[name] = true
	}
	return w, services, err
}

func clustered(file string) (w work, names map[string]bool, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return w, nil, err
	}
	names = map[string]bool{}
	for i, doc := range bytes.Split(text, []byte("\n---\n")) {
		var head struct {
			Kind     string
			Metadata struct{ Name string }
		}
		if err := yaml.Unmarshal(doc, &head); err != nil {
			return w, nil, err
		}
		kinds := map[string]any{"Namespace": &corev1.Namespace{}, "Service": &corev1.Service{}, "PersistentVolumeClaim": &corev1.PersistentVolumeClaim{}, "Deployment": &appsv1.Deployment{}}
		into, ok := kinds[head.Kind]
		if !ok {
			return w, nil, fmt.Errorf("part %d of %s is a %q, which is not checked", i+1, file, head.Kind)
		}
		if err := yaml.UnmarshalStrict(doc, into); err != nil {
			return w, nil, fmt.Errorf("%s %s: %w", head.Kind, head.Metadata.Name, err)
		}
		switch into := into.(type) {
		case *corev1.Service:
			names[into.Name] = true
		case *appsv1.Deployment:
			names[into.Name] = true
			if w, err = deployed(into); err != nil {
				return w, nil, err
			}
		}
	}
	return w, names, nil
}

// deployed is how the one container of a deployment is run. A secret stands in none of its values.
func deployed(d *appsv1.Deployment) (w work, err error) {
	if !maps.Equal(d.Spec.Selector.MatchLabels, d.Spec.Template.Labels) || len(d.Spec.Template.Spec.Containers) != 1 {
		return w, errors.New("the deployment selects other labels than its pods bear, or has not one container")
	}
	c := d.Spec.Template.Spec.Containers[0]
	w = work{c.Args, map[string]bool{}}
	for _, v := range c.Env {
		w.env[v.Name] = true
		if secret := strings.Contains(v.Name, "KEY") || strings.Contains(v.Name, "PASSWORD"); secret != (v.ValueFrom != nil && v.ValueFrom.SecretKeyRef != nil) {
			return w, fmt.Errorf("%s is secret or not, and comes from where the other kind does", v.Name)
		}
	}
	for _, m := range c.VolumeMounts {
		if !slices.ContainsFunc(d.Spec.Template.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == m.Name }) {
			return w, fmt.Errorf("there is no volume %s", m.Name)
		}
	}
	return w, nil
}
