import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { canonicalLines } from '../../src/netfilter/compare.js'
import { parseSave } from '../../src/netfilter/save.js'
import { renderFullRestore } from '../../src/proxy/iptables/restore.js'
import { buildRuleset } from '../../src/proxy/iptables/ruleset.js'
import { goldenCases, withoutNfacct } from '../proxy/goldenCases.js'

// Each case is loaded into a network namespace of its own and saved from there; one shell walks through all of them.
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
const nfacctProbe = `*filter
-A INPUT -m nfacct --nfacct-name probe
COMMIT
`

const unshareArgs = process.getuid?.() === 0 ? ['--net'] : ['--map-root-user', '--net']
const folder = mkdtempSync(join(tmpdir(), 'vethlab-golden-'))
const env = { ...process.env, XTABLES_LOCKFILE: join(folder, 'xtables.lock') }
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

const cases = goldenCases()

for (const family of ['IPv4', 'IPv6'] as const) {
  for (const backend of ['nft', 'legacy']) {
    const program = `${family === 'IPv4' ? 'iptables' : 'ip6tables'}-${backend}`
    const able = inNetns('"$0-restore" --noflush', program, probe)
    const nfacct = inNetns('nfacct add probe && "$0-restore" --noflush', program, nfacctProbe).status === 0
    const skip = able.status === 0 ? false : `${program} does not work here: ${firstLine(able)}`

    t.test(
      `${program}${nfacct ? '' : ', without nfacct'}: the rules as loaded equal the recordings`,
      { skip },
      (t) => {
        const place = join(folder, program)
        for (const { name, input } of cases) {
          mkdirSync(join(place, name), { recursive: true })
          const text = renderFullRestore(buildRuleset({ ...input, nfacct }, family))
          writeFileSync(join(place, name, 'restore.txt'), text)
        }
        execFileSync(
          'unshare',
          [...unshareArgs, 'sh', '-c', loadAndSave, 'sh', place, program, String(nfacct)],
          { env },
        )
        for (const { name, saved } of cases) {
          t.equal(readFileSync(join(place, name, 'error.txt'), 'utf8'), '', `${name}: loads`)
          const found = parseSave(readFileSync(join(place, name, 'save.txt'), 'utf8'))
          const recorded = nfacct ? saved[family] : withoutNfacct(saved[family])
          const both = found.filter(({ table }) => table !== 'mangle')
          t.same(canonicalLines(both), canonicalLines(recorded), `${name}: equals the recording`)
          const mangle = found.find(({ table }) => table === 'mangle')
          t.match(
            mangle?.chains.at(-1),
            { name: 'KUBE-PROXY-CANARY', policy: '-' },
            `${name}: the canary stands in mangle`,
          )
        }
        t.end()
      },
    )
  }
}

function inNetns(script: string, program: string, input: string): { status: number | null; stderr: string } {
  return spawnSync('unshare', [...unshareArgs, 'sh', '-c', script, program], { input, env, encoding: 'utf8' })
}

function firstLine({ stderr }: { readonly stderr: string }): string {
  return stderr.trim().split('\n').at(-1) ?? 'no message'
}
