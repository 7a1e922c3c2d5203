package cassette

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/kgeval/kgeval/llm"
)

// Hidden stands in a cassette where a secret was.
const Hidden = "[secret]"

// pattern is a kind of secret; what its first group matches, or all where it has
// none, is replaced.
type pattern struct {
	re *regexp.Regexp
	// hints are such that a match has one of them in it, in lower case. They
	// are much faster to look for in a long text.
	hints []string
	// digit: only a match with a digit counts, so that names with the same
	// beginning stay.
	digit bool
}

// The forms of keys, as their issuers publish them. They are narrow on purpose:
// a text that merely talks of tokens and passwords is recorded as it is.
var patterns = []pattern{
	{regexp.MustCompile(`\b(?:sk|pk|rk|gsk|xai|hf|pplx|nvapi|r8)[-_][A-Za-z0-9_-]{16,}`),
		[]string{"sk-", "sk_", "pk-", "pk_", "rk-", "rk_", "xai-", "xai_", "hf-", "hf_", "pplx-", "pplx_", "nvapi-", "nvapi_", "r8-", "r8_"}, true},
	{regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{30,}`), []string{"aiza"}, false},
	{regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`), []string{"akia", "asia"}, false},
	{regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_-]{20,})`),
		[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-"}, false},
	{regexp.MustCompile(`\bxox[abeprs]-[A-Za-z0-9-]{10,}`), []string{"xox"}, true},
	{regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`), []string{"eyj"}, false},
	{regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[\w+/=\s\\:,.-]*?-----END [A-Z ]*PRIVATE KEY-----|[\w+/=\s\\:,.-]*)`), []string{"private key-----"}, false},
	{regexp.MustCompile(`(?i)\b(?:bearer|basic) +([A-Za-z0-9+/=._~-]{16,})`), []string{"bearer ", "basic "}, true},
	{regexp.MustCompile(`(?i)\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?([^\s"',;]{8,})`), []string{"authorization"}, true},
	{regexp.MustCompile(`(?i)\b(?:x-)?api[-_]?key["']?\s*[:=]\s*["']?([^\s"',;&]{8,})`), []string{"apikey", "api-key", "api_key"}, false},
	{regexp.MustCompile(`(?i)[?&](?:key|token|access_token|auth|sig|signature|x-amz-signature)=([^\s"'&#]{8,})`), []string{"key=", "token=", "auth=", "sig=", "signature="}, false},
	{regexp.MustCompile(`[a-zA-Z][a-zA-Z0-9+.-]*://([^\s/:@"']+:[^\s/@"']+)@`), []string{"://"}, false},
}

// minSecret is the shortest of Options.Secrets that is replaced: a shorter one
// would tear words apart.
const minSecret = 4

// redactor returns the function that takes secrets out of a text.
func redactor(secrets []string, own func(string) string) func(string) string {
	var exact []string
	for _, s := range secrets {
		if len(s) < minSecret {
			continue
		}
		exact = append(exact, s, url.QueryEscape(s), url.PathEscape(s), base64.StdEncoding.EncodeToString([]byte(s)))
		// As part of JSON within a text, with and without HTML's signs escaped.
		if quoted, err := json.Marshal(s); err == nil {
			exact = append(exact, string(quoted[1:len(quoted)-1]))
		}
		if quoted, err := text(s).MarshalJSON(); err == nil && quoted[0] == '"' {
			quoted = bytes.TrimSpace(quoted)
			exact = append(exact, string(quoted[1:len(quoted)-1]))
		}
	}
	// The longest first: a secret within another must not break it up.
	slices.SortStableFunc(exact, func(a, b string) int { return len(b) - len(a) })
	return func(s string) string {
		for _, secret := range exact {
			s = strings.ReplaceAll(s, secret, Hidden)
		}
		lower := strings.ToLower(s) // hiding adds no hint
		for _, p := range patterns {
			if slices.ContainsFunc(p.hints, func(h string) bool { return strings.Contains(lower, h) }) {
				s = p.hide(s)
			}
		}
		if own != nil {
			s = own(s)
		}
		return s
	}
}

func (p pattern) hide(s string) string {
	matches := p.re.FindAllStringSubmatchIndex(s, -1)
	if matches == nil {
		return s
	}
	var b strings.Builder
	end := 0
	for _, m := range matches {
		from, to := m[len(m)-2], m[len(m)-1]
		if p.digit && !strings.ContainsAny(s[from:to], "0123456789") {
			continue
		}
		b.WriteString(s[end:from])
		b.WriteString(Hidden)
		end = to
	}
	b.WriteString(s[end:])
	return b.String()
}

func redactRequest(req llm.Request, redact func(string) string) llm.Request {
	req = req.Clone()
	for i := range req.Messages {
		req.Messages[i].Text = redact(req.Messages[i].Text)
	}
	for i := range req.Stop {
		req.Stop[i] = redact(req.Stop[i])
	}
	if clean := redact(string(req.Schema)); clean != string(req.Schema) {
		req.Schema = json.RawMessage(clean)
	}
	return req
}

func redactResponse(r llm.Response, redact func(string) string) llm.Response {
	r = r.Clone()
	r.Model = redact(r.Model)
	if clean := redact(r.Text); clean != r.Text {
		r.Text = clean
		r.LogProbs = nil // its tokens spell the secret
	}
	return r
}
