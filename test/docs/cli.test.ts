import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Verb } from '../../src/commands/verb.js'
import { loadVerb, verbGroups } from '../../src/commands/verbs.js'
import { vethlab } from '../commands/cli.js'

const verbs = verbGroups.flatMap((group) => group.verbs)

/** What `--help` of a verb prints: its usage and the examples. */
async function helpOf(verb: Verb): Promise<string> {
  const command = await loadVerb(verb)
  let help = ''
  command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp()
  return help
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')

t.test('--help of vethlab, --help of each verb and docs/cli.md have the same summaries', async (t) => {
  const help = oneLine(vethlab(['--help']).stdout)
  const page = readFileSync('docs/cli.md', 'utf8')
  for (const verb of verbs) {
    const command = await loadVerb(verb)
    t.equal(command.name(), verb.name)
    const sentence = verb.summary.replace(/^\w/, (letter) => letter.toUpperCase())
    t.match(command.helpInformation(), new RegExp(`\n\n${sentence.slice(0, 40)}`), `${verb.name} --help`)
    t.ok(help.includes(` ${verb.name} ${verb.summary}`), `vethlab --help lists ${verb.name}`)
    t.ok(page.includes(`\n- **${verb.name}**: ${verb.summary}`), `docs/cli.md has ${verb.name}`)
    const names = command.commands.map((inner) => `${verb.name} ${inner.name()}`)
    for (const name of names) t.ok(page.includes(`\n- **${name}**: `), `docs/cli.md has ${name}`)
    const example = new RegExp(`^ {2}\`.*vethlab ${verb.name}\\b`, 'm')
    t.match(page, example, `docs/cli.md has an example of ${verb.name}`)
  }
})

t.test('each verb has an example, and is called by its name in it', async (t) => {
  for (const verb of verbs) t.match(await helpOf(verb), `vethlab ${verb.name}`, verb.name)
})

t.test('pages call only commands that exist', async (t) => {
  const names = new Set([...verbs.map(({ name }) => name), 'help'])
  for (const page of ['README.md', 'docs/ci.md', 'docs/mutate.md', 'docs/rules.md', 'docs/workshop.md'])
    for (const [call, name = ''] of readFileSync(page, 'utf8').matchAll(/`vethlab ([a-z]+)/g))
      t.ok(names.has(name), `${page}: ${call}`)
})
