import t from 'tap'
import { fixture, readFixture, readText, ruleTexts } from './nodeTextFile.js'

const save = fixture('iptables-save-c')
const tables = ['raw', 'mangle', 'nat', 'filter'] as const

t.test('iptables-save -c', async (t) => {
  const part = readFixture('iptables-save-c')
  t.match(part, { format: 'iptables-save', backend: 'nft', partial: undefined, lost: [], problems: [] })
  t.strictSame([...(part.rules?.IPv4?.keys() ?? [])], [...tables])
  t.equal(ruleTexts(part).length, save.split('\n').filter((line) => line.includes('] -A ')).length)
  t.equal(part.rules?.IPv4?.get('filter')?.get('FORWARD')?.policy, 'DROP')
})

t.test('rules carry the line of the file in which they are', async (t) => {
  const part = readText(save, { path: 'b/save.txt', line: 100 })
  const [rule] = part.rules?.IPv4?.get('nat')?.get('KUBE-MARK-MASQ')?.rules ?? []
  const line = 99 + save.split('\n').findIndex((one) => one.includes('-A KUBE-MARK-MASQ')) + 1
  t.strictSame(rule?.at, { file: 'b/save.txt', line })
})

t.test('iptables -S of each table has the rules of iptables-save', async (t) => {
  const saved = ruleTexts(readFixture('iptables-save-c'))
  for (const table of tables) {
    const part = readFixture(`iptables-S-${table}`)
    t.equal(part.format, 'iptables -S')
    t.strictSame([...(part.rules?.IPv4?.keys() ?? [])], [table], 'the table follows from its chains')
    t.strictSame(
      ruleTexts(part),
      saved.filter((text) => text.startsWith(`IPv4 ${table} `)),
    )
    t.equal(part.someTables, true)
  }
  t.strictSame(ruleTexts(readFixture('iptables-vS-filter')), ruleTexts(readFixture('iptables-S-filter')))
})

t.test('iptables -L -n -v has the same rules, and what it does not print is not decided', async (t) => {
  const saved = ruleTexts(readFixture('iptables-save-c'))
  for (const table of tables) {
    const part = readFixture(`iptables-nvL-${table}`)
    const own = saved.filter((text) => text.startsWith(`IPv4 ${table} `))
    const listed = ruleTexts(part)
    t.equal(listed.length, own.length)
    listed.forEach((text, at) => {
      // conditions that -L prints in other words, or not at all
      if (text.includes('as-listed'))
        t.match(own[at], /physdev|limit|pkttype|mac|length|ttl|time|owner|rpfilter/)
      else t.equal(text, own[at]?.replace('-j NOTRACK', '-j CT --notrack'))
    })
  }
})

t.test('lists of tables that follow each other without a prompt', async (t) => {
  const list = (names: readonly string[]) =>
    names
      .map(
        (name) =>
          `Chain ${name} (${name.startsWith('KUBE') ? '1 references' : 'policy ACCEPT 0 packets, 0 bytes'})\n pkts bytes target     prot opt in     out     source               destination\n`,
      )
      .join('\n')
  const filter = list(['INPUT', 'FORWARD', 'OUTPUT', 'KUBE-FORWARD'])
  const nat = list(['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING', 'KUBE-SERVICES'])
  const tablesOf = (text: string) =>
    [...(readText(text).rules?.IPv4 ?? [])].map(([name, chains]) => [name, chains.size])
  const both = [
    ['filter', 4],
    ['nat', 5],
  ]
  t.strictSame(tablesOf(`${filter}\n${nat}`).sort(), both)
  t.strictSame(tablesOf(`${nat}\n${filter}`).sort(), both)
})

t.test('iptables -L without -v or -n decides no rule', async (t) => {
  const listed = readFixture('iptables-nL-filter')
  t.match(listed.lost.join(), /without -v shows no interfaces/)
  t.ok(ruleTexts(listed).every((text) => text.includes('-m not-shown --interfaces')))
  const named = readFixture('iptables-vL-filter')
  t.match(named.lost.join(), /without -n shows names/)
  t.ok(
    ruleTexts(named).some((text) => text.includes('-m not-shown --address') && text.includes('--dport 80')),
  )
})

t.test('ip6tables', async (t) => {
  const saved = ruleTexts(readFixture('ip6tables-save'))
  t.strictSame(saved, ruleTexts(readFixture('ip6tables-nvL')))
  t.match(saved, [/^IPv6 filter FORWARD -s fd00::\/64 -d fd00::1\/128 .* -j REJECT/])
})

t.test('both backends in one text, and the warning that there is another one', async (t) => {
  const legacy = save
    .replaceAll('(nf_tables)', '(legacy)')
    .replaceAll('iptables-save', 'iptables-legacy-save')
    .split('*raw')[0]
  const part = readText(
    `${save}# Warning: iptables-legacy tables present, use iptables-legacy-save to see them\n${legacy}`,
  )
  const names = [...(part.rules?.IPv4?.keys() ?? [])]
  t.ok(names.includes('nat'))
  t.ok(
    names.some((name) => name.startsWith('legacy:')),
    'the second backend has its name',
  )
  t.match(part.lost, [/the other backend, iptables-legacy, has rules too/])
})

