import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import t from 'tap'
import { vethlab } from './cli.js'

const { stdout: script } = vethlab(['completion', 'bash'])

/** What bash offers for the last of these words. */
function completions(...words: string[]): string[] {
  const call = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _vethlab; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', call, 'bash', 'vethlab', ...words], {
    encoding: 'utf8',
  })
  if (stderr !== '') throw new Error(stderr)
  return stdout.split('\n').filter((line) => line !== '')
}

t.test('commands, options, choices and names of labs are completed', async (t) => {
  t.strictSame(completions('mu'), ['mutate'])
  t.strictSame(completions('run', '--rep'), ['--reporter'])
  t.strictSame(completions('run', '--reporter', 'j'), ['json', 'junit'])
  t.strictSame(completions('workshop', 'sta'), ['start', 'status'])
  t.strictSame(completions('completion', 'z'), ['zsh'])
  t.ok(completions('up', 'nodep').includes('nodeport'))
  t.strictSame(completions('workshop', 'start', 'nobody'), ['nobody-home'])
  t.strictSame(completions('workshop', 'hint', 'way-b'), ['way-back'])
  t.strictSame(completions('kubectl', 'nobody'), ['nobody-home'], 'the lab of an exercise has its name')
  t.strictSame(completions('up', 'nobody'), [])
  t.strictSame(completions('doctor', 'nodep'), [])
  t.strictSame(completions('explain', 'targetport-u'), ['targetport-unserved'])
})

t.test('names that a shell would expand are left out', async (t) => {
  const cwd = t.testdir({
    labs: { 'a$(id)': { 'lab.yaml': '' }, "b'c": { 'lab.yaml': '' }, mine: { 'lab.yaml': '' } },
  })
  const { stdout } = vethlab(['completion', 'bash'], { cwd })
  t.match(stdout, / mine /)
  t.notMatch(stdout, /\$\(id\)|b'c/)
})

t.test('zsh loads the same script', async (t) => {
  t.equal(vethlab(['completion', 'zsh']).stdout, `autoload -U +X bashcompinit && bashcompinit\n${script}`)
  t.equal(vethlab(['completion', 'csh']).code, 2)
})

t.test(
  'fish completes the same, with descriptions',
  { skip: existsSync('/usr/bin/fish') ? false : 'needs fish' },
  async (t) => {
    const { stdout: fish } = vethlab(['completion', 'fish'])
    const offered = (line: string) =>
      spawnSync('fish', ['--no-config', '-c', `${fish}\ncomplete -C '${line}'`], { encoding: 'utf8' })
        .stdout.split('\n')
        .filter((each) => each !== '')
    t.strictSame(offered('vethlab mu'), ['mutate\tfind the checks that fail when a rule is missing'])
    t.match(offered('vethlab run --rep'), [/^--reporter\tformat of the results/])
    t.strictSame(
      offered('vethlab run --reporter j').map((each) => each.split('\t')[0]),
      ['json', 'junit'],
    )
    t.ok(offered('vethlab up nodep').includes('nodeport'))
    t.strictSame(offered('vethlab workshop start nobody'), ['nobody-home'])
  },
)
