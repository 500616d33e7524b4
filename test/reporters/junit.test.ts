import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import t from 'tap'
import { anyRun } from './arbitraryEvents.js'
import { brokenResult, eventsOf, failingResult, passingResult } from './fixture.js'
import { golden, interleaved, report } from './golden.js'

interface Element {
  readonly name: string
  readonly attributes: Record<string, string>
  readonly children: Element[]
  text: string
}

/** Parses XML; throws if it is not well-formed. */
function parse(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes: { ...attributes }, children: [], text: '' }
    open.at(-1)?.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => open.pop())
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += text
  })
  parser.write(xml).close()
  const [suites] = root.children
  if (suites === undefined) throw new Error('no element')
  return suites
}

function all(element: Element, name: string): Element[] {
  return [
    ...(element.name === name ? [element] : []),
    ...element.children.flatMap((child) => all(child, name)),
  ]
}

t.test('golden text', async (t) => {
  t.equal(report('junit', eventsOf(failingResult())), golden('failing.xml'))
})

t.test('a testcase for each check, with failures and errors', async (t) => {
  const labs = [passingResult(), { ...failingResult(), lab: 'why-masquerade' }, brokenResult()]
  const suites = parse(report('junit', interleaved(labs)))
  t.match(suites.attributes, { name: 'vethlab', tests: '20', failures: '2', errors: '1', time: '3.913' })
  t.same(
    suites.children.map(({ attributes: { name, tests, failures, errors } }) => [
      name,
      tests,
      failures,
      errors,
    ]),
    [
      ['nodeport', '14', '0', '0'],
      ['why-masquerade', '5', '2', '0'],
      ['clusterip', '1', '0', '1'],
    ],
  )
  const [failure] = all(suites, 'failure')
  t.equal(failure?.attributes['message'], 'expected status 200, observed no answer within 2 s')
  t.match(failure?.text, /hops:\n.*172\.18\.1\.2:41822/)
  t.match(all(suites, 'error')[0]?.text, 'line 14 failed')
  t.match(all(suites, 'testcase')[0]?.attributes, {
    classname: 'nodeport.A request to node-a',
    name: 'status 200',
  })
  t.same(
    all(suites, 'property')
      .slice(1, 3)
      .map(({ attributes }) => attributes['name']),
    ['kernel', 'iptables'],
  )
  t.match(all(suites, 'system-out')[0]?.text, /node-a +eth0 +out .*DNAT, SNAT/)
})

t.test('a step that passed no check and failed is an error', async (t) => {
  const [first] = passingResult().steps
  const steps = first === undefined ? [] : [{ ...first, checks: [], ok: false, error: 'curl: not found' }]
  const suites = parse(report('junit', eventsOf({ ...passingResult(), ok: false, steps })))
  t.match(suites.attributes, { tests: '1', failures: '0', errors: '1' })
  t.equal(all(suites, 'error')[0]?.attributes['message'], 'curl: not found')
})

/** Elements of junit-10.xsd (xUnit plugin of Jenkins): required and optional attributes, and elements within. */
const schema: Readonly<Record<string, { required: string[]; optional: string[]; within: string[] }>> = {
  testsuites: {
    required: [],
    optional: ['name', 'time', 'tests', 'failures', 'errors'],
    within: ['testsuite'],
  },
  testsuite: {
    required: ['name', 'tests', 'failures', 'errors'],
    optional: ['time', 'skipped', 'timestamp', 'hostname', 'file'],
    within: ['properties', 'testcase', 'system-out', 'system-err'],
  },
  testcase: {
    required: ['name'],
    optional: ['time', 'classname'],
    within: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  properties: { required: [], optional: [], within: ['property'] },
  property: { required: ['name', 'value'], optional: [], within: [] },
  failure: { required: [], optional: ['type', 'message'], within: [] },
  error: { required: [], optional: ['type', 'message'], within: [] },
  skipped: { required: [], optional: ['type', 'message'], within: [] },
  'system-out': { required: [], optional: [], within: [] },
}

/** What the schema does not allow. Its `time` has at most three decimal places. */
function violations({ name, attributes, children, text }: Element): string[] {
  const rule = schema[name]
  if (rule === undefined) return [`element ${name}`]
  const { required, optional, within } = rule
  const named = Object.keys(attributes)
  const isMixed = ['failure', 'error', 'skipped', 'system-out'].includes(name)
  return [
    ...required.filter((key) => !named.includes(key)).map((key) => `${name} without ${key}`),
    ...named.filter((key) => ![...required, ...optional].includes(key)).map((key) => `${name} with ${key}`),
    ...children.filter((child) => !within.includes(child.name)).map((child) => `${child.name} in ${name}`),
    ...(/^\d+\.\d{1,3}$/.test(attributes['time'] ?? '0.0') ? [] : [`time ${attributes['time']}`]),
    ...(isMixed || text.trim() === '' ? [] : [`text in ${name}`]),
    ...children.flatMap(violations),
  ]
}

t.test('reports are valid by the schema of Jenkins, with results of every kind', async (t) => {
  const suites = parse(report('junit', interleaved([passingResult(), failingResult(), brokenResult()])))
  for (const name of ['failure', 'error', 'property', 'system-out', 'testcase'])
    t.ok(all(suites, name).length > 0, name)
  t.strictSame(violations(suites), [])
  fc.assert(
    fc.property(anyRun, ({ events }) => violations(parse(report('junit', events))).length === 0),
    { numRuns: 100 },
  )
  const [suite] = suites.children
  t.strictSame(
    violations({ ...suites, children: suite === undefined ? [] : [{ ...suite, attributes: {} }] }),
    [
      'testsuite without name',
      'testsuite without tests',
      'testsuite without failures',
      'testsuite without errors',
    ],
  )
})

t.test('any text gives well-formed XML with correct counts', async () => {
  fc.assert(
    fc.property(anyRun, ({ events }) => {
      const suites = parse(report('junit', events))
      const counted = ['testcase', 'failure', 'error'].map((name) => String(all(suites, name).length))
      const { tests, failures, errors } = suites.attributes
      return JSON.stringify(counted) === JSON.stringify([tests, failures, errors])
    }),
    { numRuns: 300 },
  )
})
