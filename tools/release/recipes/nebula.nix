{ stdenvNoCC, fetchurl, installShellFiles, lib }:
let
  sources = {
    x86_64-linux = { url = "{{.LinuxAMD64.URL}}"; sha256 = "{{.LinuxAMD64.Sum}}"; };
    aarch64-linux = { url = "{{.LinuxARM64.URL}}"; sha256 = "{{.LinuxARM64.Sum}}"; };
    x86_64-darwin = { url = "{{.DarwinAMD64.URL}}"; sha256 = "{{.DarwinAMD64.Sum}}"; };
    aarch64-darwin = { url = "{{.DarwinARM64.URL}}"; sha256 = "{{.DarwinARM64.Sum}}"; };
  };
in
stdenvNoCC.mkDerivation {
  pname = "nebula";
  version = "{{.Version}}";
  src = fetchurl sources.${stdenvNoCC.hostPlatform.system};
  nativeBuildInputs = [ installShellFiles ];
  dontStrip = true;
  installPhase = ''
    install -D nebula $out/bin/nebula
    installManPage man/nebula.1
    installShellCompletion completions/nebula.{bash,fish,zsh}
  '';
  meta = {
    description = "{{.Summary}}";
    homepage = "{{.Home}}";
    license = lib.licenses.mit;
    mainProgram = "nebula";
    platforms = builtins.attrNames sources;
  };
}
