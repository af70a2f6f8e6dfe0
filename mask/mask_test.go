package mask

import (
	"strings"
	"testing"
	"time"
)

// Tokens are put together here, so that no scanner of repositories takes them for real ones.
var (
	githubToken  = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
	awsID        = "AKIA" + "QYLPMN5HHHFPZAM2"
	awsSecret    = "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYzQ8vT3kLmN"
	slackToken   = "xoxb-" + "1234567890123-1234567890123-aBcDeFgHiJkLmNoPqRsTuVwX"
	anthropicKey = "sk-ant-api03-" + strings.Repeat("a1B2c3D4e5", 9) + "xyzAA"
	openaiKey    = "sk-proj-" + strings.Repeat("Zx9_", 20)
	jwt          = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4ifQ." + "SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJVadQssw5c"
	hfToken      = "hf_" + "qWeRtYuIoPaSdFgHjKlZxCvBnMqAzWsXeD"
	pemKey       = "-----BEGIN RSA PRIVATE KEY-----\n" + strings.Repeat("MIIEpAIBAAKCAQEA3Tz2mr7SZiAMfQyuvBjM9OiZ\n", 4) + "-----END RSA PRIVATE KEY-----"
)

// Proves: S2
func TestTextMasksCredentials(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"github token":         {"push failed with " + githubToken + ", retrying", "push failed with " + Mark + ", retrying"},
		"aws id":               {"using " + awsID + ".", "using " + Mark + "."},
		"aws secret":           {"AWS_SECRET_ACCESS_KEY=" + awsSecret, "AWS_SECRET_ACCESS_KEY=" + Mark},
		"slack":                {"token: " + slackToken + "\nnext", "token: " + Mark + "\nnext"},
		"anthropic":            {"key " + anthropicKey + " is spent", "key " + Mark + " is spent"},
		"anthropic, shortened": {"sk-ant-oat01-" + strings.Repeat("q9W", 10), Mark},
		"openai":               {"OPENAI_API_KEY=" + openaiKey, "OPENAI_API_KEY=" + Mark},
		"jwt":                  {"cookie session=" + jwt + ";", "cookie session=" + Mark + ";"},
		"hugging face":         {"login " + hfToken, "login " + Mark},
		"bearer":               {"curl -H 'Authorization: Bearer 0a1b2c3d4e5f6a7b8c9d' x", "curl -H 'Authorization: Bearer " + Mark + "' x"},
		"bearer alone":         {"sent Bearer mF_9.B5f-4.1JqM0aaPx1", "sent Bearer " + Mark},
		"basic":                {"authorization: Basic dXNlcjpodW50ZXIy", "authorization: Basic " + Mark},
		"url password":         {"postgres://app:hunter2@db:5432/x is down", "postgres://app:" + Mark + "@db:5432/x is down"},
		"url parameter":        {"GET https://x.test/a?page=2&access_token=aZ19bcQ4e8 done", "GET https://x.test/a?page=2&access_token=" + Mark + " done"},
		"environment":          {"DB_PASSWORD=hunter2! make", "DB_PASSWORD=" + Mark + " make"},
		"password in prose":    {"the password is correct-horse9 now", "the password is " + Mark + " now"},
		"generic":              {`client_secret = "q8Zr1Lw0vXk3Nf6Tb2Hy"`, `client_secret = "` + Mark + `"`},
		"generic, JSON":        {`{"api_key": "q8Zr1Lw0vXk3Nf6Tb2Hy"}`, `{"api_key": "` + Mark + `"}`},
		"curl user":            {"curl -u bob:secretword https://x.test", "curl -u " + Mark + " https://x.test"},
		"two":                  {githubToken + " " + awsID, Mark + " " + Mark},
		"private key":          {"see\n" + pemKey + "\nend", "see\n" + Mark + "\nend"},
		"private key, cut":     {pemKey[:120], "-----BEGIN RSA PRIVATE KEY-----\n" + Mark},
		"hidden characters":    {"x gh\u200bp_" + githubToken[4:], "x " + Mark},
		"terminal colours":     {"\x1b[31m" + githubToken + "\x1b[0m", Mark},
		"masked before":        {"DB_PASSWORD=" + Mark + " make", "DB_PASSWORD=" + Mark + " make"},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := Text(c.in)
			if got != c.want || ok != (c.in != c.want) {
				t.Errorf("Text(%q) = %q, %v; want %q", c.in, got, ok, c.want)
			}
			if again, ok := Text(got); ok {
				t.Errorf("masking again gives %q", again)
			}
		})
	}
}

