package mask

// ownRules are for what people and agents paste into messages and the library, made for source code,
// lets pass.
var ownRules = []rule{
	{id: "authorization-header", keywords: []string{"authorization"}, anywhere: true,
		regex: `(?i)\b(?:proxy-)?authorization\\?["']?\s*[:=]\s*\\?["']?(?:(?:basic|bearer|token|apikey|api-key|digest|negotiate)\s+([^\s"'\\,;<>{}$]{6,})|([^\s"'\\,;<>{}$]*[0-9][^\s"'\\,;<>{}$]{7,}))`},
	{id: "bearer-token", keywords: []string{"bearer"},
		regex: `(?i)\bbearer\s+([a-z0-9._~+/-]{16,}=*)`, entropy: 3},
	{id: "url-password", keywords: []string{"://"}, anywhere: true,
		regex: `(?i)\b[a-z][a-z0-9+.-]{1,30}://[^\s/:@"'<>]{0,100}:([^\s/@"'<>${}]{3,})@`},
	{id: "url-parameter", keywords: []string{"token=", "key=", "secret=", "sig=", "signature=", "password="},
		regex: `(?i)[?&](?:access_token|auth_token|token|api_?key|key|client_secret|secret|sig|signature|x-amz-signature|password)=([^\s&"'<>#]{8,})`, entropy: 2.5},
	{id: "anthropic-key", keywords: []string{"sk-ant-"},
		regex: `\bsk-ant-[A-Za-z0-9_-]{20,}`},
	{id: "openai-key", keywords: []string{"sk-"},
		regex: `\bsk-(?:(?:proj|svcacct|admin|or-v1)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,})`, entropy: 3},
	{id: "google-oauth", keywords: []string{"ya29.", "1//0"},
		regex: `\b(?:ya29\.[A-Za-z0-9_-]{20,}|1//0[A-Za-z0-9_-]{30,})`},
	{id: "aws-secret", keywords: []string{"aws"},
		regex: `(?i)aws[\w.-]{0,20}secret[\w.-]{0,20}["']?\s*[:=]\s*["']?([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+]|$)`},
	{id: "environment", keywords: []string{"password=", "passwd=", "secret=", "token=", "api_key=", "apikey=", "access_key=", "secret_key="},
		regex: `\b(?:export\s+)?[A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_KEY|SECRET_KEY)=["']?([^\s"'$<>{}()*]{6,})`, entropy: 2,
		allowed: []allowed{{regexes: []string{`^[a-zA-Z_./-]+$`, `^(?i:true|false|null|none)$`}}}},
	{id: "password", keywords: []string{"password", "passwd", "passphrase"},
		regex: `(?i)\b(?:password|passwd|passphrase)["']?\s{0,3}(?:=|:|:=|=>|\bis\b)\s{0,3}["']?([^\s"'$<>{}()*]{8,})`, entropy: 2.5,
		allowed: []allowed{{regexes: []string{`^[a-zA-Z_./-]+[.,;:]?$`, `^https?://`}}}},
	// A key whose end was cut off by whoever shortened the text.
	{id: "private-key-cut", keywords: []string{"-----begin"}, anywhere: true,
		regex: `(?i)-----BEGIN[ A-Z0-9_-]{0,100}PRIVATE KEY(?: BLOCK)?-----\s*([\s\S]{16,}?)(?:-----END|$)`},
}
