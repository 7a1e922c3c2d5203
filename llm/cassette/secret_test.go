package cassette_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/kgeval/kgeval/llm"
	"github.com/kgeval/kgeval/llm/cassette"
	"github.com/kgeval/kgeval/llm/llmtest"
)

// Made-up keys, put together here so that no scanner takes this file for a leak.
func keys() map[string]string {
	return map[string]string{
		"OpenAI":       "sk-" + "proj-a1B2c3D4e5F6g7H8i9J0",
		"Anthropic":    "sk-" + "ant-api03-" + strings.Repeat("aB3_", 20),
		"Groq":         "gsk_" + "a1B2c3D4e5F6g7H8i9J0",
		"Hugging Face": "hf_" + "a1B2c3D4e5F6g7H8i9J0",
		"Google":       "AIza" + strings.Repeat("aB3_-", 7),
		"AWS":          "AKIA" + "ABCDEFGHIJKLMNOP",
		"GitHub":       "ghp_" + strings.Repeat("aB3c", 9),
		"Slack":        "xoxb-" + "123456789012-abcdef",
		"JWT":          "eyJ" + "hbGciOiJIUzI1NiJ9." + "eyJ" + "zdWIiOiIxMjM0In0.s5Q3kQ4vXxw",
		"bearer":       "Bearer " + "Zm9vYmFyYmF6cXV4MTIz",
		"URL user":     "https://" + "admin:hunter2hunter2@example.org/v1",
		"query":        "https://example.org/v1?key=" + "Zm9vYmFyYmF6",
		"header":       "X-Api-Key: " + "Zm9vYmFyYmF6cXV4",
		"PEM":          "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA " + "PRIVATE KEY-----",
		"cut PEM":      "-----BEGIN " + "PRIVATE KEY-----\nMIIEow\nIBAAKC",
	}
}

// secretPart is what of a key must not be on disk.
func secretPart(key string) string {
	for _, before := range []string{"Bearer ", "?key=", "X-Api-Key: ", "https://"} {
		if _, rest, ok := strings.Cut(key, before); ok {
			key = rest
		}
	}
	key, _, _ = strings.Cut(key, "@")
	if strings.Contains(key, "PRIVATE KEY") {
		return "MIIEow"
	}
	return key
}

// No key is on disk, wherever in a request or a reply it stood; and the request
// that holds it finds its recording.
func TestSecretsNeverReachTheDisk(t *testing.T) {
	for name, key := range keys() {
		req := llm.Request{
			Messages: []llm.Message{{Role: llm.System, Text: "Use " + key}, {Role: llm.User, Text: key}},
			Stop:     []string{key},
			Schema:   []byte(fmt.Sprintf(`{"const": %q}`, key)),
		}
		inner := llmtest.Script(llmtest.Step{Response: llm.Response{
			Text: "The key is " + key, Stop: llm.StopEnd, Model: "m " + key,
			LogProbs: []llm.TokenLogProbs{{TokenProb: llm.TokenProb{Token: secretPart(key)}}},
		}})
		inner.Name = "model at " + key
		path := record(t, inner, cassette.Options{}, req)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), secretPart(key)) {
			t.Errorf("%s is on disk:\n%s", name, data)
		}
		m := open(t, path, cassette.Options{}).Model(inner)
		if r, err := m.Generate(t.Context(), req); err != nil || !strings.Contains(r.Text, cassette.Hidden) {
			t.Errorf("%s: %q, %v", name, r.Text, err)
		}
		req.MaxTokens = 9
		if _, err := m.Generate(t.Context(), req); err == nil || strings.Contains(err.Error(), secretPart(key)) {
			t.Errorf("%s is in the error: %v", name, err)
		}
		if strings.Contains(m.ID(), secretPart(key)) {
			t.Errorf("%s is in the ID: %s", name, m.ID())
		}
	}
}

// While recording, the reply is what will be played back.
func TestRecordAndReplayAgree(t *testing.T) {
	key := keys()["OpenAI"]
	c := open(t, t.TempDir()+"/c.json", cassette.Options{Mode: cassette.Record})
	m := c.Model(llmtest.New(llmtest.Echo))
	first, err := m.Generate(t.Context(), ask(key))
	if err != nil || first.Text != "You said: "+cassette.Hidden {
		t.Errorf("got %q, %v", first.Text, err)
	}
	if again, err := m.Generate(t.Context(), ask(key)); err != nil || again.Text != first.Text {
		t.Errorf("got %q, %v", again.Text, err)
	}
}

// The caller's own secrets, in each form in which they travel.
func TestOwnSecrets(t *testing.T) {
	secret := `pass"word/with <odd> signs`
	forms := []string{secret, url.QueryEscape(secret), url.PathEscape(secret), base64.StdEncoding.EncodeToString([]byte(secret)), `pass\"word/with <odd> signs`}
	path := record(t, llmtest.New(llmtest.Echo), cassette.Options{
		Secrets: []string{secret, "abc"}, // abc is too short to be one
		Redact:  func(s string) string { return strings.ReplaceAll(s, "Mr Smith", "Mr X") },
	}, ask("ask Mr Smith for abc: "+strings.Join(forms, " ")))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "pass") || strings.Contains(string(data), "Smith") || !strings.Contains(string(data), "abc") {
		t.Errorf("on disk:\n%s", data)
	}
}

// Texts that talk of secrets are recorded as they are.
func TestOrdinaryTextStays(t *testing.T) {
	for _, s := range []string{
		"The password: nobody knew it. A token of love, the secret of success.",
		"pk_users_by_registered_identifier is a primary key",
		"The bearer of good news; basic understanding. Basic internationalization.",
		"sk-learn and sk-etching", "risk-management-2026-overview-of-everything",
		"https://example.org/a?page=2&sort=name", "mail jane@example.org", "api key", "the API key is described below",
		"Authorization is granted by the board.", "eyJ", "AKIA", "hf_transfer",
	} {
		path := record(t, llmtest.New(llmtest.Echo), cassette.Options{}, ask(s))
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), cassette.Hidden) {
			t.Errorf("%q was taken for a secret:\n%s", s, data)
		}
	}
}
