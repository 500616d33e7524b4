// `npm run soak -- bundle`, called by soak.ts: makes the archive of `npm run bundle`, and installs it in a fresh system of this
// host's release, in namespaces without a network. Then a lab runs there, and a class is served.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { $ } from 'zx'
import { root } from './bench/workspace.js'

/** Runs as the first process of the fresh system, which has no network. */
const guest = `set -eu
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
/root/vethlab-*/install.sh
vethlab doctor
vethlab run nodeport
ip link set lo up
vethlab workshop class 2 --exercises two-hours --sheet /root/links.html --results /root >/root/links &
class=$!
url=
while kill -0 $class && [ -z "$url" ]; do
  sleep 0.2
  url=$(sed -n 's/^p02 *//p' /root/links)
done
curl --fail --silent --show-error --cookie-jar /root/cookies --output /root/first.html "$url"
curl --fail --silent --show-error --cookie /root/cookies --output /root/page.html "\${url%%[?]*}"
grep -q '<script' /root/page.html || { echo 'the page of a participant has no script' >&2; exit 1; }
kill -INT $class
wait $class || test $? = 130
grep -q p02 /root/links.html
echo 'the class was served without the internet'
`

/** Makes the root file system the root folder, so that labs have a user namespace there as on any host. */
const enter = `set -eu
mount --bind "$0" "$0"
cd "$0"
mkdir -p .before
mount --rbind /dev dev
mount -t proc proc proc
mount -t sysfs sys sys
mount -t tmpfs run run
pivot_root . .before
umount -l /.before
cd /
exec sh /guest.sh
`

/** Tries the bundle; returns the exit code. Needs root, mmdebstrap and the Debian packages of this host's release. */
export async function soakBundle(args: readonly string[]): Promise<number> {
  if (args.length > 0) {
    process.stderr.write('Usage: npm run soak -- bundle\n')
    return 2
  }
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-bundle-'))
  const [archive, system] = [join(folder, 'bundle.tar.gz'), join(folder, 'system')]
  const run = $({ stdio: 'inherit', nothrow: true, cwd: root })
  try {
    const release = /^VERSION_CODENAME=(.*)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? ''
    const made = await run`npm run --silent bundle -- ${archive}`
    if (made.exitCode !== 0) return made.exitCode ?? 1
    await $`mmdebstrap --quiet --variant=minbase ${release} ${system}`
    await $`tar --extract --file=${archive} --directory=${join(system, 'root')}`
    writeFileSync(join(system, 'guest.sh'), guest)
    const unshared = [
      '--net',
      '--mount',
      '--pid',
      '--fork',
      '--uts',
      '--kill-child',
      '--propagation',
      'private',
    ]
    return (
      (await run`env -i PATH=${process.env['PATH']} unshare ${unshared} sh -c ${enter} ${system}`).exitCode ??
      1
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