t.test('parts of a save', async (t) => {
  const whole = ruleTexts(readFixture('iptables-save-c'))
  const noCommit = readText(save.replaceAll('COMMIT\n', ''))
  t.strictSame(ruleTexts(noCommit).sort(), [...whole].sort())
  t.equal(noCommit.partial, true)
  t.match(noCommit.problems[0]?.message, /before table .* ends with COMMIT/)
  const noChains = readText(save.replaceAll(/^:.*\n/gm, ''))
  const shown = ruleTexts(noChains).filter((text) => !text.includes('not-shown'))
  t.strictSame(shown.sort(), [...whole].sort())
  const last = noChains.rules?.IPv4?.get('filter')?.get('FORWARD')?.rules.at(-1)
  t.equal(last?.spec, '-m not-shown --policy -j DROP', 'a policy that is not shown can be DROP')
  t.match(noChains.lost.join(), /the policies of .* are not shown/)
  t.equal(noChains.rules?.IPv4?.get('filter')?.get('FORWARD')?.policy, undefined)
  const cut = readText(save.slice(0, save.indexOf(' -m conntrack --ctstate RELATED')))
  t.equal(cut.partial, true)
  t.match(cut.problems.at(-1)?.message, /COMMIT is missing/)
})

t.test('lines that grep has left', async (t) => {
  const text = `$ sudo iptables-save | grep -i web
-A KUBE-SERVICES -d 10.96.1.2/32 -p tcp -m comment --comment "default/web:http has no endpoints" -m tcp --dport 80 -j REJECT --reject-with icmp-port-unreachable
-A KUBE-SVC-X -m comment --comment "default/web:http -> 10.244.1.2:80" -j KUBE-SEP-Y
-A OUTPUT -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
`
  const part = readText(text)
  t.match(ruleTexts(part), [/^IPv4 filter KUBE-SERVICES .* REJECT/, /^IPv4 nat KUBE-SVC-X /])
  t.equal(part.partial, true)
  t.match(part.lost, [/table of 1 rules is not shown/, /only the lines that "grep -i web" selects/])
  t.strictSame(part.rules?.IPv4?.get('filter')?.get('KUBE-SERVICES')?.rules[0]?.at, {
    file: 'paste.txt',
    line: 2,
  })
})

t.test('what people and old versions write', async (t) => {
  const part = readText(`*filter
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
-A INPUT -p tcp --dport 80 -j ACCEPT
-A INPUT -m set [unsupported revision] -j DROP
COMMIT
*security
:INPUT ACCEPT [0:0]
:FORWARD ACCEPT [0:0]
:OUTPUT DROP [0:0]
-A INPUT -j SECMARK --selctx x
COMMIT
`)
  const rules = part.rules?.IPv4?.get('filter')
    ?.get('INPUT')
    ?.rules.map(({ rule }) => rule)
  t.match(rules?.[0]?.matches, [{ kind: 'tcp', dport: { value: { first: 80, last: 80 } } }])
  t.match(rules?.[1]?.matches, [{ kind: 'unknown' }], 'a rule that iptables cannot print is not decided')
  t.equal(part.rules?.IPv4?.get('security')?.get('OUTPUT')?.policy, 'DROP')
})

t.test('tables that are missing are not taken for empty', async (t) => {
  const nat = `*nat
:PREROUTING ACCEPT [0:0]
:KUBE-SERVICES - [0:0]
-A PREROUTING -j KUBE-SERVICES
COMMIT
`
  const part = readText(nat)
  t.strictSame([...(part.rules?.IPv4?.keys() ?? [])], ['nat'])
  t.equal(part.someTables, true)
})

t.test('names of files of collectors', async (t) => {
  const list = `# Warning: iptables-legacy tables present, use iptables-legacy to see them
Chain KUBE-X (1 references)
 pkts bytes target     prot opt in     out     source               destination
    0     0 RETURN     0    --  *      *       0.0.0.0/0            0.0.0.0/0
`
  const part = readText(list, { path: 'sos_commands/networking/ip6tables_-t_nat_-nvL' })
  t.strictSame(ruleTexts(part), ['IPv6 nat KUBE-X -j RETURN'])
  t.match(part.lost[0], /the other backend, iptables-legacy, has rules too/)
  t.match(readText(list, { path: 'x' }).lost.join(), /the table of the chains KUBE-X is not shown/)
  const legacy = readText('*nat\n:PREROUTING ACCEPT [0:0]\nCOMMIT\n', {
    path: 'cmd/ip6tables-legacy-save--c.md',
  })
  t.match(legacy, { backend: 'legacy', rules: { IPv6: new Map() } })
})

t.test('a large save is read in a short time', async (t) => {
  const rules = Array.from(
    { length: 60_000 },
    (_, at) =>
      `-A KUBE-SVC-${at % 9000} -m comment --comment "ns/svc-${at}:http -> 10.244.1.2:80" -j KUBE-SEP-${at}`,
  )
  const chains = Array.from({ length: 9000 }, (_, at) => `:KUBE-SVC-${at} - [0:0]`)
  const part = readText(`*nat\n${chains.join('\n')}\n${rules.join('\n')}\nCOMMIT\n`)
  t.equal(part.rules?.IPv4?.get('nat')?.get('KUBE-SVC-8')?.rules.length, 7)
})
