// Package realserver starts a real chat server with a small real model for
// tests of whatever speaks to one. It is for protocol, schema and errors: the
// small model knows nothing, and its words change with the machine, so that a
// test asserts the shape of a reply and never its text.
//
// The environment variable KGEVAL_LLM_SERVER turns such tests on. It holds
// either a command that understands what .ci/llm-server does,
//
//	KGEVAL_LLM_SERVER=$PWD/.ci/llm-server go test ./llm/...
//
// or the base URL of an OpenAI-compatible server that runs already, with
// KGEVAL_LLM_MODEL and KGEVAL_LLM_KEY for its model and key. Without it they
// skip by name.
package realserver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The environment variables.
const (
	EnvServer = "KGEVAL_LLM_SERVER"
	EnvModel  = "KGEVAL_LLM_MODEL"
	EnvKey    = "KGEVAL_LLM_KEY"
)

// loadTime is how long a model may take to load on a busy machine.
const loadTime = 2 * time.Minute

// Options are the settings of a server; the zero value is fine.
type Options struct {
	// Context is the model's window in tokens; 0 stands for 2048.
	Context int
	// Slots is the number of requests that are answered at a time; they share
	// the window. 0 stands for 1.
	Slots int
	// Key is the API key that requests must bear; "" for none.
	Key string
}

// Server is a running server.
type Server struct {
	// URL is the base URL with the version: "http://127.0.0.1:8080/v1".
	URL string
	// Model is the name of the served model.
	Model string
	// Key is the API key; "" if the server wants none.
	Key string

	process *process // nil for one that was running already
}

// Start returns a server that is ready, and stops it when the test ends. The
// test is skipped where EnvServer is not set. With a URL in EnvServer the
// options are ignored; a test that can't do without them asks NeedProcess.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	s := Launch(t, o)
	s.Wait(t)
	return s
}

// NeedProcess skips the test unless EnvServer holds a command, so that the test
// has a server of its own, which has its options and may be killed.
func NeedProcess(t testing.TB) {
	t.Helper()
	need(t)
	if url := os.Getenv(EnvServer); isURL(url) {
		t.Skipf("%s needs a server of its own: set %s to the command .ci/llm-server instead of a URL", t.Name(), EnvServer)
	}
}

func need(t testing.TB) {
	t.Helper()
	if os.Getenv(EnvServer) == "" {
		t.Skipf("%s needs a chat server: set %s to the command .ci/llm-server (its whole path), or to the base URL of one", t.Name(), EnvServer)
	}
}

func isURL(s string) bool {
	return strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://")
}

// Launch is Start without waiting: the server may not listen yet, and then
// answers 503 until its model is loaded.
func Launch(t testing.TB, o Options) *Server {
	t.Helper()
	need(t)
	server := os.Getenv(EnvServer)
	if isURL(server) {
		model := os.Getenv(EnvModel)
		if model == "" {
			model = "local"
		}
		return &Server{URL: strings.TrimRight(server, "/"), Model: model, Key: os.Getenv(EnvKey)}
	}

	const model = "small-model"
	port := freePort(t)
	args := append(strings.Fields(server), "serve", "--port", strconv.Itoa(port), "--name", model,
		"--context", strconv.Itoa(orElse(o.Context, 2048)), "--slots", strconv.Itoa(orElse(o.Slots, 1)))
	if o.Key != "" {
		args = append(args, "--key", o.Key)
	}
	p, err := start(args)
	if err != nil {
		t.Fatalf("%s: %v", EnvServer, err)
	}
	s := &Server{URL: fmt.Sprintf("http://127.0.0.1:%d/v1", port), Model: model, Key: o.Key, process: p}
	t.Cleanup(func() {
		s.process.kill()
		if t.Failed() {
			t.Logf("the server said at the end:\n%s", p.log.tail())
		}
	})
	return s
}

func orElse(n, fallback int) int {
	if n == 0 {
		return fallback
	}
	return n
}

// Wait returns when the server is ready, and fails the test when it does not
// become so.
func (s *Server) Wait(t testing.TB) {
	t.Helper()
	if s.process == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), loadTime)
	defer cancel()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(s.URL, "/v1")+"/health", nil)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := client.Do(req); err == nil {
			_ = resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
		select {
		case <-s.process.ended:
			t.Fatalf("the server ended before it was ready:\n%s", s.process.log.tail())
		case <-ctx.Done():
			t.Fatalf("the server was not ready after %v:\n%s", loadTime, s.process.log.tail())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// Own reports whether the server is the test's own, to set up and to kill.
func (s *Server) Own() bool { return s.process != nil }

// Kill ends the server at once, in the middle of whatever it does.
func (s *Server) Kill(t testing.TB) {
	t.Helper()
	if s.process == nil {
		t.Fatal("this server is not the test's to kill: see NeedProcess")
	}
	s.process.kill()
}

// process is a command whose standard input stays open until it is killed.
type process struct {
	cmd   *exec.Cmd
	stdin io.Closer
	log   *log
	ended chan struct{} // closed when the process is gone
}

func start(args []string) (*process, error) {
	cmd := exec.Command(args[0], args[1:]...)
	p := &process{cmd: cmd, log: &log{}, ended: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = p.log, p.log
	// A child of the command that holds its output must not hold us up.
	cmd.WaitDelay = 5 * time.Second
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	p.stdin = stdin
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.stdin.Close() // ends a server below a command that is no exec
	<-p.ended
}

// log keeps the end of what a process writes.
type log struct {
	mu  sync.Mutex
	buf []byte
}

const logged = 4096

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf = append(l.buf, b...)
	if n := len(l.buf); n > 2*logged {
		l.buf = append(l.buf[:0], l.buf[n-logged:]...)
	}
	return len(b), nil
}

func (l *log) tail() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(bytes.TrimSpace(l.buf[max(0, len(l.buf)-logged):]))
}

// freePort returns a port of this machine that nobody listened on just now.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
