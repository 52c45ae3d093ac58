//go:build unix

package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// socket is the folder of the socket of the server that TestMain starts, and of nothing else:
// it listens on no network. It is empty if PostgreSQL is not installed.
var socket string

func TestMain(m *testing.M) {
	stop, err := startServer()
	if err != nil {
		fmt.Fprintln(os.Stderr, "PostgreSQL:", err)
		os.Exit(1)
	}
	status := m.Run()
	stop()
	os.Exit(status)
}

// startServer starts a PostgreSQL with a new database, if one is installed. It refuses to run
// as root, so it runs as the user postgres then.
func startServer() (stop func(), err error) {
	bin := programs()
	if bin == "" {
		return func() {}, nil
	}
	folder, err := os.MkdirTemp("/tmp", "suite-pg") // a socket's path has at most 107 characters
	if err != nil {
		return nil, err
	}
	as := &syscall.SysProcAttr{}
	if os.Getuid() == 0 {
		as.Credential, err = serverUser(folder)
		if err != nil {
			return nil, err
		}
	}
	command := func(name string, args ...string) *exec.Cmd {
		c := exec.Command(filepath.Join(bin, name), args...)
		c.Dir, c.SysProcAttr = folder, as
		return c
	}
	data := filepath.Join(folder, "data")
	if out, err := command("initdb", "-D", data, "-U", "postgres", "--auth=trust", "--no-sync", "--no-locale", "-E", "UTF8").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	hba := []byte("local all locked scram-sha-256\nlocal all all trust\n")
	if err := os.WriteFile(filepath.Join(data, "pg_hba.conf"), hba, 0o600); err != nil {
		return nil, err
	}
	server := command("postgres", "-D", data, "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off", "-c", "log_min_messages=panic")
	if err := server.Start(); err != nil {
		return nil, err
	}
	stop = func() {
		_ = server.Process.Signal(syscall.SIGQUIT) // at once: nothing of it is kept
		_ = server.Wait()
		_ = os.RemoveAll(folder)
	}
	socket = folder
	return stop, await()
}

// programs is the folder with the programs of the newest PostgreSQL, empty if there is none.
// Debian does not put them into PATH.
func programs() string {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path)
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is well formed
	slices.Sort(found)
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(found[len(found)-1])
}

// serverUser gives a folder to the user postgres.
func serverUser(folder string) (*syscall.Credential, error) {
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, err1 := strconv.Atoi(u.Uid)
	gid, err2 := strconv.Atoi(u.Gid)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, errors.Join(err1, err2, os.Chown(folder, uid, gid))
}

// patience bounds the wait for the server.
const patience = time.Minute

func await() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, at("postgres", ""))
		if err == nil {
			return conn.Close(ctx)
		}
		if ctx.Err() != nil {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// at is the URL of a database.
func at(database, userinfo string) string {
	if userinfo == "" {
		userinfo = "postgres"
	}
	return fmt.Sprintf("postgres://%s@/%s?host=%s", userinfo, database, socket)
}

// connect connects to a database, the first one that every server has if it has no name.
func connect(t *testing.T, database string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), at(database, ""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// fresh makes an empty database for a test and returns its name. Without PostgreSQL it skips
// the test.
func fresh(t *testing.T) string {
	t.Helper()
	if socket == "" {
		t.Skip("PostgreSQL is not installed: apt-get install postgresql")
	}
	name := fmt.Sprintf("test%d", time.Now().UnixNano())
	execute(t, connect(t, "postgres"), "CREATE DATABASE "+name)
	return name
}

func execute(t *testing.T, conn *pgx.Conn, statement string) {
	t.Helper()
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// count returns a number.
func count(t *testing.T, conn *pgx.Conn, query string) (n int) {
	t.Helper()
	if err := conn.QueryRow(t.Context(), query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}
