package main

import (
	"cmp"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// writeBill writes the bill of materials of a target, in the JSON of CycloneDX: the programs, and for each of them the
// modules that the go command has recorded in it. It is true of the archive, the packages and the image of the target.
func (r *release) writeBill(b build) error {
	bill := cdx.NewBOM()
	const root = "suite"
	bill.Metadata = &cdx.Metadata{
		Timestamp: r.date.Format(time.RFC3339),
		Component: &cdx.Component{
			BOMRef: root, Type: cdx.ComponentTypeApplication, Name: "suite", Version: r.version,
			Licenses:   licenceChoice(licence),
			PackageURL: packageURL(r.module, r.version), Description: "the programs of suite for " + b.String(),
			Properties: &[]cdx.Property{{Name: "vcs.revision", Value: r.commit}},
		},
	}
	var components []cdx.Component
	dependencies := []cdx.Dependency{{Ref: root, Dependencies: &[]string{}}}
	goVersion := strings.TrimPrefix(b.programs[0].goVersion, "go")
	library := packageURL("std", goVersion)
	for _, p := range b.programs {
		name := filepath.Base(p.path)
		sum, err := sha256Of(p.path)
		if err != nil {
			return err
		}
		ref := "program:" + name
		components = append(components, cdx.Component{BOMRef: ref, Type: cdx.ComponentTypeApplication,
			Name: name, Version: r.version,
			Licenses: licenceChoice(licence), Hashes: &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: sum}}})
		*dependencies[0].Dependencies = append(*dependencies[0].Dependencies, ref)
		needs := []string{library}
		for _, m := range p.modules {
			needs = append(needs, packageURL(m.path, m.version))
		}
		dependencies = append(dependencies, cdx.Dependency{Ref: ref, Dependencies: &needs})
	}
	components = append(components, cdx.Component{BOMRef: library, Type: cdx.ComponentTypeLibrary,
		Name: "std", Version: goVersion,
		PackageURL: library, Licenses: licenceChoice("BSD-3-Clause"), Description: "the standard library of Go"})
	for _, m := range merged(b.programs) {
		component, err := m.component()
		if err != nil {
			return err
		}
		components = append(components, component)
	}
	bill.Components, bill.Dependencies = &components, &dependencies
	return create(filepath.Join(r.out, r.name(b.target)+".cdx.json"), func(w io.Writer) error {
		return cdx.NewBOMEncoder(w, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bill, cdx.SpecVersion1_6)
	})
}

// merged are the modules of all programs, each version once, in alphabetical order.
func merged(programs []program) (all []dependency) {
	for _, p := range programs {
		all = append(all, p.modules...)
	}
	slices.SortFunc(all, func(x, y dependency) int {
		return cmp.Or(cmp.Compare(x.path, y.path), cmp.Compare(x.version, y.version))
	})
	return slices.CompactFunc(all, func(x, y dependency) bool { return x.path == y.path && x.version == y.version })
}

func (m dependency) component() (cdx.Component, error) {
	found, err := readTerms(m.folder)
	if err != nil {
		return cdx.Component{}, err
	}
	// As in the bills of cyclonedx-gomod, the hash is the one of go.sum: of the list of files and their hashes.
	sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(m.sum, "h1:"))
	if err != nil || len(sum) == 0 {
		return cdx.Component{}, fmt.Errorf("%s %s has the checksum %q: %w", m.path, m.version, m.sum, err)
	}
	url := packageURL(m.path, m.version)
	return cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: m.path, Version: m.version, PackageURL: url,
		Licenses: licenceChoice(found.licences()...),
		Hashes:   &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: hex.EncodeToString(sum)}}}, nil
}

func packageURL(path, version string) string { return "pkg:golang/" + path + "@" + version }

// licenceChoice is nil if no licence was recognised: a bill that lacks one is better than a wrong one.
func licenceChoice(ids ...string) *cdx.Licenses {
	var all cdx.Licenses
	for _, id := range ids {
		all = append(all, cdx.LicenseChoice{License: &cdx.License{ID: id}})
	}
	if len(all) == 0 {
		return nil
	}
	return &all
}
