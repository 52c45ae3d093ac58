package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// writeImage writes an image for the Linux systems as a tar file with an OCI layout, which docker load, podman load,
// skopeo and crane read. It has the two programs and nothing else, no shell, no Go and no git: it is for images that
// copy the programs, and for commands that measure nothing. Dockerfile makes the image in which Go code can be
// measured.
func (r *release) writeImage(builds []build) error {
	var index v1.ImageIndex = mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, b := range builds {
		image, err := r.image(b)
		if err != nil {
			return err
		}
		platform := &v1.Platform{OS: b.system, Architecture: b.architecture}
		index = mutate.AppendManifests(index,
			mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: platform}})
	}
	folder := filepath.Join(r.work, "image")
	path, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	tag := strings.ReplaceAll(r.plain(), "+", "_") // which no tag may have
	named := layout.WithAnnotations(map[string]string{
		"org.opencontainers.image.ref.name": tag,
		"io.containerd.image.name":          "docker.io/library/suite:" + tag, // as docker load has to name it
	})
	if err := path.AppendIndex(index, named); err != nil {
		return err
	}
	files, err := below(folder)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("suite_%s_image.tar", r.plain())
	return create(filepath.Join(r.out, name), func(w io.Writer) error { return writeTar(w, "", files, r.date) })
}

// below lists the files below a folder, in alphabetical order.
func below(folder string) (files []file, err error) {
	err = filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		files = append(files, file{filepath.ToSlash(name), path, 0o644})
		return err
	})
	return files, err
}

func (r *release) image(b build) (v1.Image, error) {
	content, err := r.layer(b)
	if err != nil {
		return nil, err
	}
	opener := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil }
	layer, err := tarball.LayerFromOpener(opener, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err = mutate.Append(image, mutate.Addendum{Layer: layer, History: v1.History{
		Created: v1.Time{Time: r.date}, CreatedBy: ".ci/release", Comment: "suite " + r.version}})
	if err != nil {
		return nil, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = b.system, b.architecture, v1.Time{Time: r.date}
	config.Config = v1.Config{
		Entrypoint: []string{"/usr/local/bin/suite"}, WorkingDir: "/work",
		Env: []string{"PATH=/usr/local/bin", "SUITE_CACHE=/tmp/suite"},
		Labels: map[string]string{
			"org.opencontainers.image.title": "suite", "org.opencontainers.image.version": r.version,
			"org.opencontainers.image.revision": r.commit,
			"org.opencontainers.image.source":   r.homepage(), "org.opencontainers.image.licenses": licence,
		},
	}
	return mutate.ConfigFile(image, config)
}

// layer is the file system of the image, as a tar file.
func (r *release) layer(b build) ([]byte, error) {
	files := []file{{"tmp/", "", 0o777 | fs.ModeSticky}}
	for _, f := range b.files {
		switch to := place(f.name); {
		case strings.HasPrefix(to, "/usr/bin/"):
			files = append(files, file{"usr/local/bin/" + f.name, f.path, f.mode})
		case f.name == "LICENSE" || f.name == notices:
			files = append(files, file{strings.TrimPrefix(to, "/"), f.path, f.mode})
		}
	}
	var all bytes.Buffer
	err := writeTar(&all, "", files, r.date)
	return all.Bytes(), err
}
