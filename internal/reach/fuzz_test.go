package reach

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
)

// FuzzArchive reads damaged archives: each is refused or compared, and none ends the program.
func FuzzArchive(f *testing.F) {
	f.Add([]byte("!<arch>\n"))
	f.Add(archiveOf(make([]byte, 200)))
	f.Add(archiveOf(smallObject()))
	f.Fuzz(func(t *testing.T, text []byte) {
		file := filepath.Join(t.TempDir(), "a")
		testfile.Write(t, file, text)
		base := []Archive{{Path: MainPackage, File: file, Content: "a"}}
		here := []Archive{{Path: MainPackage, File: file, Content: "b"}}
		c, err := New(base, here)
		if err != nil {
			return
		}
		if d, err := c.Program(); d != nil && err != nil {
			t.Errorf("both a difference and an error: %v", err)
		}
		if d, err := c.Benchmark("BenchmarkX"); d != nil || err == nil && c.base != nil {
			t.Errorf("a benchmark that is not there: %v, %v", d, err)
		}
	})
}

func TestArchivesThatAreRefused(t *testing.T) {
	object := smallObject()
	for what, text := range map[string][]byte{
		"empty": nil, "no archive": []byte("text"), "no object": []byte("!<arch>\n"), "cut": archiveOf(object)[:100],
		"ELF": archiveOf([]byte("\x7fELF")), "another magic": archiveOf(bytes.Replace(object, []byte("go120"), []byte("go121"), 1)),
		"offsets": archiveOf(append([]byte(magic), bytes.Repeat([]byte{0xff}, 200)...)),
	} {
		file := filepath.Join(t.TempDir(), "a")
		testfile.Write(t, file, text)
		if _, _, err := readArchive(file); err == nil {
			t.Errorf("%s is read", what)
		}
	}
	file := filepath.Join(t.TempDir(), "a")
	testfile.Write(t, file, archiveOf(object))
	if objects, line, err := readArchive(file); err != nil || len(objects) != 1 || line != "go object linux amd64 go1.26.0" {
		t.Errorf("%v, %q, %v", objects, line, err)
	}
	cgo := filepath.Join(t.TempDir(), "cgo")
	testfile.Write(t, cgo, archiveOf(object, []byte("\x7fELF")))
	for _, c := range []struct{ standard, same, refused bool }{{true, true, false}, {false, true, true}, {false, false, true}} {
		list := func(content string) []Archive {
			if c.same {
				content = ""
			}
			return []Archive{{Path: MainPackage, File: file, Content: content + "m"}, {Path: "c", File: cgo, Content: "c" + content, Standard: c.standard}}
		}
		base, here := list("1"), list("2")
		here[0].Content = "other"
		if _, err := New(base, here); (err != nil) != c.refused {
			t.Errorf("C code %+v: %v", c, err)
		}
	}
	other := func(content string) []Archive { return []Archive{{Path: MainPackage, File: file, Content: content}} }
	if c, err := New(other("a"), other("b")); err != nil {
		t.Error(err)
	} else if _, err := c.Program(); !errors.Is(err, errFormat) {
		t.Errorf("a program without a main function is compared: %v", err)
	} else if _, err := c.Benchmark("BenchmarkX"); err == nil {
		t.Error("a benchmark that is not there is compared")
	}
	if _, err := New([]Archive{{Path: MainPackage, File: file, Content: "a", Standard: true}}, []Archive{{Path: MainPackage, File: file, Content: "b", Standard: true}}); err == nil || !strings.Contains(err.Error(), "toolchain differs") {
		t.Errorf("packages of the toolchain may differ: %v", err)
	}
}

func TestReleases(t *testing.T) {
	for release, want := range map[string]bool{"go1.24": true, "go1.26.8": true, "go1.27.1": false, "go1.2": false, "go1.260": false, "devel": false} {
		if isKnown(release) != want {
			t.Errorf("%s: %v", release, !want)
		}
	}
}

func TestErrorsAreNoPanics(t *testing.T) {
	err := func() (err error) {
		defer recovered(&err)
		var o object
		return errors.New(o.name(7))
	}()
	if !errors.Is(err, errFormat) {
		t.Error(err)
	}
}

// smallObject is an object file without symbols.
func smallObject() []byte {
	text := append([]byte(magic), make([]byte, 12)...)
	for i := range blocks {
		at := headerBytes
		switch {
		case i > blockDataIdx:
			at += 12
		case i > blockRelocIdx: // each list of indices has its end
			at += 4 * (i - blockRelocIdx)
		}
		text = binary.LittleEndian.AppendUint32(text, uint32(at))
	}
	return append(text, make([]byte, 12)...)
}

type member struct {
	name string
	text []byte
}

// archiveOf is an archive with a description of a package and objects, of which go has compiled the first.
func archiveOf(objects ...[]byte) []byte {
	var b bytes.Buffer
	b.WriteString("!<arch>\n")
	const line = "go object linux amd64 go1.26.0\n\n!\n"
	members := []member{{"__.PKGDEF", []byte(line)}}
	for i, o := range objects {
		m := member{"_go_.o", append([]byte(line), o...)}
		if i > 0 {
			m = member{"x.o", o}
		}
		members = append(members, m)
	}
	for _, m := range members {
		b.WriteString(m.name + string(bytes.Repeat([]byte(" "), 48-len(m.name))))
		size := []byte(strconv.Itoa(len(m.text)))
		b.Write(append(size, bytes.Repeat([]byte(" "), 10-len(size))...))
		b.WriteString("`\n")
		b.Write(m.text)
		if len(m.text)%2 == 1 {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// A package with C code is named as such. In the archive the object files of the C compiler follow the one of Go.
func TestCodeOfOtherLanguagesIsNamed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "p.a")
	text := fmt.Sprintf("!<arch>\n%-16s%-12s%-6s%-6s%-8s%-10d`\n%s", "_x001.o", "0", "0", "0", "644", 4, "\x7fELF")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := readArchive(file); err == nil || err.Error() != "it has code of C or another language (_x001.o)" {
		t.Error(err)
	}
}
