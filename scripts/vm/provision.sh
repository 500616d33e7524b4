#!/bin/sh
# Makes a machine of Debian or Ubuntu ready for vethlab: Node, the set-up, and a login that begins in the checkout.
set -eu
checkout=${1:-/vagrant}

# as package.json asks for: ^20.19, ^22.13, >=24
recent='const [a, b] = process.versions.node.split(".").map(Number); process.exit((a === 20 && b >= 19) || (a === 22 && b >= 13) || a >= 24 ? 0 : 1)'
has_node() { command -v node >/dev/null && command -v npm >/dev/null && node -e "$recent"; }
candidate() { apt-cache policy nodejs | sed -n 's/^ *Candidate: *\([0-9]*:\)\{0,1\}\([0-9]*\.[0-9]*\).*/\2/p'; }

export DEBIAN_FRONTEND=noninteractive
if ! has_node; then
  apt-get -qq update
  case $(candidate) in
    20.19* | 20.[2-9][0-9]* | 22.1[3-9]* | 22.[2-9][0-9]* | 2[4-9].* | [3-9][0-9].*)
      apt-get -qq -y install --no-install-recommends nodejs npm git ca-certificates
      ;;
    *)
      # too old, as in Debian 12: a current one from the Node project, checked against its list of sums
      apt-get -qq -y install --no-install-recommends ca-certificates curl git xz-utils
      case $(uname -m) in
        x86_64) arch=x64 ;;
        aarch64) arch=arm64 ;;
        *) echo "no build of Node for $(uname -m)" >&2; exit 1 ;;
      esac
      folder=$(mktemp -d)
      cd "$folder"
      base=https://nodejs.org/dist/latest-v22.x
      curl -fsSL "$base/SHASUMS256.txt" | grep "linux-$arch.tar.xz" >sum
      curl -fsSLO "$base/$(awk '{ print $2 }' sum)"
      sha256sum -c sum
      tar -xJf node-*.tar.xz -C /usr/local --strip-components=1
      cd / && rm -r "$folder"
      ;;
  esac
fi

# `vagrant ssh -c` starts a login shell
cat >/etc/profile.d/vethlab.sh <<END
if [ "\$USER" = vagrant ]; then cd "$checkout"; fi
END
cd "$checkout" && node scripts/setup.mjs