var clean = []string{
	"Build finished in 3m 12s: 1,204 tests passed, 0 failed",
	"ok  \tsignalbox/notify\t0.412s\tcoverage: 93.1% of statements",
	"--- FAIL: TestTokenBucket (0.00s)\n    limit_test.go:42: got 3, want 4",
	"commit 9fceb02d0ae598e95dc970b74767f19372d61af8 by dev",
	"merged 4b825dc642cb6eb9a060e54bf8d69288fbee4904 into main",
	"request 3f2504e0-4f89-11d3-9a0c-0305e82c3301 took 84 ms",
	"key: build/main/linux-amd64", "session 01932b1e-7d5a-7c3e-8f00-1234567890ab ended",
	"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 pulled",
	"npm WARN deprecated har-validator@5.1.5: this library is no longer supported",
	"go: downloading github.com/dgraph-io/badger/v4 v4.9.6",
	"error TS2345: Argument of type 'string' is not assignable to parameter of type 'Token'",
	"GET http://127.0.0.1:8377/v1/notifications?limit=50&cursor=abc 200 in 1.2ms",
	"wrote /home/dev/projects/api-gateway/internal/auth/token_test.go (183 lines)",
	"The password field is required. Passwords must have 8 characters.",
	"Authentication failed: token expired at 2026-11-30T11:09:49Z",
	"docker pull registry.example.com/team/app:1.2.3-rc4",
	"Do you want to run `rm -rf node_modules && npm ci --cache .npm --prefer-offline`?",
	"export GITHUB_TOKEN=$GH_TOKEN && gh pr create --fill",
	"password: ${DB_PASSWORD}", "Authorization: Bearer $TOKEN", "curl https://example.com/install.sh | sh",
	"postgres://app:${PASSWORD}@db:5432/x", "keyboard layout: de_DE.UTF-8, key repeat 25/s",
	"Compiling serde_json v1.0.128\n   Compiling tokio v1.40.0\n    Finished `release` profile in 34.21s",
	"warning: unused variable: `access_token_v2` (src/auth.rs:128:9)",
	"tokens used: 128,403 of 200,000 (64 %), cache read 1203944",
	`{"key": "q8Zr1Lw0vXk3Nf6Tb2Hy", "id": "toolu_01A09q90qw90lq917835lq9"}`,
	"Cache restored from cache key: linux-go-9f86d081884c7d659a2feaa0c55ad015",
	"idempotency_key=q8Zr1Lw0vXk3Nf6Tb2Hy", "trace_id=4bf92f3577b34da6a3ce929d0e0e4736",
	"monkey-patching they key journeys with honeycomb42abcdefgh",
}

// Proves: S2
func TestTextLeavesOrdinaryTextAlone(t *testing.T) {
	for _, s := range clean {
		if got, ok := Text(s); ok {
			t.Errorf("Text(%q) = %q", s, got)
		}
	}
}

// Proves: S2
func TestTextMasksWhatTheRulesOfTheLibraryName(t *testing.T) {
	for name, c := range map[string]struct{ text, secret string }{
		"google":        {"maps " + "AIza" + "SyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY", "SyD-9tSrke72PouQMnMX"},
		"stripe":        {"stripe " + "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc", "4eC39HqLyjWDarjtT1zdp7dc"},
		"gitlab":        {"use glpat-" + "x9Yz_Q1w2E3r4T5y6U7i", "x9Yz_Q1w2E3r4T5y6U7i"},
		"npm":           {"(npm_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8)", "a1B2c3D4e5F6g7H8i9J0"},
		"slack webhook": {"https://hooks.slack.com/services/" + "T01ABCDEF/B01ABCDEF/a1B2c3D4e5F6g7H8i9J0k1L2", "a1B2c3D4e5F6g7H8i9J0"},
		"heroku":        {"heroku_api_key: " + "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "0305e82c3301"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, _ := Text(c.text); strings.Contains(got, c.secret) {
				t.Errorf("%q is left in %q", c.secret, got)
			}
		})
	}
}

// Every expression compiles: they are compiled only when first needed.
func TestEveryRuleCompiles(t *testing.T) {
	for _, r := range theScanner().rules {
		r.prepare()
		for _, k := range r.keywords {
			if len(k) < 2 || lowerASCII(k) != k {
				t.Errorf("rule %s: keyword %q cannot be found", r.id, k)
			}
		}
		if len(r.keywords) == 0 {
			t.Errorf("rule %s has no keyword", r.id)
		}
	}
}

// However a text is made, the time it takes grows with its length and not faster.
func TestHostileTextsTakeLinearTime(t *testing.T) {
	for name, part := range map[string]string{
		"names": "token=a1 ", "no white space": "token=Ab1,", "assignments": `api_key = "q8Zr1Lw0vXk3Nf6Tb2H` + "\x01" + `"`,
		"headers": "authorization: ", "addresses": "a://b:", "keys": "-----BEGIN PRIVATE KEY-----\n", "curl": "curl -H ", "tokens": "eyA1.eyA1.", "dots": "s.A1b2c3d4e5",
	} {
		took := func(n int) time.Duration {
			text := strings.Repeat(part, n/len(part))
			best := time.Hour
			for range 3 {
				began := time.Now()
				Text(text)
				best = min(best, time.Since(began))
			}
			return best
		}
		took(1000) // compiles
		if short, long := took(8<<10), took(64<<10); long > 30*short+300*time.Millisecond {
			t.Errorf("%s: 8 KiB take %s, 64 KiB %s", name, short, long)
		} else {
			t.Logf("%s: 8 KiB take %s, 64 KiB %s", name, short, long)
		}
	}
}

func TestALongSecretIsMaskedWhole(t *testing.T) {
	secret := strings.Repeat("aB3dE5gH7j", 200)
	for _, text := range []string{"Authorization: Bearer " + secret, "DB_PASSWORD=" + secret, "okta_token = " + secret} {
		if got, _ := Text(text + " end"); strings.Contains(got, "gH7j") && strings.Contains(got, Mark) {
			t.Errorf("a part is left: %.80s", got)
		}
	}
}

var message = strings.Repeat("The build of api/auth at /home/dev/src/service-2/main.go took 12.3s; token use 1024. ", 4)[:300]

func BenchmarkClean(b *testing.B) {
	for name, s := range map[string]string{"prose": strings.Repeat("Waiting for your answer to continue the work. ", 7)[:300], "build": message} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := Text(s); ok {
					b.Fatal("masked")
				}
			}
		})
	}
}
