package executable

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"example.com/suite/internal/testfile"
)

func TestCheck(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("scripts have no interpreter, and files no mode")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for name, file := range map[string]struct {
		text string
		mode os.FileMode
	}{
		"plain":    {"#!/bin/sh -e\n", 0o666},
		"python":   {"#!/usr/bin/env python3\n", 0o666},
		"headless": {"echo\n", 0o666},
		"data":     {"\x7fELF\x00", 0o666},
		"crlf":     {"#!/bin/sh\r\necho\r\n", 0o777},
		"crlfenv":  {"#! /bin/sh -e\r\n", 0o777}, // the argument has the CR: sh reports it
		"gone":     {"#! /no/such/interpreter -x\n", 0o777},
		"fine":     {"#!/bin/sh\n", 0o777},
		"empty":    {"", 0o777},
		"it's":     {"#!/bin/sh\n", 0o666},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(file.text), file.mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"./plain":       `program "./plain" is not executable|chmod +x ./plain, or sh -e ./plain`,
		"./python":      `program "./python" is not executable|chmod +x ./python, or python3 ./python`,
		"./headless":    `program "./headless" is not executable|chmod +x ./headless, or sh ./headless`,
		"./data":        `program "./data" is not executable|chmod +x ./data`,
		dir + "/plain":  `program "` + dir + `/plain" is not executable|chmod +x ` + dir + "/plain, or sh -e " + dir + "/plain",
		"./it's":        `program "./it's" is not executable|chmod +x './it'\''s', or sh './it'\''s'`,
		"./crlf":        `the interpreter "/bin/sh\r" of "./crlf" does not exist|its lines end in CR LF, and the CR became part of the name: sed -i 's/\r$//' ./crlf`,
		"./gone":        `the interpreter "/no/such/interpreter" of "./gone" does not exist|install it, or correct the first line of ./gone`,
		"gone":          `the interpreter "/no/such/interpreter" of "gone" does not exist|install it, or correct the first line of ` + dir + "/gone",
		"./folder":      `program "./folder" is a folder|name a program in it`,
		"./crlfenv":     "",
		"./fine":        "",
		"./empty":       "",
		"sh":            "",
		"plain":         "", // the search of PATH passes over it
		"./none":        "",
		"no-such-thing": "",
	} {
		got := ""
		if fault := Check(name, dir); fault != nil {
			got = strings.Join([]string{fault.Message, fault.Hint}, "|")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestCheckInTheWorkingFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files have no mode")
	}
	t.Chdir(t.TempDir())
	testfile.Write(t, "plain", "")
	if fault := Check("./plain", ""); fault == nil || fault.Message != `program "./plain" is not executable` {
		t.Errorf("%+v", fault)
	}
}
