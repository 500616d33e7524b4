import { readFileSync } from 'node:fs'
import t from 'tap'
import { isFull } from '../suite.js'
import type { Verb } from '../../src/commands/program/verb.js'
import { loadVerb, verbGroups } from '../../src/commands/program/verbs.js'
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
    const listed = verb.rare === true ? `${verb.name}` : ` ${verb.name} ${verb.summary}`
    t.ok(help.includes(listed), `vethlab --help lists ${verb.name}`)
    t.ok(page.includes(`\n- **${verb.name}**: ${verb.summary}`), `docs/cli.md has ${verb.name}`)
    const names = command.commands.map((inner) => `${verb.name} ${inner.name()}`)
    for (const name of names) t.ok(page.includes(`\n- **${name}**: `), `docs/cli.md has ${name}`)
    const example = new RegExp(`^ {2}\`.*vethlab ${verb.name}\\b`, 'm')
    t.match(page, example, `docs/cli.md has an example of ${verb.name}`)
  }
})

t.test('--help of vethlab fits a screen of 45 lines and 80 columns', async (t) => {
  const lines = vethlab(['--help']).stdout.trimEnd().split('\n')
  t.ok(lines.length > 30 && lines.length <= 45, `${lines.length} lines`)
  t.strictSame(
    lines.filter((line) => line.length > 80),
    [],
  )
  for (const name of ['hold', 'get', 'annotate'])
    t.notMatch(lines.join('\n'), new RegExp(`^ {2}${name} `, 'm'), `${name} is hidden`)
})

t.test('options have one order, and paragraphs around them are wrapped once', async (t) => {
  for (const verb of verbs.filter((_, at) => isFull || at % 4 === 0)) {
    const lines = vethlab([verb.name, '--help']).stdout.split('\n')
    // by the letter of an option that has one
    const options = lines.flatMap((line) => /^ {2}--?(\w[a-z-]*)/.exec(line)?.[1] ?? [])
    t.strictSame(
      options,
      options.toSorted((a, b) => a.localeCompare(b)),
      verb.name,
    )
    t.strictSame(
      lines.filter((line) => line.length > 80 && !line.startsWith(' ')),
      [],
      verb.name,
    )
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
