// Package usercache finds the folder of suite in the cache of the user, names folders in it, and removes
// from them what is old. Every cache of suite is a folder in it.
package usercache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"example.com/suite/internal/diag"
	"example.com/suite/internal/lazy"
)

// Folder returns the absolute path of a cache folder: given, or the folder suite in the user's
// cache if given is "". The folder need not exist. The error is non-nil if the user has no
// cache, as in a container without a home, or if the folder belongs to another user, who could
// replace the programs in it.
func Folder(given string) (string, error) {
	if given == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return "", err
		}
		given = filepath.Join(base, "suite")
	}
	folder, err := filepath.Abs(given)
	if err == nil && isForeign(folder) {
		return "", diag.Hinted(fmt.Sprintf("the cache folder %q belongs to another user, who could replace the "+
			"programs in it", folder),
			"SUITE_CACHE=FOLDER in the environment names a folder of your own")
	}
	return folder, err
}

// Key returns 32 hexadecimal digits that identify a list of texts. As the name of a folder
// they keep texts of the user out of paths.
func Key(parts ...string) string {
	sum := sha256.New()
	for _, part := range parts {
		one := sha256.Sum256([]byte(part))
		sum.Write(one[:])
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

var key = lazy.Regexp(`^[0-9a-f]{32}$`)

// IsKey reports whether a name looks like one that Key returned. Nothing else may be removed
// from a cache folder: the user may have chosen a folder with other files.
func IsKey(name string) bool { return key().MatchString(name) }
