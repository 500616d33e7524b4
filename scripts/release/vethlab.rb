class Vethlab < Formula
  desc "Explain Kubernetes Service networking: labs and support bundles"
  homepage "{{homepage}}"
  url "{{url}}"
  sha256 "{{sha256}}"
  license "Apache-2.0"

  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/vethlab --version")
  end
end
