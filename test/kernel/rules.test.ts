import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { parseSave } from '../../src/netfilter/save.js'
import type { ExplainedRule, ExplainedRuleset } from '../../src/agents/kubeProxy/iptables/explained/types.js'
import { runs } from '../suite.js'
import { hangul } from '../text/textsIn.js'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { inLab } from './inLab.js'
import { cannotLoadNft } from './loadNft.js'
import { vethlab } from './servedCommands.js'

interface Document {
  readonly lab: string
  readonly node: string
  readonly mode: string
  readonly backend: string
  readonly families: readonly (ExplainedRuleset & { readonly withoutRules: readonly unknown[] })[]
}

const rulesOf = ({ first, services, last }: ExplainedRuleset): readonly ExplainedRule[] =>
  [...first, ...services.flatMap(({ ports }) => ports.flatMap(({ chains }) => chains)), ...last].flatMap(
    ({ rules }) => rules,
  )

for (const backend of ['nft', 'legacy'].slice(0, runs(2, 1))) {
  t.test(`the rules of a lab that is up, explained, ${backend}`, { skip: cannotRun }, async (t) => {
    const path = copyOfLab(t, 'nodeport')
    const lab = basename(path)
    const up = await vethlab(['up', path, '--iptables', backend])
    t.equal(up.code, 0, up.stderr)
    t.teardown(() => vethlab(['down', lab]))
    const read = async (node: string, ...more: string[]) => {
      const { code, stdout, stderr } = await vethlab(['rules', lab, node, '--json', ...more])
      t.equal(code, 0, stderr)
      const { families, ...about } = JSON.parse(stdout) as Document
      t.same(about, { lab, node, mode: 'iptables', backend })
      return families[0] as Document['families'][number]
    }
    const counted = (ruleset: ExplainedRuleset, spec: RegExp) =>
      rulesOf(ruleset).find((rule) => spec.test(rule.spec))?.packets

    await t.test('as it was built, every rule exists', async (t) => {
      const ruleset = await read('node-a')
      const rules = rulesOf(ruleset)
      t.ok(rules.length > 30, `${rules.length} rules`)
      t.match(
        rules.filter(({ state }) => state !== 'expected'),
        [{ state: 'foreign', spec: /pods leave the cluster/ }],
        'only the rule of the CNI plugin is not of kube-proxy',
      )
      t.same(ruleset.others, [], 'a packet meets every rule')
      t.equal(counted(ruleset, /--dport 30080 -j KUBE-EXT/), 0)
    })

    await t.test('counters are the kernel’s', async (t) => {
      const curl = ['curl', '-s', 'http://172.18.0.2:30080/']
      t.equal((await inLab(lab, 'client', curl)).exitCode, 0)
      t.equal(counted(await read('node-a'), /^-p tcp .*--dport 30080 -j KUBE-EXT/), 1)
      t.equal(
        counted(await read('node-b'), /^-p tcp .*--dport 30080 -j KUBE-EXT/),
        0,
        'on the other node none',
      )
    })

    await t.test('--service keeps to one Service', async (t) => {
      const { first, services, last, others } = await read('node-a', '--service', 'my-nodeport-service')
      t.same([first, last, others], [[], [], []])
      t.match(services, [{ namespace: 'default', name: 'my-nodeport-service', ports: [{ port: '80/TCP' }] }])
      const unknown = await vethlab(['rules', lab, 'node-a', '--service', 'default/my-nodport-service'])
      t.match(unknown, { code: 2, stderr: 'did you mean "default/my-nodeport-service"?' })
    })

    await t.test('--raw is what iptables-save says', async (t) => {
      const { code, stdout } = await vethlab(['rules', lab, 'node-a', '--raw'])
      t.equal(code, 0)
      const nat = parseSave(stdout).find(({ table }) => table === 'nat')
      t.match(
        nat?.rules.find(({ chain }) => chain === 'KUBE-NODEPORTS'),
        { packets: Number, spec: /my-nodeport-service/ },
      )
    })

    await t.test('what was changed by hand shows', async (t) => {
      const change =
        'iptables -t nat -D KUBE-POSTROUTING 1 && iptables -I INPUT -p tcp --dport 22 -j DROP &&' +
        ' iptables -t nat -I KUBE-SERVICES -d 10.96.0.99 -j ACCEPT'
      const done = await inLab(lab, 'node-a', ['sh', '-c', change])
      t.equal(done.exitCode, 0, done.stderr)
      const { code, stdout } = await vethlab(['rules', lab, 'node-a'])
      t.equal(code, 0)
      t.match(stdout, /^ {2}- +missing -m mark ! --mark 0x4000\/0x4000 -j RETURN\n +not marked/m)
      t.match(stdout, /^ {2}\+ +0 -d 10\.96\.0\.99\/32 -j ACCEPT\n +kube-proxy did not write this rule/m)
      t.match(
        stdout,
        /\n {2}filter INPUT.*\n +0 -p tcp -m tcp --dport 22 -j DROP\n +written by another program\n/,
        'where a packet meets it: first',
      )
      t.match(stdout, /rules are as kube-proxy writes them, 1 is missing, 1 not written by kube-proxy\n$/)
    })

    // the rest does not depend on the backend
    if (backend === 'legacy') return

    await t.test('in the language of the environment, or the requested one', async (t) => {
      const env = { LC_ALL: '', LC_MESSAGES: '', LANG: 'ko_KR.UTF-8' }
      const korean = await vethlab(['rules', lab, 'node-a'], { env })
      t.equal(korean.code, 0, korean.stderr)
      t.match(korean.stdout, /^── 서비스 default\/my-nodeport-service ─/m)
      t.match(korean.stdout, /^ {2}nat KUBE-NODEPORTS {2}노드포트별$/m)
      t.match(korean.stdout, / 패킷 카운터 포함$/m)
      t.equal((await vethlab(['rules', lab, 'node-a', '--lang', 'ko'])).stdout, korean.stdout)
      const english = await vethlab(['rules', lab, 'node-a', '--lang', 'en'], { env })
      t.notMatch(english.stdout, hangul)
      t.notMatch((await vethlab(['rules', lab, 'node-a', '--json'], { env })).stdout, hangul)
      t.match((await vethlab(['rules', lab, 'node-a', '--json', '--lang', 'ko'])).stdout, hangul)
    })

    await t.test('wrong names end with 2', async (t) => {
      t.match(await vethlab(['rules', lab, 'node-c']), {
        code: 2,
        stderr: `the lab "${lab}" has no node "node-c"`,
      })
      t.match(await vethlab(['rules', lab, 'node-a', '--family', 'ipv6']), {
        code: 2,
        stderr: 'the lab has no IPv6; its nodes have IPv4',
      })
      t.match(await vethlab(['rules', `${lab}-x`, 'node-a']), { code: 2, stderr: 'is not running' })
    })
  })
}

