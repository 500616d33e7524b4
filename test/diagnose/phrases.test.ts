import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { answers } from '../../src/diagnose/korean/answers.js'
import { comparisons } from '../../src/diagnose/korean/comparisons.js'
import { facts } from '../../src/diagnose/korean/facts.js'
import { hosts } from '../../src/diagnose/korean/hosts.js'
import { notices } from '../../src/diagnose/korean/notices.js'
import { policies } from '../../src/diagnose/korean/policies.js'
import { reach } from '../../src/diagnose/korean/reach.js'
import { services } from '../../src/diagnose/korean/services.js'
import { createPhrasebook, type Phrases } from '../../src/text/phrasebook.js'
import { koreanOfTrace } from '../../src/trace/text/inLanguage.js'
import { englishWords } from '../text/englishWords.js'
import { literalsIn } from '../text/literalsIn.js'

const phrases: Phrases = {
  ...koreanOfTrace,
  ...{ ...answers, ...comparisons, ...facts, ...hosts },
  ...{ ...notices, ...policies, ...reach, ...services },
}

/** A sentence for each phrase, as a verb prints it; a new phrase needs a line here. */
const sentences = readFileSync('test/diagnose/sentences.txt', 'utf8').trimEnd().split('\n')

/** Names in them that are words. */
const names = new Set(
  'a b web shop admin billing branch caller default fabric takes blocking Error'.split(' '),
)

/** The files of folders, except the Korean ones. */
function filesIn(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/(?:^|\/)korean\//.test(path))
      .map((path) => `${folder}/${path}`),
  )
}

const textsOf = new Map(
  filesIn(['src']).map((file) => [file, literalsIn(readFileSync(file, 'utf8'))] as const),
)

/** Phrases whose English is a text of a table with both languages: that they agree is checked by their types. */
const inTables = new Set([...textsOf].flatMap(([file, texts]) => (/exts\.ts$/.test(file) ? texts : [])))
const written = Object.keys(phrases).filter((phrase) => !inTables.has(phrase) && !/\{\d\*\}/.test(phrase))

/** The words of a phrase or a text between what is inserted. */
function wordsOf(text: string): string[] {
  return text.split(/\{\w+[*!]?\}|\0/).filter((words) => words !== '')
}

/** Sentences that are not translated whole, and phrases that translate none. */
function unmatched(phrases: Phrases, written: readonly string[]): string[] {
  const keys = Object.keys(phrases)
  const translate = createPhrasebook(
    Object.fromEntries(keys.map((key, index) => [key, `⟦${index}⟧${phrases[key] ?? ''}`])),
  )
  const used = new Set<string>()
  const left = sentences.filter((sentence) => {
    const translation = translate(sentence)
    for (const [, index] of (translation ?? '').matchAll(/⟦(\d+)⟧/g)) used.add(keys[Number(index)] ?? '')
    return translation === undefined || englishWords(translation, names).length > 0
  })
  return [...left, ...written.filter((phrase) => !used.has(phrase))]
}

t.test('each phrase translates a sentence', (t) => {
  t.strictSame(unmatched(phrases, written), [])
  const { refused: _removed, ...others } = phrases
  t.match(unmatched(others, []), [/; the request is sent again: refused$/])
  t.strictSame(unmatched({ ...phrases, 'no moon': '달이 없음' }, ['no moon']), ['no moon'])
  t.end()
})

/** Whether words come from texts: from the middle of one, or from whole ones, the end of one and the beginning of another. */
function isSaid(words: string, texts: readonly string[]): boolean {
  if (texts.some((text) => text.includes(words))) return true
  const most = 4
  const pieces = Array.from({ length: words.length + 1 }, (_, at) => (at === 0 ? 0 : Infinity))
  const reach = (at: number, from: number) => {
    pieces[at] = Math.min(pieces[at] ?? Infinity, from + 1)
  }
  for (let at = 0; at < words.length; at++) {
    const from = pieces[at] ?? Infinity
    if (from >= most) continue
    const rest = words.slice(at)
    for (const text of texts) {
      if (rest.startsWith(text)) reach(at + text.length, from)
      if (rest.length > 2 && text.startsWith(rest)) reach(words.length, from)
      if (at === 0)
        for (let length = Math.min(text.length - 1, words.length); length > 2; length--)
          if (text.endsWith(words.slice(0, length))) reach(length, 0)
    }
  }
  return (pieces[words.length] ?? Infinity) <= most
}

