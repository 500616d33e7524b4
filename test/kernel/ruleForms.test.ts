import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { parseSave, ruleText } from '../../src/netfilter/save.js'
import { untyped } from '../netfilter/rules/untyped.js'
import { loaderOf } from './loadRules.js'

// Chains first, then rule by rule, because kernels differ in the extensions that they have; what cannot be loaded is
// printed with `FAILED` before it.
const loadEach = `
family=$1; program=$2; file=$3
ipset create s1 hash:ip family "$family" counters
ipset create s2 hash:ip,port family "$family"
nfacct add foo
grep -v '^-A' "$file" | "$program-restore" || exit 1
while IFS= read -r line; do
  case $line in
    '*'*) table=$line ;;
    -A*) printf '%s\\n%s\\nCOMMIT\\n' "$table" "$line" | "$program-restore" --noflush 2>/dev/null || echo "#FAILED $line" ;;
  esac
done <"$file"
"$program-save"`

for (const family of ['IPv4', 'IPv6'] as const) {
  for (const backend of ['nft', 'legacy'] as const) {
    const loader = loaderOf(family, backend)
    t.test(
      `${loader.program}: rules come back from the kernel as recorded, and have types`,
      { skip: loader.skip },
      (t) => {
        const file = `test/golden/rules/${family === 'IPv4' ? 'iptables' : 'ip6tables'}.txt`
        const { status, stdout, stderr } = load(family === 'IPv4' ? 'inet' : 'inet6', loader.program, file)
        t.equal(status, 0, stderr)
        const failed = new Set(stdout.split('\n').flatMap((line) => line.split('#FAILED ')[1] ?? []))
        for (const line of failed) t.comment(`this kernel cannot load: ${line}`)
        const recorded = linesOf(readFileSync(file, 'utf8'))
        t.ok(failed.size < recorded.length / 2, `${recorded.length - failed.size} rules loaded`)
        t.same(
          linesOf(stdout),
          recorded.filter((line) => !failed.has(line.replace(/^\S+ /, ''))),
        )
        t.same(untyped(parseSave(stdout)), [])
        t.end()
      },
    )
  }
}

function load(family: string, program: string, file: string) {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-forms-'))
  try {
    const user = process.getuid?.() === 0 ? [] : ['--map-root-user']
    return spawnSync('unshare', [...user, '--net', 'sh', '-c', loadEach, 'sh', family, program, file], {
      encoding: 'utf8',
      env: { ...process.env, XTABLES_LOCKFILE: join(folder, 'lock') },
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Sorted, because the tables and chains come in the order in which they were made. */
function linesOf(text: string): string[] {
  return parseSave(text)
    .flatMap(({ table, rules }) => rules.map((rule) => `${table} ${ruleText(rule)}`))
    .sort()
}
