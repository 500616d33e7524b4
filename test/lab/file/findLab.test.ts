import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { InputError } from '../../../src/errors.js'
import { findLab, listLabs } from '../../../src/lab/file/findLab.js'

function refusal(find: () => string): string {
  try {
    return find()
  } catch (error) {
    if (error instanceof InputError) return error.message
    throw error
  }
}

function place(t: Test) {
  const root = t.testdir({
    here: {
      labs: {
        nodeport: { 'lab.yaml': '' },
        mine: { 'lab.yaml': '' },
        empty: {},
        exercises: { broken: { 'lab.yaml': '' } },
      },
      own: { 'lab.yaml': '', 'a.txt': '' },
    },
    package: { labs: { nodeport: { 'lab.yaml': '' }, clusterip: { 'lab.yaml': '' } } },
    old: { 'lab.yml': '' },
  })
  return { root, options: { cwd: join(root, 'here'), packageRoot: join(root, 'package') } }
}

t.test('by name, the working directory first, then the package', async (t) => {
  const { root, options } = place(t)
  t.equal(findLab('nodeport', options), join(root, 'here/labs/nodeport'))
  t.equal(findLab('clusterip', options), join(root, 'package/labs/clusterip'))
})

t.test('by path to a folder or to its lab.yaml', async (t) => {
  const { root, options } = place(t)
  const own = join(root, 'here/own')
  for (const path of ['own', './own', 'own/', 'own/lab.yaml', own, join(own, 'lab.yaml'), '../here/own']) {
    t.equal(findLab(path, options), own, path)
  }
  t.equal(findLab('.', { ...options, cwd: own }), own)
})

t.test('listLabs: folders with a lab.yaml, sorted, each name once', async (t) => {
  const { root, options } = place(t)
  t.same(listLabs(options), [
    join(root, 'package/labs/clusterip'),
    join(root, 'here/labs/mine'),
    join(root, 'here/labs/nodeport'),
  ])
  t.same(listLabs({ cwd: '/nonexistent', packageRoot: '/nonexistent' }), [])
})

t.test('refusals name the nearest lab', async (t) => {
  const { options, root } = place(t)
  const refusals: [string, string][] = [
    ['nodepotr', 'there is no lab "nodepotr"; did you mean "nodeport"?'],
    ['something-else', 'there is no lab "something-else"; the labs are clusterip, mine, nodeport'],
    ['broken', 'there is no lab "broken"; it is an exercise: `vethlab workshop start broken` starts its lab'],
    ['', 'there is no lab at ""'],
    ['$(reboot)', 'there is no lab "$(reboot)"; the labs are clusterip, mine, nodeport'],
    ['no/where', 'there is no lab at "no/where"'],
    ['no/nodeport', 'there is no lab at "no/nodeport"; give the lab by its name: nodeport'],
    ['a\0b', 'there is no lab at "a\0b"'],
    ['x'.repeat(5000), `there is no lab "${'x'.repeat(5000)}"; the labs are clusterip, mine, nodeport`],
    ['labs/empty', 'the folder "labs/empty" is not a lab: it has no lab.yaml'],
    ['own/a.txt', '"own/a.txt" is not a lab; give its folder, or its lab.yaml'],
    [
      join(root, 'old'),
      `the folder "${join(root, 'old')}" is not a lab: it has no lab.yaml; rename its lab.yml to lab.yaml`,
    ],
  ]
  for (const [given, message] of refusals) {
    t.equal(
      refusal(() => findLab(given, options)),
      message,
      message.slice(0, 40).replaceAll('\0', ''),
    )
  }
})

t.test("vethlab's own package is found from wherever the code runs", async (t) => {
  const root = t.testdir({})
  mkdirSync(join(root, 'labs/only-here'), { recursive: true })
  writeFileSync(join(root, 'labs/only-here/lab.yaml'), '')
  const names = listLabs({ cwd: root })
  t.ok(names.includes(join(root, 'labs/only-here')))
  t.ok(names.every((folder) => folder.startsWith(root) || folder.startsWith(join(process.cwd(), 'labs'))))
})
