import fc from 'fast-check'
import t from 'tap'
import { isLong, splitRestore, type CommitSize } from '../../src/netfilter/splitRestore.js'
import { renderFullRestore } from '../../src/agents/kubeProxy/iptables/restore.js'
import { buildRuleset } from '../../src/agents/kubeProxy/iptables/ruleset.js'
import { arbitraryInput } from '../agents/kubeProxy/arbitraryInput.js'

const bodyOf = (text: string) => text.split('\n').filter((line) => !/^(\*.*|COMMIT|)$/.test(line))

/** The lines of a table, of all its commits. */
function tableOf(text: string, table: string): string[] {
  return text.split('COMMIT\n').flatMap((commit) => (commit.startsWith(`*${table}\n`) ? bodyOf(commit) : []))
}

const chainOf = (line: string) => /^(?::|-\S+ )(\S+)/.exec(line)?.[1] ?? ''

/** Lines of each chain, chains by name. */
function byChain(lines: readonly string[]): [string, string[]][] {
  const chains = [...new Set(lines.map(chainOf))].sort()
  return chains.map((chain) => [chain, lines.filter((line) => chainOf(line) === chain)])
}

/** Whether a chain of a table that is split is in several commits; deletions come with the last one. */
function isCut(text: string, split: string, limit: number): boolean {
  return ['filter', 'nat'].some((table) => {
    if (tableOf(text, table).length <= limit) return false
    const commits = split.split('COMMIT\n').filter((commit) => commit.startsWith(`*${table}\n`))
    const chains = commits.flatMap((commit) => byChain(bodyOf(commit)).map(([chain]) => chain))
    return new Set(chains).size < chains.length
  })
}

/** Rules that jump to a chain that is not complete. */
function jumpsToLater(lines: readonly string[]): string[] {
  const last = new Map(lines.map((line, index) => [chainOf(line), index]))
  return lines.filter((line, index) => {
    const target = / -j (\S+)/.exec(line)?.[1] ?? ''
    return (last.get(target) ?? -1) > index
  })
}

const few = (lines: number): CommitSize => ({ lines, wholeChains: false })

t.test('a table that is long becomes several commits', (t) => {
  t.equal(
    splitRestore('*nat\n:A - [0:0]\n-A A -j X\n-A A -j Y\nCOMMIT\n', few(2)),
    '*nat\n:A - [0:0]\n-A A -j X\nCOMMIT\n*nat\n-A A -j Y\nCOMMIT\n',
  )
  const short = '*nat\n-A A -j B\n-A B\nCOMMIT\n'
  t.equal(splitRestore(short, few(2)), short, 'one that is not stays')
  t.equal(splitRestore('*nat\n:A - [0:0]\n', few(2)), '*nat\n:A - [0:0]\n', 'one without its end stays')
  t.end()
})

t.test('chains are complete before a commit makes them reachable', (t) => {
  const text = `*nat
:SERVICES - [0:0]
:SVC - [0:0]
:SEP - [0:0]
:OLD - [0:0]
-I PREROUTING -j SERVICES
-A SERVICES -d 10.96.0.1/32 -j SVC
-A SVC -j SEP
-X OLD
-A SEP -j DNAT --to-destination 10.244.0.2:80
COMMIT
`
  const expected = `*nat
:SEP - [0:0]
-A SEP -j DNAT --to-destination 10.244.0.2:80
:SVC - [0:0]
COMMIT
*nat
-A SVC -j SEP
:SERVICES - [0:0]
-A SERVICES -d 10.96.0.1/32 -j SVC
COMMIT
*nat
:OLD - [0:0]
-I PREROUTING -j SERVICES
-X OLD
COMMIT
`
  t.equal(splitRestore(text, few(3)), expected)
  t.end()
})

t.test('lines whose order matters otherwise keep it', (t) => {
  for (const lines of [
    [':A - [0:0]', '-A A -j B', '-F A', ':B - [0:0]'],
    ['-A A -j B', ':A - [0:0]', ':B - [0:0]'],
    [':A - [0:0]', '-A A -j B', ':B - [0:0]', '-X B', '-A B -j C'],
    [':A - [0:0]', ':B - [0:0]', '-A A -j B', '-A B -g A'],
  ])
    t.equal(
      splitRestore(`*nat\n${lines.join('\n')}\nCOMMIT\n`, few(1)),
      onePerCommit(lines),
      lines.join(', '),
    )
  t.end()
})

function onePerCommit(lines: readonly string[]): string {
  return lines.map((line) => `*nat\n${line}\nCOMMIT\n`).join('')
}

t.test('a chain is whole in a commit of whole chains, however long it is', (t) => {
  const text = `*nat
:SERVICES - [0:0]
:SVC - [0:0]
-I PREROUTING -j SERVICES
-A SERVICES -d 10.96.0.1/32 -j SVC
-A SERVICES -d 10.96.0.2/32 -j SVC
-A SERVICES -d 10.96.0.3/32 -j SVC
-X OLD
COMMIT
`
  const expected = `*nat
:SVC - [0:0]
COMMIT
*nat
:SERVICES - [0:0]
-A SERVICES -d 10.96.0.1/32 -j SVC
-A SERVICES -d 10.96.0.2/32 -j SVC
-A SERVICES -d 10.96.0.3/32 -j SVC
COMMIT
*nat
-I PREROUTING -j SERVICES
-X OLD
COMMIT
`
  t.equal(splitRestore(text, { lines: 3, wholeChains: true }), expected)
  t.end()
})

t.test('a text is long if a table of it may be split', (t) => {
  t.notOk(isLong('*nat\n'.padEnd(203, '\n')))
  t.ok(isLong('-A A\n'.repeat(201)))
  t.end()
})

t.test('chains keep their lines, come after their targets, and no commit has too many', (t) => {
  fc.assert(
    fc.property(arbitraryInput, fc.integer({ min: 1, max: 20 }), fc.boolean(), (from, limit, wholeChains) => {
      const text = renderFullRestore(buildRuleset(from, 'IPv4'))
      const split = splitRestore(text, { lines: limit, wholeChains })
      const all = split.split('COMMIT\n').map(bodyOf)
      for (const commit of all)
        if (commit.length > limit && (!wholeChains || byChain(commit).length > 1)) return false
      if (wholeChains && isCut(text, split, limit)) return false
      return ['mangle', 'filter', 'nat'].every((table) => {
        const [before, after] = [tableOf(text, table), tableOf(split, table)]
        return (
          JSON.stringify(byChain(before)) === JSON.stringify(byChain(after)) &&
          (before.length <= limit || jumpsToLater(after).length === 0)
        )
      })
    }),
  )
  t.pass()
  t.end()
})
