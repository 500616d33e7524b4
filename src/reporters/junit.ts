import { count } from '../text/count.js'
import type { CheckResult, CreateReporter, StepResult, LabReport } from '../results/events.js'
import { describeFlow } from './hops.js'
import { createLabReports } from './labReports.js'
import { printable, printableLines } from '../text/printable.js'
import { whyLines } from '../results/stepWhy.js'
import { stepPassed } from '../results/verdict.js'
import { xmlElement, xmlTextElement, type Xml } from './xml.js'

interface Suite {
  readonly skipped: number
  readonly cases: readonly Xml[]
  readonly failures: number
  readonly errors: number
}

/**
 * JUnit XML for CI systems, written at the end: a testsuite for each lab, a testcase for each check with `lab.step` as
 * its class. A check that failed is a failure; a step or lab that could not run is an error. The first testcase of a step
 * has the time of the whole step, so that times add up. Valid by the schema of Jenkins (junit-10.xsd of its xUnit plugin),
 * which has `timestamp` (UTC), `hostname` and `file` on testsuites.
 */
export const createJunitReporter: CreateReporter = (options) => {
  const reports = createLabReports()
  return {
    on: (event) => {
      reports.on(event)
    },
    end: () => {
      const labs = reports.all().map((report) => ({ report, suite: suiteOf(report) }))
      const sum = (number: (lab: (typeof labs)[number]) => number) =>
        labs.reduce((total, lab) => total + number(lab), 0)
      const attributes = {
        name: 'vethlab',
        ...counts(
          sum(({ suite }) => suite.cases.length),
          sum(({ suite }) => suite.failures),
          sum(({ suite }) => suite.errors),
        ),
        time: seconds(sum(({ report }) => report.durationMs)),
      }
      const suites = labs.map(({ report, suite }) => suiteElement(report, suite))
      options.write(
        `<?xml version="1.0" encoding="UTF-8"?>\n${xmlElement('testsuites', attributes, suites)}\n`,
      )
    },
  }
}

function suiteElement(report: LabReport, suite: Suite): Xml {
  const attributes = {
    name: printable(report.lab),
    ...counts(suite.cases.length, suite.failures, suite.errors),
    skipped: String(suite.skipped),
    time: seconds(report.durationMs),
    // without fractions and zone, as the schemas of JUnit have it
    timestamp: report.startedAt?.slice(0, 'YYYY-MM-DDThh:mm:ss'.length),
    hostname: report.machine?.hostname && printable(report.machine.hostname),
    file: report.file && printable(report.file),
  }
  return xmlElement('testsuite', attributes, [...propertiesOf(report), ...suite.cases, ...systemOut(report)])
}

function suiteOf(report: LabReport): Suite {
  const lab = printable(report.lab)
  if (report.skipped !== undefined) return skippedSuite(lab, report.skipped)
  const cases: Xml[] = []
  let failures = 0
  let errors = 0
  let skipped = 0
  for (const step of report.steps) {
    const classname = `${lab}.${printable(step.name)}`
    if (step.skipped !== undefined) {
      cases.push(skippedCase('completes', classname, step.skipped))
      skipped += 1
      continue
    }
    let time = step.durationMs
    for (const check of step.checks) {
      cases.push(checkCase(check, step, classname, time))
      if (!check.ok) failures += 1
      time = 0
    }
    // A step without checks gets a testcase, and so does a step that failed although its checks passed.
    const explained = step.checks.some((check) => !check.ok)
    const erred = step.error !== undefined || (!stepPassed(step) && !explained)
    if (erred) errors += 1
    if (erred || step.checks.length === 0) {
      cases.push(
        stateCase('completes', classname, time, erred ? (step.error ?? 'the step failed') : undefined),
      )
    }
  }
  if (report.error !== undefined) {
    errors += 1
    const name = report.steps.length === 0 ? 'starts' : 'completes'
    cases.push(stateCase(name, lab, 0, report.error))
  }
  return { cases, failures, errors, skipped }
}

/** A lab that was not run is one skipped testcase. */
function skippedSuite(lab: string, reason: string): Suite {
  return { cases: [skippedCase('runs', lab, reason)], failures: 0, errors: 0, skipped: 1 }
}

function skippedCase(name: string, classname: string, reason: string): Xml {
  const skipped = xmlElement('skipped', { message: printable(reason) })
  return xmlElement('testcase', { classname, name, time: seconds(0) }, [skipped])
}

function checkCase(check: CheckResult, step: StepResult, classname: string, milliseconds: number): Xml {
  const attributes = { classname, name: printable(check.name), time: seconds(milliseconds) }
  if (check.ok) return xmlElement('testcase', attributes)
  const flow = check.flow === undefined ? undefined : step.flows[check.flow]
  const text = [
    ...printableLines(`expected: ${check.expected}`),
    ...printableLines(`observed: ${check.observed}`),
    ...(flow === undefined ? [] : ['hops:', ...describeFlow(flow).map((line) => `  ${line}`)]),
    ...(step.why === undefined ? [] : whyLines(step.why).flatMap((line) => printableLines(line.join(': ')))),
    ...(check.look === undefined ? [] : printableLines(`look: ${check.look}`)),
  ].join('\n')
  const message = printable(`expected ${check.expected}, observed ${check.observed}`)
  return xmlElement('testcase', attributes, [xmlTextElement('failure', { message, type: 'check' }, text)])
}

function stateCase(name: string, classname: string, milliseconds: number, error: string | undefined): Xml {
  const attributes = { classname, name, time: seconds(milliseconds) }
  if (error === undefined) return xmlElement('testcase', attributes)
  const lines = printableLines(error)
  return xmlElement('testcase', attributes, [
    xmlTextElement('error', { message: lines[0] ?? '', type: 'error' }, lines.join('\n')),
  ])
}

function propertiesOf({ machine, title, mode }: LabReport): Xml[] {
  const facts: [string, string][] = [
    ['title', title],
    ...(mode === undefined ? [] : ([['mode', mode]] as [string, string][])),
    ...(machine === undefined
      ? []
      : ([
          ['kernel', machine.kernel],
          ['iptables', machine.iptables],
          ['backend', machine.backend],
          ['rootless', String(machine.rootless)],
        ] as [string, string][])),
  ]
  const properties = facts.map(([name, value]) => xmlElement('property', { name, value: printable(value) }))
  return [xmlElement('properties', {}, properties)]
}

function systemOut(report: LabReport): Xml[] {
  const lines = [
    ...report.notices.map((notice) => `note: ${printable(notice)}`),
    ...report.steps
      .filter(({ skipped }) => skipped === undefined)
      .flatMap((step) => [
        `${printable(step.name)}: ${printable(step.action)} (${count(step.flowCount, 'flow')})`,
        ...(step.summary ?? []).map((line) => `  ${printable(line)}`),
        ...step.flows.flatMap(describeFlow).map((line) => `  ${line}`),
      ]),
  ]
  return lines.length === 0 ? [] : [xmlTextElement('system-out', {}, lines.join('\n'))]
}

function counts(tests: number, failures: number, errors: number) {
  return { tests: String(tests), failures: String(failures), errors: String(errors) }
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(3)
}
