package e2e

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// slurmConf configures a cluster of this machine alone: folder, host, three ports, CPUs.
// It needs no cgroups and no accounts.
const slurmConf = `ClusterName=test
SlurmctldHost=%[2]s(127.0.0.1)
SlurmctldPort=%[3]d
SlurmdPort=%[4]d
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=%[1]s/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/linear
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
StateSaveLocation=%[1]s/state
SlurmdSpoolDir=%[1]s/spool
SlurmctldPidFile=%[1]s/slurmctld.pid
SlurmdPidFile=%[1]s/slurmd.pid
ReturnToService=2
MessageTimeout=100
NodeName=%[2]s NodeAddr=127.0.0.1 CPUs=%[5]d State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`

// slurm starts a cluster, adds its configuration to the environment of the place, and ends
// it with the test.
func (p *place) slurm(t *testing.T) {
	t.Helper()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	dir := t.TempDir()
	for _, name := range []string{"state", "spool"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	key := make([]byte, 64)
	rand.Read(key)
	conf := fmt.Sprintf(slurmConf, dir, host, freePort(t), freePort(t), runtime.NumCPU())
	for name, text := range map[string]string{"munge.key": string(key), "slurm.conf": conf} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.env = append(p.env, "SLURM_CONF="+filepath.Join(dir, "slurm.conf"))
	p.daemon(t, dir, "munged", "--foreground", "--force", "--socket="+dir+"/munge.socket", "--key-file="+dir+"/munge.key", "--pid-file="+dir+"/munged.pid", "--log-file="+dir+"/munged.own.log", "--seed-file="+dir+"/munged.seed")
	p.until(t, "munged listens", func() bool { _, err := os.Stat(filepath.Join(dir, "munge.socket")); return err == nil })
	p.daemon(t, dir, "slurmctld", "-D")
	p.daemon(t, dir, "slurmd", "-D")
	p.until(t, "the node is idle", func() bool {
		_, out := p.sh(t, "sinfo --noheader --format=%T")
		return strings.TrimSpace(out) == "idle"
	})
	t.Cleanup(func() { p.sh(t, "scancel --user=root; squeue") }) // before the daemons end
}

// daemon starts a program, and ends it with the test. If the test has failed, it shows what
// the program has written.
func (p *place) daemon(t *testing.T, dir, name string, args ...string) {
	t.Helper()
	log, err := os.Create(filepath.Join(dir, name+".log"))
	if err != nil {
		t.Fatal(err)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		path = "/usr/sbin/" + name
	}
	cmd := exec.Command(path, args...)
	cmd.Env = p.env
	cmd.Stdout = log
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(patience / 10):
			_ = cmd.Process.Kill()
			<-ended
		}
		if text, err := os.ReadFile(log.Name()); t.Failed() {
			t.Logf("%s: %v\n%s", name, err, text)
		}
	})
}

// until waits until something is true.
func (p *place) until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for begun := time.Now(); !is(); time.Sleep(100 * time.Millisecond) {
		if time.Since(begun) > patience {
			t.Fatalf("never: %s", what)
		}
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// Slurm runs the array. The commands are those in the head of the script.
func TestSlurm(t *testing.T) {
	require(t, "slurmctld slurmd slurm-client munge", "munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue")
	if os.Geteuid() != 0 {
		t.Skip("Slurm starts jobs of other users only as root")
	}
	p := newPlace(t)
	p.slurm(t)
	_, script := p.sh(t, "suite fleet slurm 'my suite.yaml' -n 4 -- --no-sentinel | tee job.sbatch")
	status, _ := p.sh(t, strings.Replace(command(t, script, "job="), "FILE", "job.sbatch", 1)+" || exit 9\n"+command(t, script, "suite merge"))
	if status != 1 {
		t.Errorf("exit status %d, want that of the red gate; 9: a shard has failed", status)
	}
	_, logs := p.sh(t, "cat slurm-*")
	for i := range 4 {
		if n := strings.Count(logs, fmt.Sprintf("suite: shard %d/4: ", i+1)); n != 1 {
			t.Errorf("%d tasks are shard %d of 4:\n%s", n, i+1, logs)
		}
	}
	p.sameAsWhole(t, "results/*/*.json")

	// A lost shard is measured again by the command that merge prints.
	status, out := p.sh(t, "rm results/*/3.json; suite merge results/*/*.json 2>&1")
	again := "sbatch --array=3 FILE"
	if status != 2 || !strings.Contains(out, again) {
		t.Fatalf("exit status %d, want the command that repeats a shard:\n%s", status, out)
	}
	p.sh(t, strings.Replace(again, "sbatch", "sbatch --wait", 1)[:len(again)+len(" --wait")-len("FILE")]+"job.sbatch")
	p.sameAsWhole(t, "results/*/*.json")
}
