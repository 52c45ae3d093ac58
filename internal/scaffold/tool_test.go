package scaffold

import (
	"strings"
	"testing"

	"example.com/suite/internal/diag"
)

func TestRevisionOf(t *testing.T) {
	for version, want := range map[string]string{
		"v1.2.3": "v1.2.3", "v1.2.3-rc1": "v1.2.3-rc1",
		"v0.0.0-20261127024833-433d7bc8d251": "433d7bc8d251", "v1.2.4-0.20261127024833-433d7bc8d251": "433d7bc8d251",
		"v0.0.0-20261127024833-433d7bc8d251+dirty": "", "(devel)": "", "unknown": "",
	} {
		if got := revisionOf(version); got != want && (want != "" || got != builtFrom()) {
			t.Errorf("git calls %s %q, want %q", version, got, want)
		}
	}
}

func TestRepositoryOf(t *testing.T) {
	for path, want := range map[string]string{
		"github.com/ada/tool": "https://github.com/ada/tool", "gitlab.com/ada/tools/suite": "https://gitlab.com/ada/tools/suite",
		"github.com/ada/tool/v2": "https://github.com/ada/tool", "example.org/suite": "", "ada.org/suite": "",
	} {
		if got := repositoryOf(path); got != want {
			t.Errorf("the repository of %s is %q, want %q", path, got, want)
		}
	}
}

func TestSetSource(t *testing.T) {
	for text, want := range map[string]Tool{
		"https://github.com/ada/suite@v1":     {Source: "https://github.com/ada/suite", Revision: "v1"},
		"git@host:ada/suite":                  {Source: "git@host:ada/suite", Revision: "v1.2.3"},
		"git@host:ada/suite@main":             {Source: "git@host:ada/suite", Revision: "main"},
		"https://ada:name@github.com/a/suite": {Source: "https://ada:name@github.com/a/suite", Revision: "v1.2.3"},
	} {
		var tool Tool
		if tool.SetSource(text, "v1.2.3"); tool != want {
			t.Errorf("%q is taken as %+v, want %+v", text, tool, want)
		}
	}
}

func TestToolCheck(t *testing.T) {
	sum := strings.Repeat("0a", 32)
	const archive = "https://github.com/ada/suite/releases/download/v1.2.3/suite_1.2.3_linux_amd64.tar.gz"
	for _, good := range []Tool{{}, {Archive: archive, SHA256: sum}, {Source: "https://github.com/ada/suite", Revision: "v1"}} {
		if err := good.Check(); err != nil {
			t.Errorf("%+v: %v", good, err)
		}
	}
	for want, wrong := range map[string]Tool{
		"belong together":                  {Archive: archive},
		"an archive and its checksum":      {SHA256: sum},
		"no SHA-256 checksum":              {Archive: archive, SHA256: strings.ToUpper(sum)},
		"which has 64 digits":              {Archive: archive, SHA256: sum[1:]},
		"is no URL of an archive":          {Archive: "suite_1.2.3_linux_amd64.tar.gz", SHA256: sum},
		`"https://x/\"$(id)" is no URL of`: {Archive: `https://x/"$(id)`, SHA256: sum},
		"is no tar.gz":                     {Archive: strings.Replace(archive, ".tar.gz", ".zip", 1), SHA256: sum},
		"is no URL of a git repository":    {Source: "https://github.com/ada/suite", Revision: "--upload-pack=x"},
	} {
		if err := wrong.Check(); err == nil || !strings.Contains(err.Error(), want) || diag.HintOf(err) == "" {
			t.Errorf("%+v: %v, want %q and a hint", wrong, err, want)
		}
	}
}
