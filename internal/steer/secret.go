package steer

import (
	"path"
	"slices"
	"strings"
)

// secrets are names of files that hold what opens something else. How they are written: see [Fits].
var secrets = strings.Fields(`
.netrc _netrc .npmrc .pypirc .pgpass pgpass.conf .my.cnf .mylogin.cnf .htpasswd .htdigest .vault-token .dockercfg .dockerconfigjson .git-credentials
.vault_pass .vault_pass.txt vault_pass.txt .vault-password .secret .secrets .passwd .password .credentials .token
credentials credentials.json credentials.toml credentials.yml credentials.yaml credentials.xml credentials.csv credentials.txt credentials.tfrc.json credentials-config.json
application_default_credentials.json service-account.json client_secret.json client_secrets.json token.json token.pickle auth.json kaggle.json local.settings.json
secret.yaml secret.yml secret.json secret.toml secrets.yaml secrets.yml secrets.json secrets.toml secrets.env secrets.ini secrets.properties secrets.xml secrets.txt
password.txt passwords.txt passwords.csv rootkey.csv accesskeys.csv wp-config.php localsettings.php settings-security.xml secret_token.rb
kubeconfig .kubeconfig .s3cfg .boto .passwd-s3fs rclone.conf .terraformrc terraform.rc .databrickscfg .erlang.cookie .fetchmailrc .msmtprc .ftpconfig sftp-config.json .ftppass
id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk adbkey otr.private_key known_hosts authorized_keys shadow gshadow master.key
.bash_history .zsh_history .sh_history .python_history .node_repl_history .psql_history .mysql_history .sqlite_history .rediscli_history
wallet.dat logins.json key3.db key4.db cookies.sqlite
*.pem *.key *.p12 *.pfx *.p8 *.pkcs12 *.keystore *.jks *.jceks *.bks *.kdbx *.kdb *.psafe3 *.1pif *.1pux *.ppk *.asc *.gpg *.agekey *.ovpn *.keychain *.keychain-db
*.kubeconfig *.tfstate *.tfvars *.creds *.env
.ssh/ .aws/ .gnupg/ .kube/ .azure/ .oci/ .password-store/ gcloud/ github-copilot/ .docker/config.json gh/hosts.yml glab-cli/config.yml doctl/config.yaml .fly/config.yml
huggingface/token .huggingface/token solana/id.json .m2/settings.xml .gradle/gradle.properties
`)

// globs are those of which a part can be anything. One without an ending is of no name that has one: that is a program about such files.
var globs = globsOf(strings.Fields(`
service-account*.json service_account*.json serviceaccount*.json client_secret*.json *-credentials.json *_credentials.json *firebase-adminsdk*.json gha-creds-*.json
*.tfvars.json secrets.*.yaml secrets.*.yml secrets.*.json secrets.*.toml kubeconfig*.yaml kubeconfig*.yml
id_rsa_* id_rsa-* id_ecdsa_* id_ecdsa-* id_ed25519_* id_ed25519-*
`))

// A glob is a pattern, with what stands before its first star and behind its last.
type glob struct{ pattern, begin, end string }

// globsOf are patterns by their endings.
func globsOf(patterns []string) map[string][]glob {
	all := map[string][]glob{}
	for _, p := range patterns {
		all[path.Ext(p)] = append(all[path.Ext(p)], glob{p, p[:strings.IndexByte(p, '*')], p[strings.LastIndexByte(p, '*')+1:]})
	}
	return all
}

func (g glob) fits(name string) bool {
	if !strings.HasPrefix(name, g.begin) || !strings.HasSuffix(name, g.end) {
		return false
	}
	ok, err := path.Match(g.pattern, name)
	return ok && err == nil
}

// kept are the same, so that a name among a hundred thousand is looked up and not compared with each.
var kept = indexOf(secrets)

// samples are endings of files that only show what such a file would look like, copies those of what another file was.
var (
	samples = indexOf(strings.Fields(".example .sample .template .dist"))
	copies  = indexOf(strings.Fields(".bak .old .orig .backup .save"))
)

// Secret reports whether a file's name says that it holds secrets. The path has slashes.
func Secret(file string) bool {
	low := strings.ToLower(file)
	folders, name := path.Split(low)
	ext := path.Ext(name)
	switch {
	case ext == ".pub":
		return false
	case copies[ext]:
		return Secret(strings.TrimSuffix(low, ext))
	case kept[name], (strings.HasPrefix(name, ".env") && name != ".envrc" || strings.HasPrefix(name, ".dev.vars")) && !samples[ext], ext != "" && kept["*"+ext]:
		return true
	case slices.ContainsFunc(globs[ext], func(g glob) bool { return g.fits(name) }):
		return true
	case folders == "":
		return false
	}
	for folders = strings.TrimSuffix(folders, "/"); folders != ""; {
		rest, folder := path.Split(folders)
		if kept[folder+"/"] || kept[folder+"/"+name] {
			return true
		}
		folders, name = strings.TrimSuffix(rest, "/"), "\x00" // only the last two names are a file's
	}
	return false
}

func indexOf(names []string) map[string]bool {
	all := make(map[string]bool, len(names))
	for _, n := range names {
		all[n] = true
	}
	return all
}
