package phrase

import (
	"strings"
	"testing"
)

// keys have no beginning of their own: of Mistral, Together, Azure (of old and of now), and of others.
var keys = []string{
	"7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5", "9f3e07c4a1b82d65e0c79f3e07c4a1b8", "4f1d0c7be2a94d3c8e55a0b7c1f2d3e49a6b7c8d0e1f2a3b4c5d6e7f8091a2b3",
	"8Kq2Zt5Vb1Xn7Rw3Lp9Jd4Hf6Gs0Ma2Yc5Ue8Ti1Oq4Wz7Bx3Nv6Km9Pl2Sj5Dh8Fg1Ar4JQQJ99BBACYeBjFX"[:84], "k3j9x7q2m5v8b1n4z6w0y2t5",
}

// A key without a beginning of its own is known by what stands before it, however that is written.
func TestKeysAreWithheldByWhatStandsBeforeThem(t *testing.T) {
	for _, form := range []string{
		"MISTRAL_API_KEY=§", "export MISTRAL_API_KEY=§", `MISTRAL_API_KEY="§"`, "MISTRAL_API_KEY='§'", "$env:MISTRAL_API_KEY = \"§\"", "set AZURE_KEY=§", "mistral_key: §", "apiKey: '§',", `{"api_key":"§"}`, `{"apiKey": "§", "n": 1}`,
		"my api key: §", "my api key is §", "My API key is: §.", "here is my key: §", "the api key for mistral is §", "api-key §", "--api-key §", "--token=§", "Authorization: Bearer §", `curl -H "Authorization: Bearer §" https://h/v1`, "x-api-key: §",
		"Authorization: Basic §", "bearer §", "client_secret = §", "secret: §", "the secret is §", "password=§", "DB_PASSWORD: §", "the password is `§`", "access_token=§&x=1", "https://h/v1?api_key=§", "token §", "use this token: § please",
		"API_KEY=\"§\" go test ./...", "AUTH_TOKEN=§\nDEBUG=1", "passphrase: §", "api key:\n§", "APIキーは§です", "私のAPIキー：§", "トークンは「§」", "パスワード: §", "const API_KEY = '§';", "api_key=§)", "ACCESS_KEY_PROD=§", "TOKEN2=§", "apikey = <§>", "- name: TOKEN\n  secret: §",
		"Set MISTRAL_API_KEY to §", "鍵は「§」", "キーは § だよ", "the key (§) does not work", "<key>§</key>", "the key is §", "my keys are § and §", "my keys: §, §", "Cookie: session=§; x=1", "postgres://u:§@h/d", "https://me:§@h/x.git",
		"curl -s -u me:§ https://h", "API_KEY=\u200b§",
	} {
		if got := Withheld("/model " + keys[0]); got != "/model …" {
			t.Errorf("behind a command: %q", got)
		}
		for _, key := range keys {
			text := strings.ReplaceAll(form, "§", key)
			got := Withheld(text)
			if strings.Contains(got, key[:10]) || !strings.Contains(got, "…") {
				t.Errorf("%q became %q", text, got)
			}
			if again := Withheld(got); again != got {
				t.Errorf("%q became %q", got, again)
			}
		}
	}
}

// One that stands before its name is known where no commit has such a number.
func TestKeysAreWithheldBeforeTheirNames(t *testing.T) {
	for _, form := range []string{"why is § not accepted as my Mistral API key?", "use § as key", "nebula login says § is no key", "§はキーではないと言われました"} {
		if text := strings.ReplaceAll(form, "§", keys[0]); strings.Contains(Withheld(text), keys[0]) {
			t.Errorf("%q is told", text)
		}
	}
	if text := "the key for mistral: " + keys[1]; strings.Contains(Withheld(text), keys[1]) {
		t.Errorf("%q is told", text)
	}
	if text := "X-Api-Key: 661449771d833424d61fcd2549121531"; Withheld(text) != "X-Api-Key: …" {
		t.Errorf("%q is told", text)
	}
}

