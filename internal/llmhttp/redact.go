package llmhttp

import (
	"encoding/base64"
	"errors"
	"net/url"
	"regexp"
	"sort"
	"strings"

	"github.com/kgeval/kgeval/llm"
)

// hidden stands where something was taken out of a message.
const hidden = "[hidden]"

// Redactor takes out of messages what must not be told: keys, what looks like
// one, query strings, and the texts of the request. Its zero value knows no
// particular key. It is safe for concurrent use.
type Redactor struct {
	secrets []string
	texts   []string
}

// minSecret is the shortest text that is taken for a secret: a shorter one would
// tear words apart, and protects nothing.
const minSecret = 4

// NewRedactor hides the secrets, in the forms in which they travel: as they are,
// escaped in a URL, and in base 64.
func NewRedactor(secrets ...string) *Redactor {
	r := &Redactor{}
	for _, s := range secrets {
		s = strings.TrimSpace(s)
		if len(s) < minSecret {
			continue
		}
		r.secrets = append(r.secrets, s, url.QueryEscape(s), url.PathEscape(s), base64.StdEncoding.EncodeToString([]byte(s)))
	}
	// The longest first: a secret within another must not break it up.
	sort.SliceStable(r.secrets, func(i, j int) bool { return len(r.secrets[i]) > len(r.secrets[j]) })
	return r
}

// For returns a Redactor that hides the texts of req too.
func (r *Redactor) For(req llm.Request) *Redactor {
	var texts []string
	for _, m := range req.Messages {
		texts = append(texts, m.Text)
	}
	return r.ForTexts(texts)
}

// ForTexts returns a Redactor that hides the texts too.
func (r *Redactor) ForTexts(texts []string) *Redactor {
	return &Redactor{secrets: r.secrets, texts: texts}
}

// What looks like a key, whosever it is: servers quote wrong ones, and mask
// only their middle.
var (
	bearer = regexp.MustCompile(`(?i)\b(bearer|basic) +[A-Za-z0-9+/=._~*-]{4,}`)
	keyed  = regexp.MustCompile(`(?i)\b((?:api[ _-]?key|token|secret|password)(?: provided)?["']? *[:=] *["']?)[^\s"',;&]{4,}`)
	shaped = regexp.MustCompile(`\b(?:sk|pk|rk|gsk|xai|hf|pplx|nvapi)[-_][A-Za-z0-9_*.-]{6,}|\bAIza[-_A-Za-z0-9]{8,}`)
	query  = regexp.MustCompile(`(https?://[^\s?"'#]*)\?[^\s"']*`)
	user   = regexp.MustCompile(`(https?://)[^\s/@"']+@`)
)

// Text returns s without secrets and query strings.
func (r *Redactor) Text(s string) string {
	for _, secret := range r.secrets {
		s = strings.ReplaceAll(s, secret, hidden)
	}
	s = bearer.ReplaceAllString(s, "$1 "+hidden)
	s = keyed.ReplaceAllString(s, "${1}"+hidden)
	s = shaped.ReplaceAllString(s, hidden)
	s = user.ReplaceAllString(s, "${1}"+hidden+"@")
	return query.ReplaceAllString(s, "$1?"+hidden)
}

// Message returns what a server said so that it can be told: one line of at
// most 300 characters, without secrets; and nothing of it where it repeats the
// request.
func (r *Redactor) Message(s string) string {
	// Secrets go before the cut, so that none is cut into something else.
	const enough = 16 * maxMessage
	if len(s) > enough {
		s = s[:enough]
	}
	s = r.Text(oneLine(s))
	if runes := []rune(s); len(runes) > maxMessage {
		s = string(runes[:maxMessage]) + "…"
	}
	if r.echoes(s) {
		return "its message repeats the request and is left out"
	}
	return s
}

// echoes reports whether s holds 47 or more bytes in a row of one of the texts,
// and may for 32.
func (r *Redactor) echoes(s string) bool {
	const window, step = 32, 16
	for _, t := range r.texts {
		t = oneLine(t)
		if len(t) >= 12 && strings.Contains(s, t) {
			return true
		}
		for i := 0; i+window <= len(s); i += step {
			if strings.Contains(t, s[i:i+window]) {
				return true
			}
		}
	}
	return false
}

// Cause returns err with a text that can be told. errors.Is and errors.As see
// through it, but for a *url.Error, which holds the whole address.
func (r *Redactor) Cause(err error) error {
	if err == nil {
		return nil
	}
	var u *url.Error
	for errors.As(err, &u) {
		err = u.Err
	}
	return &cause{err: err, text: r.Message(err.Error())}
}

type cause struct {
	err  error
	text string
}

func (c *cause) Error() string { return c.text }
func (c *cause) Unwrap() error { return c.err }
