import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import t from 'tap'
import { cannotRun } from './ability.js'
import { vethlab } from './servedCommands.js'

t.test('a lab of another clone is not ended or changed by its name', { skip: cannotRun }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vethlab-clones-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const name = `nodeport-${basename(folder).slice(-6).toLowerCase()}`
  const [mine = '', theirs = ''] = ['mine', 'theirs'].map((clone) => {
    const root = join(folder, clone)
    mkdirSync(join(root, 'docs'), { recursive: true })
    cpSync(join('labs', 'nodeport'), join(root, 'labs', name), { recursive: true })
    return root
  })
  const directory = join(theirs, 'labs', name)
  t.teardown(() => vethlab(['down', directory], { cwd: theirs }))
  const up = await vethlab(['up', name], { cwd: theirs })
  t.equal(up.code, 0, up.stderr)

  const refused = [
    ['down', name],
    ['exec', name, 'client', '--', 'true'],
    ['shell', name],
    ['view', name],
    ['kubectl', '--built-in', name, 'scale', 'deployment/my-app', '--replicas', '1'],
    ['down', join('labs', name)],
  ]
  for (const args of refused) {
    const { code, stderr } = await vethlab(args, { cwd: mine })
    t.equal(code, 2, args.join(' '))
    t.match(stderr, directory)
    t.match(stderr, '--force')
  }
  const get = await vethlab(['kubectl', '--built-in', name, 'get', 'pods'], { cwd: mine })
  t.equal(get.code, 0)
  t.match(get.stderr, `note: the running lab "${name}" is that of another folder, ${directory}`)

  for (const [verb = '', ...options] of [['check'], ['reach'], ['check', '--plan']]) {
    const { stderr } = await vethlab([verb, join('labs', name), ...options], { cwd: mine })
    t.equal(stderr.includes(`is that of another folder, ${directory}`), options.length === 0, verb)
  }

  const exec = ['client', '--', 'true']
  t.equal((await vethlab(['exec', '--force', name, ...exec], { cwd: mine })).code, 0)
  t.equal((await vethlab(['exec', directory, ...exec], { cwd: mine })).code, 0)
  t.strictSame(await vethlab(['exec', name, ...exec], { cwd: join(theirs, 'docs') }), {
    ...{ code: 0, signal: null, stdout: '', stderr: '' },
  })
  t.equal((await vethlab(['exec', name, ...exec], { cwd: tmpdir() })).code, 0, 'no lab has that name there')
  const url = ['client', 'http://{node-a}:30080/']
  for (const [verb, option] of [
    ['trace', '--predict'],
    ['why', '--plan'],
    ['check', '--plan'],
    ['snapshot', '--plan'],
  ] as const) {
    const asked = ['trace', 'why'].includes(verb) ? url : []
    const { code, stderr } = await vethlab([verb, name, ...asked, option], { cwd: tmpdir() })
    t.equal(code, 0, `${verb} ${option}: ${stderr}`)
  }
  const down = await vethlab(['down', directory], { cwd: mine })
  t.equal(down.code, 0, down.stderr)
})
