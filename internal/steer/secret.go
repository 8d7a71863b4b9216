package steer

import (
	"path"
	"strings"
)

// secrets are names of files that hold what opens something else. How they are written: see [Fits].
var secrets = strings.Fields(`
.netrc _netrc .npmrc .pypirc .pgpass .my.cnf .htpasswd .vault-token .dockercfg .git-credentials credentials credentials.json credentials.toml service-account.json client_secret.json
secrets.yaml secrets.yml secrets.json secrets.toml secrets.env id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk known_hosts authorized_keys shadow master.key
.bash_history .zsh_history .python_history .psql_history wallet.dat *.pem *.key *.p12 *.pfx *.p8 *.keystore *.jks *.kdbx *.kdb *.ppk *.asc *.gpg *.ovpn *.keychain *.keychain-db *.tfstate *.tfvars *.env
.ssh/ .aws/ .gnupg/ .kube/ .azure/ gcloud/ .docker/config.json gh/hosts.yml
`)

// kept are the same, so that a name among a hundred thousand is looked up and not compared with each.
var kept = indexOf(secrets)

// samples are endings of files that only show what such a file would look like.
var samples = map[string]bool{".example": true, ".sample": true, ".template": true, ".dist": true}

// Secret reports whether a file's name says that it holds secrets. The path has slashes.
func Secret(file string) bool {
	low := strings.ToLower(file)
	folders, name := path.Split(low)
	ext := path.Ext(name)
	switch {
	case ext == ".pub":
		return false
	case kept[name], strings.HasPrefix(name, ".env") && name != ".envrc" && !samples[ext], ext != "" && kept["*"+ext]:
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