t.test('the words of each phrase are in the sources', (t) => {
  const texts = [...new Set([...textsOf.values()].flat().flatMap(wordsOf))]
  const left = (phrases: readonly string[]) =>
    phrases.filter((phrase) =>
      wordsOf(phrase).some((words) => /[a-z]{2}/.test(words) && !isSaid(words, texts)),
    )
  t.strictSame(left(written), [])
  const old = '{place} calls the moon, which {node} does not answer'
  t.strictSame(left([old]), [old])
  t.end()
})

const folders = [
  ...['src/diagnose/why', 'src/diagnose/check', 'src/diagnose/reach', 'src/trace'],
  ...['src/snapshot', 'src/agents/networkPolicy', 'src/agents/kubeProxy/versions'],
]

/** Files with texts that are not translated: tables with both languages, scripts, formats, Markdown, and errors in what the user wrote. */
const others = new RegExp(
  [
    ...[
      'exts.ts$',
      'reachMarkdown',
      'nodeGroups',
      'otherProxy',
      'attached/collect',
      'listedMatches',
      'nftJson',
    ],
    ...[
      'trace/change',
      'trace/request',
      'rules/without',
      'snapshot/file',
      'versions/(?:known|version|notices).ts',
    ],
    'readings/(?!joinPlaces)',
  ].join('|'),
)

/** What is no sentence: commands, comments and statements of rules, formats of texts, and words that both languages have. */
const isOther = new RegExp(
  [
    '^(?:ip|bridge|nft|conntrack|sysctl|kubectl|vethlab|iptables|ipset|\0 (?:delete|rollout)|-\\S*)[ -]',
    '^(?:add|delete|flush|limit|log|reject|fib|icmp|tcp|ct|meta|policy|\\{ type|allow|accept|rule to|rule for) ',
    '^(?:kube-router netpol|common netpol rules|from local node|set netpol-ok mark|end of tier|no rule of policies has) ?',
    '^ (?:set meta mark|flags interval|family inet6)',
    '^(?:connection refused|protocol error|only node|pod mac |error of a collector|table of kubectl|kubectl describe|> Error while running)$',
    '^(?:ingress prerouting|egress postrouting|session affinity|\0: a backend of \0|\0 is not a number)$',
  ].join('|'),
)

/** Words that are inserted into a sentence. */
const inserted = new Set(['Services differ', 'other reason', 'ip_forward is 0'])

/** The texts of the sources that no phrase has, and that none translates with words in their places. */
function withoutPhrase(phrases: Phrases): string[] {
  const translate = createPhrasebook(phrases)
  const known = Object.keys(phrases).map((phrase) => phrase.replaceAll(/\{\w+[*!]?\}/g, '\0'))
  const isProse = (words: string) => /[A-Za-z’]+,? [a-z]+/.test(words)
  return filesIn(folders)
    .filter((file) => !others.test(file))
    .flatMap((file) => textsOf.get(file) ?? [])
    .filter((text) => !isOther.test(text) && !inserted.has(text))
    .filter((text) =>
      wordsOf(text).some((words) => isProse(words) && !known.some((one) => one.includes(words))),
    )
    .filter((text) => translate(text.replace(/^; /, '').replaceAll('\0', 'web')) === undefined)
}

t.test('each sentence of the sources has a phrase', (t) => {
  t.strictSame(withoutPhrase(phrases), [])
  const one = 'pod {pod} has them, but a Service selects only pods of its own namespace (lab {lab})'
  const { [one]: _removed, ...others } = phrases
  t.equal(withoutPhrase(others).length, 1)
  t.end()
})