// A key that is broken, written wide, or with what nobody sees in it is one key.
func TestADisguisedKeyIsWithheld(t *testing.T) {
	for text, want := range map[string]string{
		"use sk-proj-7bQ2xW9kLmZ0pR4tYvN8 cJ1dFgHs3eU57bQ2xW9k please": "use sk-proj-… please",
		`"sk-proj-7bQ2xW9kLmZ0pR4tYvN8" + "cJ1dFgHs3eU57bQ2xW9k"`:      `"sk-proj-…"`,
		"sk-proj-7bQ2xW9k\u200bLmZ0pR4t\u00adYvN8cJ1d is it":           "sk-proj-… is it",
		"鍵は、ｓｋ－ｐｒｏｊ－７ｂＱ２ｘＷ９ｋＬｍＺ０ｐＲ４ｔＹｖＮ８ です":                           "鍵は、sk-proj-… です",
		"sk-proj-7bQ2xW9kLmZ0pR4tYvN8 and claude-sonnet-4-5-20250929":  "sk-proj-… and claude-sonnet-4-5-20250929",
		"sk-proj-7bQ2xW9kLmZ0pR4tYvN8 claude-sonnet-4-5-20250929":      "sk-proj-… claude-sonnet-4-5-20250929",
		"ＡＢＣ\u200b（計）":                                                 "ＡＢＣ\u200b（計）",
		"redis://:7bQ2xW9kLm@h:6379 and postgres://a:hunter2x@h":       "redis://:…@h:6379 and postgres://a:…@h",
		"https://7bQ2xW9kLmZ0pR4tYvN8@h/x.git":                         "https://…@h/x.git",
		"curl -u me:hunter2x https://h | sort":                         "curl -u me:… https://h | sort",
	} {
		if got := Withheld(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// Code, and numbers that programs make, are no keys.
func TestWhatIsNoKeyIsNotWithheld(t *testing.T) {
	for line := range strings.Lines(noKeys) {
		text := strings.TrimSuffix(line, "\n")
		if got := Withheld(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

const noKeys = `API_KEY=os.environ["X"]
API_KEY=your-key-here
API_KEY=${KEY}
API_KEY=$OTHER_KEY_2_OF_THE_LIST
api_key = os.getenv("MISTRAL_API_KEY_2")
apiKey: process.env.MISTRAL_API_KEY2
token := lexer.NextToken2OfTheInput()
key := fmt.Sprintf("%s/%s", a, b)
the commit is 3f786850e387550fdb6862a0a1b2c3d4e5f6a7b8
3f786850e387550fdb6862a0a1b2c3d4e5f6a7b8
4f1d0c7be2a94d3c8e55a0b7c1f2d3e49a6b7c8d0e1f2a3b4c5d6e7f8091a2b3
sha256: 4f1d0c7be2a94d3c8e55a0b7c1f2d3e49a6b7c8d0e1f2a3b4c5d6e7f8091a2b3
key: 4f1d0c7be2a94d3c8e55a0b7c1f2d3e49a6b7c8d0e1f2a3b4c5d6e7f8091a2b3
cache_key=4f1d0c7be2a94d3c8e55a0b7c1f2d3e4
the key is in commit 3f786850e387550fdb6862a0a1b2c3d4e5f6a7b8
token counting broke in 3f786850e387550fdb6862a0a1b2c3d4e5f6a7b8
the primary key is 123e4567-e89b-12d3-a456-426614174000
key: 123e4567-e89b-12d3-a456-426614174000
123e4567-e89b-12d3-a456-426614174000
id=123e4567-e89b-12d3-a456-426614174000
the api key is read in internal/config/key_test_2024.go
secret: certs/server01-2024-production.pem
key=/etc/ssl/private/server01-2024.pem
public key: AAAAC3NzaC1lZDI1NTE5AAAAIJ8k2Qw4Zx7Rt9
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8k2Qw4Zx7Rt9 me@host
nextPageToken: CAUQAA7bQ2xW9kLmZ0pR4tYvN8
max_tokens=4096000000000000
token: 1234567890123456
TestTheFirstOf2KeysIsTakenAndNothingElse
the key TestTheFirstOf2KeysIsTakenAndNothingElse fails
password: correct-horse-battery-staple
password = hunter2
API_KEY=1234567890abcdef1234567890abcdef
API_KEY=abcdefghijklmnopqrstuvwxyz012345
API_KEY=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
API_KEY=changeme_please_2024_now
const tokenType = "AbstractOAuth2TokenProvider3"
class TokenService implements AbstractOAuth2TokenProvider3
key_file = server01AndClient02Keys
SECRET_NAME=projects/app1/secrets/db2password3
secretName: my-app-secret-v2-2024-10-01
arn:aws:secretsmanager:us-east-1:123456789012:secret:prod
"integrity": "sha512-7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU57bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU57bQ2xW9kLmZ0pR4tYvN8cQ=="
the keyboard shortcut is ctrl+shift+alt+F12345678
basic usage of AbstractFactory2BuilderImpl is shown
tokenizer=Qwen2TokenizerFastWithPadding3
make a key-value store with MurmurHash3 and xxHash64
foreign key fk_orders_2024_customer_id_v2
https://github.com/owner/repo/blob/3f786850e387550fdb6862a0a1b2c3d4e5f6a7b8/key.go
build-2024-11-29T05-42-44Z-key-rotation
鍵の一覧は internal/config/key_2024_test.go にあります
トークン数は 4096 です
/usr/lib/x86_64-linux-gnu/libkeyutils.so.1.10.2
kubectl get secret my-secret-7d4b9c6f5d-x2x4z
9f3e07c4a1b82d65e0c79f3e07c4a1b8
bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq
QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPBdG
restore-keys: linux-go-3f786850e387550fdb6862a0a1b2c3d4e5f6a7b8
gpg --recv-keys 0x3AA5C34371567BD2
sitekey 6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI
postgres://postgres:postgres@localhost:5432/app
postgres://user:password@localhost/db
https://user:${TOKEN}@github.com/a/b
ssh://git@github.com/a/b.git
https://medium.com/@someone/some-title-2024
docker run -u 1000:1000 img; curl https://h
http://localhost:8080/a@b
npm i @types/node and https://h:8443/x
the keys are sorted and AbstractOAuth2TokenProvider3 reads them
password_hash = pbkdf2_sha256_iterations_600000
`

// A word where a name belongs could be a key where so much stands in a row; names of models, files and sessions do not have that.
func TestWhatCouldBeAKeyIsNoName(t *testing.T) {
	for _, key := range append(keys, "abcdefghijklmnopqrstuvwxyzABCDEF", "sk-ant-api03-7bQ2xW9kLmZ0pR4tYvN8", "openai/7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5", "mistral-7bQ2xW9kLmZ0pR4tYvN8cJ1dFgHs3eU5") {
		if !Bare(key) {
			t.Errorf("%s could be no key", key)
		}
	}
	for _, name := range []string{
		"claude-sonnet-4-5-20250929", "meta-llama/Llama-3.3-70B-Instruct-Turbo-Free", "hf.co/bartowski/Llama-3.2-1B-Instruct-GGUF:Q4_K_M", "ft:gpt-4o-mini-2024-07-18:acme-corp::7p4lURel", "accounts/fireworks/models/deepseek-v3p1-terminus",
		"arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-3-7-sonnet-20250219-v1:0", "20261129-054730-67ba2a", "123e4567-e89b-12d3-a456-426614174000", "nvidia/Llama-3_1-Nemotron-Ultra-253B-v1", "DeepSeek-R1-Distill-Qwen-32B",
		"/root/.ollama/models/blobs/sha256-4f1d0c7be2a94d3c8e55a0b7c1f2d3e49a6b7c8d0e1f2a3b4c5d6e7f8091a2b3", "ai/smollm2@sha256:4f1d0c7be2a94d3c8e55a0b7c1f2d3e49a6b7c8d0e1f2a3b4c5d6e7f8091a2b3",
	} {
		if Bare(name) {
			t.Errorf("%s could be a key", name)
		}
	}
}
