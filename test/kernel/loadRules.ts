import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IpFamily } from '../../src/net/ipFamily.js'
import { splitRestore } from '../../src/netfilter/splitRestore.js'

/** One iptables program of this machine, and what works with it. */
export interface Loader {
  /** `iptables-nft`, `ip6tables-legacy`, … */
  readonly program: string
  readonly nfacct: boolean
  /** Why nothing can be loaded with it here; false where it can. */
  readonly skip: string | false
}

/** The result of loading one text: the errors of iptables-restore, and the output of iptables-save afterwards. */
export interface Loaded {
  readonly errors: string
  readonly saved: string
}

// Each text is loaded into a network namespace of its own and saved from there; one shell walks through all of them.
const loadAndSave = `
for folder in "$1"/*/; do
  unshare --net sh -c '
    if [ "$3" = true ]; then nfacct add ct_state_invalid_dropped_pkts; nfacct add localhost_nps_accepted_pkts; fi
    "$1-restore" --noflush --counters <"$2/restore.txt" 2>"$2/error.txt" && "$1-save" >"$2/save.txt"
  ' sh "$2" "$folder" "$3"
done`

const probe = `*filter
:KUBE-PROBE - [0:0]
-A KUBE-PROBE -m recent --name PROBE --rcheck --seconds 1 --reap -m statistic --mode random --probability 0.5 -j DROP
-A KUBE-PROBE -m addrtype --dst-type LOCAL -m conntrack --ctstate NEW -m mark --mark 1/1 -j DROP
COMMIT
*nat
-A POSTROUTING -j MASQUERADE --random-fully
COMMIT
`
const nfacctProbe = '*filter\n-A INPUT -m nfacct --nfacct-name probe\nCOMMIT\n'
const root = process.getuid?.() === 0
const unshareArgs = root ? ['--net'] : ['--map-root-user', '--net']

/** The loader of one family and backend, with what it can do tried out. */
export function loaderOf(family: IpFamily, backend: 'nft' | 'legacy'): Loader {
  const program = `${family === 'IPv4' ? 'iptables' : 'ip6tables'}-${backend}`
  const attempt = (script: string, input: string) =>
    spawnSync('unshare', [...unshareArgs, 'sh', '-c', script, program], {
      input,
      env: env(tmpdir()),
      encoding: 'utf8',
    })
  const able = attempt('"$0-restore" --noflush', probe)
  const reason = able.error?.message ?? able.stderr.trim().split('\n').at(-1) ?? 'no message'
  return {
    program,
    nfacct: attempt('nfacct add probe && "$0-restore" --noflush', nfacctProbe).status === 0,
    skip: able.status === 0 ? false : `${program} does not work here: ${reason}`,
  }
}

/** Loads each text into an empty network namespace and saves what the kernel then has. */
export function loadRules(loader: Loader, texts: ReadonlyMap<string, string>): ReadonlyMap<string, Loaded> {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-rules-'))
  try {
    for (const [name, text] of texts) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'restore.txt'), root ? text : splitRestore(text))
    }
    const args = ['sh', '-c', loadAndSave, 'sh', folder, loader.program, String(loader.nfacct)]
    execFileSync('unshare', [...unshareArgs, ...args], { env: env(folder) })
    return new Map(
      [...texts.keys()].map((name) => {
        const errors = readFileSync(join(folder, name, 'error.txt'), 'utf8')
        return [
          name,
          { errors, saved: errors === '' ? readFileSync(join(folder, name, 'save.txt'), 'utf8') : '' },
        ]
      }),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** iptables-legacy takes a lock on a file that only root may open. */
function env(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, XTABLES_LOCKFILE: join(folder, `xtables-${process.pid}.lock`) }
}