t.test(
  'the table of a node in mode nftables, explained',
  { skip: cannotRun || cannotLoadNft() },
  async (t) => {
    const path = copyOfLab(t, 'nodeport')
    const lab = basename(path)
    const up = await vethlab(['up', path, '--mode', 'nftables'])
    t.equal(up.code, 0, up.stderr)
    t.teardown(() => vethlab(['down', lab]))
    const { stdout } = await vethlab(['rules', lab, 'node-a'])
    t.match(stdout, /^node-a {2}IPv4, table kube-proxy of nftables, which has no counters$/m)
    t.match(
      stdout,
      /^ {2}map service-nodeports {2}by node port\n +tcp \. 30080 : goto external-\S+\n +spec\.ports/m,
    )
    t.match(stdout, /^ {2}set hairpin-connections /m)
    t.match(stdout, /^(\d+) of \1 rules and elements are as kube-proxy writes them$/m)
    const element = ['element', 'ip', 'kube-proxy', 'service-nodeports', '{ tcp . 30080 }']
    await inLab(lab, 'node-a', ['nft', 'delete', ...element])
    const one = await vethlab(['rules', lab, 'node-a', '--service', 'my-nodeport-service'])
    t.match(one.stdout, /^ {2}- {2}missing tcp \. 30080 : goto external-/m)
    t.match(one.stdout, /, 1 is missing$/m)
    const { mode, families } = JSON.parse(
      (await vethlab(['rules', lab, 'node-b', '--json'])).stdout,
    ) as Document
    t.equal(mode, 'nftables')
    t.same([...new Set(rulesOf(families[0] as ExplainedRuleset).map(({ state }) => state))], ['expected'])
  },
)

for (const mode of ['iptables', 'nftables'] as const) {
  const skip = cannotRun || (mode === 'nftables' && cannotLoadNft())
  t.test(`node ports on an address that only the node's bridge has, ${mode}`, { skip }, async (t) => {
    const path = copyOfLab(t, 'nodeport')
    const file = join(path, 'lab.yaml')
    writeFileSync(file, `kubeProxy: { nodePortAddresses: [10.244.0.0/16] }\n${readFileSync(file, 'utf8')}`)
    const lab = basename(path)
    const up = await vethlab(['up', path, '--mode', mode])
    t.equal(up.code, 0, up.stderr)
    t.teardown(() => vethlab(['down', lab]))
    const { stdout } = await vethlab(['rules', lab, 'node-a', '--json'])
    const { families } = JSON.parse(stdout) as Document
    const rules = rulesOf(families[0] as ExplainedRuleset)
    t.same(
      rules.filter(({ state, spec }) => state !== 'expected' && !spec.includes('pods leave the cluster')),
      [],
    )
    t.ok(
      rules.some(({ spec }) => spec.includes('10.244.1.1')),
      'node ports answer on the address of the bridge',
    )
  })
}
