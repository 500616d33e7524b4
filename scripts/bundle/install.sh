#!/bin/sh
# Installs vethlab from this folder, without the internet: the Debian packages that are missing, and vethlab in /opt/vethlab.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/host"
. /etc/os-release

fail() {
  echo "install.sh: $1" >&2
  exit 3
}
[ "$(id -u)" = 0 ] || fail "needs root; try: sudo $0"
[ "$ID ${VERSION_CODENAME:-} $(dpkg --print-architecture)" = "$id $release $architecture" ] ||
  fail "this bundle is for $id $release on $architecture, and this host has $ID ${VERSION_CODENAME:-} on $(dpkg --print-architecture)"
(cd "$here" && sha256sum --check --quiet SHA256SUMS) || fail 'the bundle is damaged: copy it again'

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# apt cannot read a path with spaces
ln -s "$here/debs" "$work/debs"
mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
echo "deb [trusted=yes] file:$work/debs ./" >"$work/sources.list"
cat >"$work/apt.conf" <<END
Dir::Etc::SourceList "$work/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State::Lists "$work/lists";
Dir::Cache "$work/cache";
APT::Sandbox::User "root";
END

rm -rf /opt/vethlab.new
cp -R "$here/vethlab" /opt/vethlab.new
chown -R root:root /opt/vethlab.new
chmod -R u=rwX,go=rX /opt/vethlab.new
# first without Node, whose libraries may be missing
APT_CONFIG=$work/apt.conf DEBIAN_FRONTEND=noninteractive apt-get -qq update
APT_CONFIG=$work/apt.conf DEBIAN_FRONTEND=noninteractive apt-get -qq -y install --no-install-recommends libstdc++6 >/dev/null
APT_CONFIG=$work/apt.conf /opt/vethlab.new/node /opt/vethlab.new/scripts/setup.mjs tools
rm -rf /opt/vethlab
mv /opt/vethlab.new /opt/vethlab
cat >/usr/local/bin/vethlab <<'END'
#!/bin/sh
exec /opt/vethlab/node /opt/vethlab/dist/cli.cjs "$@"
END
chmod 755 /usr/local/bin/vethlab
echo 'vethlab is installed in /opt/vethlab; try: sudo vethlab run nodeport'
