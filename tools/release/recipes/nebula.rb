class Nebula < Formula
  desc "{{.Summary}}"
  homepage "{{.Home}}"
  version "{{.Version}}"
  license "MIT"

  on_macos do
    on_arm do
      url "{{.DarwinARM64.URL}}"
      sha256 "{{.DarwinARM64.Sum}}"
    end
    on_intel do
      url "{{.DarwinAMD64.URL}}"
      sha256 "{{.DarwinAMD64.Sum}}"
    end
  end
  on_linux do
    on_arm do
      url "{{.LinuxARM64.URL}}"
      sha256 "{{.LinuxARM64.Sum}}"
    end
    on_intel do
      url "{{.LinuxAMD64.URL}}"
      sha256 "{{.LinuxAMD64.Sum}}"
    end
  end

  def install
    bin.install "nebula"
    man1.install "man/nebula.1"
    bash_completion.install "completions/nebula.bash" => "nebula"
    zsh_completion.install "completions/nebula.zsh" => "_nebula"
    fish_completion.install "completions/nebula.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/nebula version")
  end
end
