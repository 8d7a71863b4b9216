package steer

import (
	"strings"
	"testing"
)

// What holds secrets is known by its name, as lists of leaks and people's homes have them; what is about such files, or only shows what
// one would look like, is a file like others.
func TestFilesWithSecretsAreKnownByTheirNames(t *testing.T) {
	for _, name := range strings.Fields(`.env .env.local .ENV .env.bak prod.env .npmrc .pypirc .dockercfg .docker/config.json home/.docker/config.json kubeconfig a/kubeconfig dev.kubeconfig kubeconfig-dev.yaml
		vault.kdbx cert.p12 cert.pfx app.jks release.keystore id_ed25519 id_ed25519_work id_rsa-github id_rsa.bak credentials.json service-account.json service-account-prod.json my_credentials.json
		gcp-credentials.json shop-firebase-adminsdk-x1-0a.json .htpasswd wp-config.php wp-config.php.bak secrets.yml secrets.yml.old secrets.prod.yaml master.key config/master.key terraform.tfstate
		terraform.tfstate.backup prod.tfvars prod.tfvars.json .pgpass .my.cnf .git-credentials .s3cfg .boto rclone.conf .vault-token auth.json token.json .dev.vars .dev.vars.staging
		.aws/credentials .aws/config .kube/config .password-store/mail .m2/settings.xml .gradle/gradle.properties huggingface/token kaggle.json .terraformrc credentials.tfrc.json .vault_pass
		local.settings.json key4.db logins.json .mysql_history otr.private_key .erlang.cookie nats/user.creds`) {
		if !Secret(name) || !Secret("sub/"+name) {
			t.Errorf("%s holds secrets", name)
		}
	}
	for _, name := range strings.Fields(`.env.example .env.sample .env.template .env.dist .envrc tokenizer.json tokens.json tokenizer_config.json key.go keys.go secrets.go secret.rs secrets_test.go password.py auth.go auth.ts
		credentials.go credentials.md id_rsa.pub id_ed25519_work.pub id_rsa_test.go id_ed25519-keys.ts kubeconfig.go kubeconfig_test.go service-account.go serviceaccount.yaml service-accounts.md client_secret.go
		wp-config-sample.php terraform.tf variables.tf secrets.yml.example terraform.tfvars.example config.json docker/config.json package.json settings.xml gradle.properties settings.json hosts.yml
		notes.md.bak main.go.orig token.go key.json keyboard.json public.der cert.crt history.md cookies.go .secrets.baseline .sops.yaml token adsdk.json credentials/main.go passwords_controller.rb environment.ts`) {
		if Secret(name) {
			t.Errorf("%s is a file like others", name)
		}
	}
}
