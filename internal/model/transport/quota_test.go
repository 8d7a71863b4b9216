package transport

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"nebula"
)

// A quota is known by each of its words alone. What is used up stays so, and a rate passes by itself.
func TestEachQuotaIsKnownByItself(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		passes bool
	}{
		{429, `{"error":{"message":"no","type":"insufficient_quota"}}`, false},
		{429, `{"error":{"message":"no","code":"billing_hard_limit_reached"}}`, false},
		{429, `{"error":{"message":"You exceeded your current quota, please check your plan."}}`, false},
		{400, `{"error":{"message":"Insufficient credits"}}`, false},
		{400, `{"error":{"message":"Your credit balance is too low"}}`, false},
		{402, `{"error":{"message":"Payment Required"}}`, false},
		{429, `{"error":{"message":"slow down"}}`, true},
		{0, `{"error":{"message":"no","code":"rate_limit_exceeded"}}`, true},
		{0, `{"error":{"message":"Rate limit reached for gpt-5"}}`, true},
		{0, `{"error":{"message":"Too many requests"}}`, true},
		{0, `{"error":{"message":"no","status":"RESOURCE_EXHAUSTED"}}`, true},
	} {
		said := readFault([]byte(c.body))
		if kind, passes := said.classify(c.status); kind != "quota" || passes != c.passes {
			t.Errorf("%d %s: %s, passes %v", c.status, c.body, kind, passes)
		}
	}
}

// Google calls a rate a quota, and says when it has passed.
func TestAQuotaThatSaysWhenPasses(t *testing.T) {
	c := New(Endpoint{BaseURL: "http://h/v1"}, nebula.ModelInfo{}, nil, Service{}, Options{})
	const quota = `{"error":{"message":"You exceeded your current quota","details":[{"@type":"RetryInfo"%s}]}}`
	for said, want := range map[string]time.Duration{`,"retryDelay":"34s"`: 34 * time.Second, `,"retryDelay":"soon"`: -1, "": -1} {
		err := c.saidFault(http.StatusTooManyRequests, []byte(strings.Replace(quota, "%s", said, 1)), http.Header{})
		if f, ok := errors.AsType[*faultOf](err); !ok || f.kind != "quota" || f.after != want || f.passes != (want > 0) {
			t.Errorf("%s: %+v", said, f)
		}
	}
}
