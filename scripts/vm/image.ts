import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { $ } from 'zx'
import { NotHere } from './tools.js'

/** The files that a virtual machine boots from. */
export interface VmImage {
  readonly disk: string
  readonly kernel: string
  readonly initrd: string
}

/** Node, Debian's cloud kernel, and the tools that labs use. */
const packages = [
  ...['linux-image-cloud-amd64', 'nodejs', 'iproute2', 'procps', 'kmod', 'util-linux', 'findutils'],
  ...['iptables', 'nftables', 'nfacct', 'conntrack', 'ipset', 'ipvsadm', 'tcpdump'],
  ...['curl', 'nginx-light', 'libnginx-mod-stream', 'netcat-openbsd', 'iputils-ping', 'socat'],
  ...['bind9', 'bind9-dnsutils', 'dnsmasq-base', 'haproxy', 'openssl'],
]

const initFile = fileURLToPath(new URL('guestInit.sh', import.meta.url))

/** The image for a release of Debian. It is built once, and again when the packages or the init change. */
export async function vmImage(release: string, log: (line: string) => void): Promise<VmImage> {
  const recipe = [release, ...packages, readFileSync(initFile, 'utf8')].join('\n')
  const name = `vm-${release}-${createHash('sha256').update(recipe).digest('hex').slice(0, 12)}`
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'vethlab')
  const folder = join(cache, name)
  if (!existsSync(folder)) {
    if (process.getuid?.() !== 0)
      throw new NotHere(
        `root must build the image once: sudo env XDG_CACHE_HOME=${dirname(cache)} npm run test:vm`,
      )
    for (const old of existsSync(cache) ? readdirSync(cache) : [])
      if (old.startsWith(`vm-${release}-`)) rmSync(join(cache, old), { recursive: true })
    log(`creating a root file system of Debian ${release} in ${folder}, which takes a minute`)
    await make(release, folder)
  }
  const found = (prefix: string) => join(folder, prefix)
  return { disk: found('disk.img'), kernel: found('vmlinuz'), initrd: found('initrd.img') }
}

async function make(release: string, folder: string): Promise<void> {
  const made = `${folder}.${process.pid}`
  const root = join(made, 'root')
  mkdirSync(dirname(folder), { recursive: true })
  mkdirSync(made)
  try {
    const hook = `install -m 755 ${initFile} "$1/usr/local/sbin/vm-init"`
    await $({
      quiet: true,
      timeout: '20m',
    })`mmdebstrap --quiet --variant=minbase --include=${packages.join()} --customize-hook=${hook} ${release} ${root}`
    for (const name of readdirSync(join(root, 'boot'))) {
      const [kind] = name.split('-', 1)
      if (kind === 'vmlinuz' || kind === 'initrd.img') renameSync(join(root, 'boot', name), join(made, kind))
    }
    await $({ quiet: true })`mke2fs -q -t ext4 -O ^has_journal -d ${root} ${join(made, 'disk.img')} 1200M`
    rmSync(root, { recursive: true })
    renameSync(made, folder)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}
