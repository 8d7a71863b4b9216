package gate

import (
	"path"
	"slices"
	"strings"

	"nebula"
	"nebula/internal/steer"
)

// A kind of files, and how their names tell, see [steer.Fits]. What steers other programs is in that package.
var named = []struct {
	danger Danger
	names  []string
}{
	{Secret, strings.Fields(".netrc _netrc .npmrc .pypirc .pgpass .my.cnf .htpasswd .vault-token .dockercfg .git-credentials credentials credentials.json credentials.toml service-account.json client_secret.json secrets.yaml secrets.yml secrets.json secrets.toml secrets.env " +
		"id_rsa id_dsa id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk known_hosts authorized_keys shadow master.key .bash_history .zsh_history .python_history .psql_history wallet.dat " +
		"*.pem *.key *.p12 *.pfx *.p8 *.keystore *.jks *.kdbx *.kdb *.ppk *.asc *.gpg *.ovpn *.keychain *.keychain-db *.tfstate *.tfvars .ssh/ .aws/ .gnupg/ .kube/ .azure/ gcloud/ .docker/config.json gh/hosts.yml")},
	{Runs, strings.Fields("*.exe *.bat *.cmd *.com *.sh *.bash *.zsh *.fish *.ps1 *.psm1 *.vbs *.scr *.msi *.app *.command *.desktop *.scpt *.reg *.jar")},
	{System, strings.Fields("dockerfile containerfile docker-compose.yml docker-compose.yaml crontab sudoers hosts jenkinsfile cron.d/")},
}

// Secret reports whether a file's name says that it holds secrets: reading it asks, at this level.
func (p Protection) Secret(file string) bool {
	return p.has(Extensions) && slices.Contains(names(file), Secret)
}

// called are the dangers that the names of a target tell of: where it is, and how it was called.
func called(t nebula.Target) []Danger {
	found := names(t.Path)
	if t.Named != "" {
		found = append(found, names(t.Named)...)
	}
	return found
}

// names are the dangers that a file's name tells of.
func names(file string) []Danger {
	low := strings.ToLower(strings.ReplaceAll(file, `\`, "/"))
	name, ext := path.Base(low), path.Ext(low)
	var found []Danger
	for _, kind := range named {
		if slices.ContainsFunc(kind.names, func(n string) bool { return steer.Fits(n, low) }) {
			found = append(found, kind.danger)
		}
	}
	if steer.File(low) {
		found = append(found, Steers)
	}
	sample := ext == ".example" || ext == ".sample" || ext == ".template" || ext == ".dist"
	if (strings.HasPrefix(name, ".env") && name != ".envrc" || ext == ".env") && !sample && !slices.Contains(found, Secret) {
		found = slices.Insert(found, 0, Secret)
	}
	if ext == ".pub" {
		found = slices.DeleteFunc(found, func(d Danger) bool { return d == Secret })
	}
	return found
}
