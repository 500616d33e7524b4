import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { InputError } from '../../../src/errors.js'
import { loadLab } from '../../../src/lab/file/loadLab.js'
import { loadExercise } from '../../../src/lab/workshop/loadExercise.js'

/** What a file outside every lab holds; no message may show any of it. */
const secret = 'root:$6$salt$hash:19000:0:99999:7:::\n'

/** Folders with these files, and links to these targets; returns the path of the first folder. */
function folders(t: Test, files: Readonly<Record<string, string | { link: string }>>): string {
  const cwd = realpathSync(t.testdir({ 'secret.yaml': secret }))
  for (const [name, content] of Object.entries(files)) {
    const path = join(cwd, name)
    mkdirSync(dirname(path), { recursive: true })
    if (typeof content === 'string') writeFileSync(path, content)
    else symlinkSync(content.link, path)
  }
  return cwd
}

function messageOf(act: () => unknown): string {
  try {
    act()
    return 'it loaded'
  } catch (error) {
    if (error instanceof InputError) return error.message
    throw error
  }
}

const manifest = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: a }\n'
const foreign = { link: '../../../secret.yaml' }

t.test('files that a lab may read', async (t) => {
  const cases: [string, Parameters<typeof folders>[1]][] = [
    ['its own', { 'labs/x/lab.yaml': 'title: x', 'labs/x/manifests/a.yaml': manifest }],
    [
      'a link to its own',
      {
        'labs/x/lab.yaml': 'title: x',
        'labs/x/a.yaml': manifest,
        'labs/x/manifests/a.yaml': { link: '../a.yaml' },
      },
    ],
    [
      'those of a lab beside it',
      {
        'labs/x/lab.yaml': 'manifests: [../y/manifests]',
        'labs/y/lab.yaml': 'title: y',
        'labs/y/manifests/a.yaml': manifest,
      },
    ],
    [
      'a link to a lab beside it',
      {
        'labs/x/lab.yaml': 'title: x',
        'labs/x/manifests': { link: '../y/manifests' },
        'labs/y/lab.yaml': 'title: y',
        'labs/y/manifests/a.yaml': manifest,
      },
    ],
    [
      'a path that leads to the rest of its repository',
      {
        'repo/.git/HEAD': '',
        'repo/deploy/a.yaml': manifest,
        'repo/labs/x/lab.yaml': 'manifests: [../../deploy]',
      },
    ],
  ]
  for (const [name, files] of cases)
    await t.test(name, async (t) => {
      const cwd = folders(t, files)
      const path = Object.keys(files).find((file) => file.endsWith('labs/x/lab.yaml')) ?? ''
      t.equal(loadLab(dirname(join(cwd, path)), { cwd }).manifests.length, 1)
    })
})

t.test('files that a lab may not read', async (t) => {
  const cases: [string, Parameters<typeof folders>[1]][] = [
    ['a link of its manifests', { 'labs/x/lab.yaml': 'title: x', 'labs/x/manifests/a.yaml': foreign }],
    [
      'a folder that is a link',
      { 'labs/x/lab.yaml': 'title: x', 'labs/x/manifests': { link: '../../out' }, 'out/a.yaml': secret },
    ],
    [
      'a link that it names',
      { 'labs/x/lab.yaml': 'manifests: [a.yaml]', 'labs/x/a.yaml': { link: '../../secret.yaml' } },
    ],
    ['an absolute path', { 'labs/x/lab.yaml': 'manifests: [/etc/passwd]' }],
    ['its lab.yaml', { 'labs/x/lab.yaml': { link: '../../secret.yaml' } }],
    [
      'a link through its repository',
      {
        'repo/.git/HEAD': '',
        'repo/out': { link: '..' },
        'labs/x/lab.yaml': { link: '../../repo/labs/x/lab.yaml' },
        'repo/labs/x/lab.yaml': 'manifests: [../../out/secret.yaml]',
      },
    ],
    [
      'a step',
      {
        'labs/x/lab.yaml': 'manifests: [ok.yaml, bad.yaml]',
        'labs/x/ok.yaml': manifest,
        'labs/x/bad.yaml': { link: '/etc/passwd' },
      },
    ],
  ]
  for (const [name, files] of cases)
    await t.test(name, async (t) => {
      const cwd = folders(t, files)
      for (const folder of ['labs/x', 'repo/labs/x'].filter((one) => `${one}/lab.yaml` in files)) {
        const message = messageOf(() => loadLab(join(cwd, folder), { cwd }))
        t.match(message, /outside the lab's folder/)
        t.notMatch(message, /root:/)
      }
    })
})

t.test('an exercise that is a link', async (t) => {
  const cwd = folders(t, {
    'labs/exercises/x/lab.yaml': 'title: x',
    'labs/exercises/x/exercise.yaml': { link: '../../../secret.yaml' },
  })
  const message = messageOf(() => loadExercise('x', { cwd, packageRoot: cwd }))
  t.match(message, /outside the lab's folder/)
  t.notMatch(message, /root:/)
})
