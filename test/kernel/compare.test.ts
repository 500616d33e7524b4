import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { cannotRun } from './ability.js'
import { copyOfLab } from './commandLine.js'
import { cannotLoadNft } from './loadNft.js'
import { vethlab } from './servedCommands.js'

const skip = cannotRun || cannotLoadNft()

/** The lab clusterip's copy with an edit of its lab.yaml. */
function edited(t: Test, edit: (text: string) => string): string {
  const folder = copyOfLab(t, 'nodeport')
  const file = join(folder, 'lab.yaml')
  writeFileSync(file, edit(readFileSync(file, 'utf8')))
  return folder
}

t.test('a lab in two modes at once', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-compare-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const output = join(folder, 'report.json')
  const args = ['run', 'nodeport', '--compare', '--mode', 'iptables,nftables']
  const { code, stdout, stderr } = await vethlab([...args, '--reporter', 'json', '--output', output])
  t.equal(code, 0, stderr)
  t.match(stdout, /^ {4}status 200 +✔ +✔$/m, 'a person sees the table')
  t.match(stdout, /^ {4}chains on node-a: hit .* ✔ +–$/m)
  const { labs } = JSON.parse(readFileSync(output, 'utf8')) as { labs: object[] }
  t.match(labs, [{ lab: 'nodeport', ok: true, modes: [{ mode: 'iptables' }, { mode: 'nftables' }] }])
})

t.test('a check that fails in a mode makes exit code 1', { skip }, async (t) => {
  // what nobody has is refused in mode nftables, and in mode iptables goes out into the world
  const lab = edited(t, (text) =>
    text.replace(
      /steps:[^]*/,
      `steps:
  - name: A port that the Service has not
    from: node-a
    curl: { url: 'http://{my-nodeport-service}:81/', timeout: 500ms } # short on purpose: nothing answers
    expect: { fails: refused }
`,
    ),
  )
  const { code, stdout } = await vethlab(['run', lab, '--compare', '--mode', 'iptables,nftables'])
  t.match(stdout, /^ {4}fails: refused +✖ +✔$/m)
  t.match(stdout, /^✖ iptables: A port that the Service has not › fails: refused$/m)
  t.equal(code, 1)
})

t.test(
  'a lab that no mode is asked for in vain is refused, one that says nothing in some is not',
  { skip },
  async (t) => {
    const none = await vethlab(['run', 'iptables-basics', '--compare'])
    t.match(none, { code: 2, stdout: '', stderr: /its nodes have no kube-proxy/ })
    const lab = edited(t, (text) => text.replace('steps:', 'proxy: { modes: [nftables] }\nsteps:'))
    const some = await vethlab(['run', lab, '--compare', '--mode', 'iptables,nftables'])
    t.match(some, { code: 0, stdout: /^– iptables: not run: it is about mode nftables$/m })
    t.match(some.stdout, / checks passed in 1 mode, not run in iptables, /)
  },
)

t.test('modes are compared, or one is run', async (t) => {
  const several = await vethlab(['run', 'nodeport', '--mode', 'iptables,nftables'])
  t.match(several, { code: 2, stderr: /has several modes: iptables, nftables; .*--compare/ })
  const twice = await vethlab(['run', 'nodeport', '--compare', '--mode', 'nftables,nftables'])
  t.match(twice, { code: 2, stderr: /It must be one of iptables, nftables/ })
  t.match(await vethlab(['run', 'nodeport', '--compare', '--keep']), {
    code: 2,
    stderr: /cannot be used with/,
  })
})
