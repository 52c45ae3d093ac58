package observed

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"example.com/suite/internal/tree"
	"example.com/suite/internal/usercache"
)

// treeName is how records name a folder that contains a tree, so that a record of one tree serves for all others in
// which a case looks at the same.
type treeName struct {
	folder string // absolute, without links
	name   string
}

// inRecords is the name of the folder that suite has made for a tree, or of another tree itself.
const inRecords = "${tree}"

// nameOf returns the name of the tree in a folder.
func (o *Observer) nameOf(base string) treeName {
	base = real(base)
	cache, err := usercache.Folder(o.Cache)
	if err != nil {
		return treeName{base, inRecords}
	}
	return treeName{tree.Home(real(cache), base), inRecords}
}

// as returns the name that the tree here would have if it were at the place of the tree base.
func (n treeName) as(base, here string) treeName {
	return treeName{real(here), n.named(real(base))}
}

// named returns the name of a path in records.
func (n treeName) named(path string) string {
	if rest, ok := n.below(path); ok {
		return n.name + rest
	}
	return path
}

// below returns what of a path comes after the folder.
func (n treeName) below(path string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(path, n.folder)
	return rest, ok && (rest == "" || rest[0] == filepath.Separator)
}

// path returns the path that has a name in records.
func (n treeName) path(named string) string {
	if rest, ok := strings.CutPrefix(named, n.name); ok {
		return n.folder + rest
	}
	return named
}

// inJSON returns JSON in which the folder has its name, wherever it is a text or begins one.
func (n treeName) inJSON(text []byte) string {
	quoted := func(s string) string {
		one, _ := json.Marshal(s) // no text is refused
		return strings.TrimSuffix(string(one), `"`)
	}
	folder, name := quoted(n.folder), quoted(n.name)
	return strings.NewReplacer(folder+`"`, name+`"`, folder+"/", name+"/").Replace(string(text))
}
