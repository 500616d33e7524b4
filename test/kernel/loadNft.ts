import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The result of loading one text: the errors of nft, and what it lists afterwards. */
export interface LoadedTable {
  readonly errors: string
  readonly listed: string
}

// Each text is loaded into a network namespace of its own and listed there; one shell walks through all of them.
const loadAndList = `
for folder in "$1"/*/; do
  unshare --net sh -c '
    nft -f "$2/table.nft" 2>"$2/error.txt" && nft -s list table "$1" kube-proxy >"$2/listed.txt" 2>>"$2/error.txt"
  ' sh "$2" "$folder"
done`

const unshareArgs = process.getuid?.() === 0 ? ['--net'] : ['--map-root-user', '--net']

/** Why nft cannot load anything here, for `skip`; false where it can. */
export function cannotLoadNft(): string | false {
  const table = 'add table ip probe\nadd chain ip probe nat { type nat hook output priority -100 ; }\n'
  const probe = spawnSync('unshare', [...unshareArgs, 'nft', '-f', '-'], { input: table, encoding: 'utf8' })
  if (probe.status === 0) return false
  return `nft does not work here: ${probe.error?.message ?? probe.stderr.trim()}`
}

/** Loads each text into an empty network namespace and lists the table that the kernel then has. */
export function loadTables(
  ip: 'ip' | 'ip6',
  texts: ReadonlyMap<string, string>,
): ReadonlyMap<string, LoadedTable> {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-nft-'))
  try {
    for (const [name, text] of texts) {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'table.nft'), text)
    }
    execFileSync('unshare', [...unshareArgs, 'sh', '-c', loadAndList, 'sh', folder, ip])
    return new Map(
      [...texts.keys()].map((name) => {
        const errors = readFileSync(join(folder, name, 'error.txt'), 'utf8')
        return [
          name,
          { errors, listed: errors === '' ? readFileSync(join(folder, name, 'listed.txt'), 'utf8') : '' },
        ]
      }),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
