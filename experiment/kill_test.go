package experiment_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kgeval/kgeval/experiment"
)

const killLog = "KGEVAL_TEST_KILL_LOG"

// killedRun is what the process does that TestKilledRuns kills.
func killedRun(path string, asked *os.File) error {
	slow := func(id string, wait time.Duration) *answerer {
		a := right()
		a.id = id
		say := a.say
		a.say = func(ctx context.Context, q experiment.Question) (experiment.Reply, error) {
			fmt.Fprintf(asked, "%s %s %g %d\n", id, q.Text, q.Temperature, q.Seed)
			time.Sleep(wait)
			if strings.Contains(q.Text, "Kelso") {
				return experiment.Reply{}, fmt.Errorf("%s does not know Kelso", id)
			}
			return say(ctx, q)
		}
		return a
	}
	o := options(len(towns), model("a", slow("a", 5*time.Millisecond)), model("b", slow("b", 2*time.Millisecond)))
	o.Repeats = 3
	_, err := experiment.Start(context.Background(), path, o)
	return err
}

// TestKilledProcess is the process of TestKilledRuns.
func TestKilledProcess(t *testing.T) {
	path := os.Getenv(killLog)
	if path == "" {
		t.Skip("this is a part of TestKilledRuns")
	}
	asked, err := os.OpenFile(path+".asked", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	if err := killedRun(path, asked); err != nil {
		t.Fatal(err)
	}
}

// A run that is killed 20 times at random points ends in the log of one that was left in
// peace, and nothing that was answered is asked again.
func TestKilledRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("starts 20 processes; run without -short")
	}
	dir := t.TempDir()
	calm, path := filepath.Join(dir, "calm.jsonl"), filepath.Join(dir, "killed.jsonl")
	devNull, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer devNull.Close()
	if err := killedRun(calm, devNull); err != nil {
		t.Fatal(err)
	}
	size := fileSize(calm)
	random := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano()))) // the points differ from run to run; what must hold does not
	answered := map[string]bool{}
	looked := 0 // bytes of the list of questions
	check := func() {
		t.Helper()
		b, err := os.ReadFile(path + ".asked")
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, l := range strings.Split(string(b[looked:]), "\n") {
			if answered[l] {
				t.Errorf("asked again: %s", l)
			}
		}
		looked = len(b)
		for _, done := range tasksOf(t, path) {
			answered[done] = true
		}
	}
	kills, torn := 0, 0
	for kills < 20 {
		goal := fileSize(path) + random.Int64N(size/50)
		cmd := helper(path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		deadline := time.After(30 * time.Second)
		killed := false
	wait:
		for {
			select {
			case err := <-ended:
				if err != nil && !killed {
					t.Fatalf("the run failed: %v\n%s", err, cmd.Stdout)
				}
				break wait
			case <-deadline:
				t.Fatal("the run does not get on")
			case <-time.After(time.Duration(random.IntN(2000)) * time.Microsecond):
				if !killed && fileSize(path) >= goal {
					cmd.Process.Kill()
					killed = true
				}
			}
		}
		check()
		if !killed { // it came to its end before
			break
		}
		kills++
		if b, _ := os.ReadFile(path); len(b) > 0 && b[len(b)-1] != '\n' {
			torn++
		}
		// Now and then the last line is torn as a dying machine tears it.
		if st := fileSize(path); random.IntN(3) == 0 && st > 0 {
			cut := st - random.Int64N(min(st, 200))
			before := tasksOf(t, path)
			if err := os.Truncate(path, cut); err != nil {
				t.Fatal(err)
			}
			for _, lost := range before {
				delete(answered, lost) // what was torn off may be asked again
			}
			for _, kept := range tasksOf(t, path) {
				answered[kept] = true
			}
		}
	}
	if kills < 20 {
		t.Fatalf("the run ended after %d kills", kills)
	}
	last := helper(path)
	if err := last.Run(); err != nil {
		t.Fatalf("%v\n%s", err, last.Stdout)
	}
	check()
	if got, want := canonical(t, path), canonical(t, calm); got != want {
		t.Errorf("the log of the killed run differs:\n%s\nwant\n%s", got, want)
	}
	t.Logf("%d kills, %d of them in the middle of a line", kills, torn)
}

func helper(path string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^TestKilledProcess$")
	cmd.Env = append(os.Environ(), killLog+"="+path)
	cmd.Stdout = &bytes.Buffer{}
	return cmd
}

func fileSize(path string) int64 {
	st, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return st.Size()
}

// tasksOf names what a log has an answer or a failure for, as the process lists what it
// asks; nothing for a log without a header.
func tasksOf(t *testing.T, path string) []string {
	t.Helper()
	r, err := experiment.Read(path)
	if err != nil {
		return nil
	}
	var out []string
	for _, x := range r.Records {
		it, _ := r.Item(x.Item)
		out = append(out, fmt.Sprintf("%s %s %g %d", x.Model, it.Question, x.Temperature, x.Repeat))
	}
	return out
}

// canonical is a log without times and sums, its lines in order.
func canonical(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range bytes.Split(bytes.TrimSpace(b), []byte("\n")) {
		var raw map[string]any
		if err := json.Unmarshal(l, &raw); err != nil {
			t.Fatalf("%v: %s", err, l)
		}
		delete(raw, "sum")
		for _, x := range raw {
			for _, key := range []string{"at", "seconds", "started"} {
				delete(x.(map[string]any), key)
			}
		}
		text, err := json.Marshal(raw)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

// A log that another process writes is refused, and free again as soon as that one dies.
func TestTwoProcessesOnOneLog(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process; run without -short")
	}
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" && runtime.GOOS != "windows" {
		t.Skip("no lock on " + runtime.GOOS)
	}
	path := filepath.Join(t.TempDir(), "run.jsonl")
	cmd := helper(path)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for fileSize(path) == 0 {
		time.Sleep(time.Millisecond)
	}
	devNull, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer devNull.Close()
	if err := killedRun(path, devNull); !errors.Is(err, experiment.ErrLocked) || !strings.Contains(err.Error(), path+": another process is writing it") {
		t.Errorf("beside another process: %v", err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	if err := killedRun(path, devNull); err != nil {
		t.Errorf("after it died: %v", err)
	}
}
