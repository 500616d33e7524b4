import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { codeGroups, codeNames, codes } from '../../src/diagnose/codes/codes.js'
import { codeOfDifference } from '../../src/diagnose/codes/codeOfDifference.js'
import { explanationOf, subjectHeading } from '../../src/diagnose/codes/inLanguage.js'
import { planSnapshot } from '../../src/lab/plan/planSnapshot.js'
import { whyRequest } from '../../src/diagnose/why/whyRequest.js'
import { parseHostCommand } from '../../src/trace/change/hostCommand.js'

t.test('each code has an explanation in sentences', async (t) => {
  for (const code of codeNames) {
    const { title, text, look, fix } = codes[code]
    t.match(code, /^[a-z]+(-[a-z]+)+$/)
    t.match(title, /^[A-Za-z].*[^.]$/, code)
    for (const one of [text, fix]) t.match(one, /^[^ ].*[.]$/, code)
    t.ok(look.length > 0, code)
  }
})

t.test('each code has its own Korean texts, and the same commands', async (t) => {
  for (const code of codeNames) {
    const english = codes[code]
    const korean = explanationOf(code, 'ko')
    t.match(korean.title, /[가-힣].*[^.]$/, code)
    for (const one of [korean.text, korean.fix]) t.match(one, /[가-힣]+[.]$/, code)
    t.strictSame(korean.look, english.look, code)
    // names of fields, settings and statuses are the same in each language
    t.strictSame(quoted(korean.text), quoted(english.text), `${code}: text`)
    t.strictSame(quoted(korean.fix), quoted(english.fix), `${code}: fix`)
    t.strictSame(explanationOf(code, 'en'), english, code)
  }
  for (const { heading } of codeGroups) t.not(subjectHeading(heading, 'ko'), heading)
})

function quoted(text: string): string[] {
  return [...text.matchAll(/`[^`]+`/g)].map(([one]) => one).sort()
}

t.test('each code is that of some finding', async (t) => {
  const folders = ['why', 'why/policies', 'codes', 'check', 'check/facts'].map(
    (name) => `src/diagnose/${name}`,
  )
  const sources = folders
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('Codes.ts'))
    .map((path) => readFileSync(path, 'utf8'))
  for (const code of codeNames)
    t.ok(
      sources.some((source) => source.includes(`'${code}'`)),
      code,
    )
})

t.test('a finding has the code of its first cause, or of its end', async (t) => {
  const from = { from: 'client', to: 'http://{node-a}:30080/', protocol: 'tcp' } as const
  const codeIn = (lab: string) => whyRequest(planSnapshot(lab), from).findings[0]?.code
  t.equal(codeIn('nobody-home'), 'selector-matches-nothing')
  t.equal(codeIn('every-other'), 'route-missing')
  t.equal(codeIn('after-hardening'), 'foreign-rule')
  const after = [parseHostCommand('node-a iptables -P FORWARD DROP') ?? t.fail('a command')]
  const caller = { from: 'app=web@node-a', to: '{app=web@node-b}:80', protocol: 'tcp' } as const
  const [finding] = whyRequest(planSnapshot('pod-network', { after: after as never }), caller).findings
  t.equal(finding?.code, 'forward-policy-drop')
  t.equal(finding?.causes[0]?.code, 'forward-policy-drop')
})

t.test('a difference of rules has a code', async (t) => {
  t.equal(codeOfDifference({ kind: 'staleChain', table: 'nat', chain: 'KUBE-SVC-X' }), 'rules-stale')
})
