package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// writeArchive writes a tar.gz, or for Windows a zip. All files are below one folder, which has the name of the
// archive.
func (r *release) writeArchive(b build) error {
	name := r.name(b.target)
	ending, write := ".tar.gz", writeTarGz
	if b.system == "windows" {
		ending, write = ".zip", writeZip
	}
	return create(filepath.Join(r.out, name+ending), func(w io.Writer) error {
		return write(w, name+"/", b.files, r.date)
	})
}

// create makes a file that does not exist yet.
func create(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

func writeTarGz(w io.Writer, folder string, files []file, date time.Time) error {
	compressed := gzip.NewWriter(w) // the best level takes three times as long for 0.4 %
	return errors.Join(writeTar(compressed, folder, files, date), compressed.Close())
}

// writeTar writes files that belong to root. The folders that they are in need no entries.
func writeTar(w io.Writer, folder string, files []file, date time.Time) error {
	archive := tar.NewWriter(w)
	for _, f := range files {
		header := &tar.Header{Typeflag: tar.TypeReg, Name: folder + f.name, Mode: int64(f.mode.Perm()), ModTime: date}
		if f.isFolder() {
			header.Typeflag = tar.TypeDir
			if f.mode&fs.ModeSticky != 0 {
				header.Mode |= 0o1000 // as tar writes it
			}
		} else {
			info, err := os.Stat(f.path)
			if err != nil {
				return err
			}
			header.Size = info.Size()
		}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if f.isFolder() {
			continue
		}
		if err := copyFile(archive, f.path); err != nil {
			return err
		}
	}
	return archive.Close()
}

func writeZip(w io.Writer, folder string, files []file, date time.Time) error {
	archive := zip.NewWriter(w)
	for _, f := range files {
		header := &zip.FileHeader{Name: folder + f.name, Method: zip.Deflate, Modified: date}
		header.SetMode(f.mode)
		entry, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if err := copyFile(entry, f.path); err != nil {
			return err
		}
	}
	return archive.Close()
}

func copyFile(w io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return errors.Join(err, f.Close())
}
