package llmhttp

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// BaseURL reads the base URL of an API; fallback stands for "". path is what the
// client puts behind it. An address that is none, that holds a user or password,
// or that has the path already is an error, which does not repeat it.
func BaseURL(base, fallback, path string) (*url.URL, error) {
	if base = strings.TrimSpace(base); base == "" {
		base = fallback
	}
	u, err := url.Parse(base)
	switch {
	case err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "":
		return nil, errors.New("Config.BaseURL is no http or https address, such as " + fallback)
	case u.User != nil:
		return nil, errors.New("Config.BaseURL holds a user or password; use Config.Key or Config.Header")
	case strings.HasSuffix(strings.TrimRight(u.Path, "/"), path):
		return nil, errors.New(`Config.BaseURL ends in "` + path + `"; leave that off`)
	}
	return u, nil
}

// Endpoint is the address of a path under a base URL, whose query is kept.
func Endpoint(base *url.URL, path string) string {
	at := *base
	at.Path = strings.TrimRight(at.Path, "/") + path
	at.RawPath, at.Fragment = "", ""
	return at.String()
}

// Place is a URL as it may be told: without user and query.
func Place(u *url.URL) string { return u.Host + strings.TrimRight(u.EscapedPath(), "/") }

// Secrets are what a client must not tell: its key, and the values of its headers
// and of its address's query.
func Secrets(key string, header http.Header, base *url.URL) []string {
	secrets := []string{key}
	for _, values := range header {
		secrets = append(secrets, values...)
	}
	for _, values := range base.Query() {
		secrets = append(secrets, values...)
	}
	return secrets
}

// CheckKey reports a key that can't be sent.
func CheckKey(key string) error {
	if strings.ContainsAny(key, "\r\n\x00") {
		return errors.New("Config.Key holds a line break; was it read from a file whole?")
	}
	return nil
}

// Straight returns an HTTP client that follows no redirect: it would carry texts
// and key to another address. It is like given, or with connections of its own
// where that is nil.
func Straight(given *http.Client) *http.Client {
	var c http.Client
	if given != nil {
		c = *given
	} else if t, ok := http.DefaultTransport.(*http.Transport); ok {
		// Our own connections: http.DefaultClient's are everybody's.
		c.Transport = t.Clone()
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &c
}
