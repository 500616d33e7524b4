import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import t from 'tap'
import { parse } from 'yaml'
import { ciCommand } from '../../src/commands/ci.js'
import { runCommand } from '../../src/commands/labs/run.js'
import { cannotRun } from '../kernel/ability.js'

interface Step {
  readonly run?: string
  readonly uses?: string
  readonly if?: string
}

const read = (file: string): unknown =>
  parse(readFileSync(`docs/ci/${file}`, 'utf8'), { strict: true, uniqueKeys: true })

/** The options that a call of vethlab in a script gives, all of which its verb has to know. */
function unknownOptions(script: string): string[] {
  const call = /(?:npx vethlab|dist\/cli\.cjs) (ci|run) (.*)/.exec(script)
  if (call === null) return ['no call of vethlab']
  const verb: Command = call[1] === 'ci' ? ciCommand() : runCommand()
  const options = (call[2] ?? '').split(' ').filter((word) => word.startsWith('--'))
  return options.filter((option) => !verb.options.some(({ long }) => long === option))
}

t.test('the workflow of GitHub Actions runs the matrix and keeps its results', async (t) => {
  const { jobs } = read('github.yml') as { jobs: { labs: { steps: Step[] } } }
  const { steps } = jobs.labs
  const call = steps.find(({ run }) => run?.includes('npx vethlab') === true)
  t.strictSame(unknownOptions(call?.run ?? ''), [])
  t.ok(
    steps.every((step) => (step.run === undefined) !== (step.uses === undefined)),
    'a step runs or uses',
  )
  const after = steps.slice(steps.indexOf(call ?? {}) + 1)
  t.ok(after.length > 0 && after.every((step) => step.if === 'always()'), 'results are kept of failures, too')
})

t.test('the job of GitLab CI does so as well', async (t) => {
  const { labs } = read('gitlab.yml') as {
    labs: {
      script: string[]
      variables: Record<string, string>
      artifacts: { when: string; reports: { junit: string } }
    }
  }
  t.strictSame(unknownOptions(labs.script.at(-1) ?? ''), [])
  t.equal(labs.variables['DOCKER_HOST'], 'tcp://docker:2375')
  t.equal(labs.artifacts.when, 'always')
  t.equal(labs.artifacts.reports.junit, 'results/junit.xml')
})

t.test('the Job of Kubernetes has the rights that suffice', async (t) => {
  const job = read('job.yaml') as {
    apiVersion: string
    kind: string
    spec: {
      template: {
        spec: {
          restartPolicy: string
          containers: {
            args: string[]
            securityContext: { privileged?: boolean; capabilities: { add: string[] } }
          }[]
        }
      }
    }
  }
  t.equal(`${job.apiVersion} ${job.kind}`, 'batch/v1 Job')
  const { restartPolicy, containers } = job.spec.template.spec
  t.equal(restartPolicy, 'Never')
  const [container] = containers
  t.strictSame(container?.securityContext.capabilities.add, ['NET_ADMIN', 'SYS_ADMIN'])
  t.equal(container?.securityContext.privileged, undefined)
  t.strictSame(unknownOptions(container?.args[0] ?? ''), [])
})

t.test('the action of GitHub runs labs without a checkout of vethlab', async (t) => {
  const action = parse(readFileSync('action.yml', 'utf8'), { strict: true, uniqueKeys: true }) as {
    inputs: Record<string, { description: string; default: string }>
    runs: { using: string; steps: (Step & { shell: string; env?: Record<string, string> })[] }
  }
  t.equal(action.runs.using, 'composite')
  const cwd = t.testdir({ temp: {}, bin: { sudo: '#!/bin/sh\nexec "$@"\n', npm: npmOf(process.cwd()) } })
  for (const name of ['sudo', 'npm']) chmodSync(`${cwd}/bin/${name}`, 0o755)
  const run = (labs: string, compare = '') => {
    const report = `${cwd}/report.xml`
    const values: Record<string, string> = { labs, options: '', report, package: '', compare }
    const summary = `${cwd}/summary.md`
    const environment = {
      ...process.env,
      PATH: `${cwd}/bin:${process.env['PATH']}`,
      GITHUB_ACTION_PATH: process.cwd(),
      RUNNER_TEMP: `${cwd}/temp`,
      GITHUB_STEP_SUMMARY: summary,
    }
    const codes = action.runs.steps.map((step) => {
      const inputs = Object.entries(step.env ?? {}).map(([name, text]) => [
        name,
        text.replace(/^\$\{\{ inputs\.(\w+) \}\}$/, (_, input: string) => values[input] ?? 'unknown input'),
      ])
      // the shell `bash` of GitHub Actions
      const argv = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run ?? 'false']
      const env = { ...environment, ...(Object.fromEntries(inputs) as Record<string, string>) }
      return spawnSync('bash', argv, { env, encoding: 'utf8' }).status
    })
    return { codes, report: readFileSync(`${cwd}/report.xml`, 'utf8') }
  }
  const wrong = t.testdirName.concat('/temp/wrong')
  mkdirSync(wrong)
  writeFileSync(`${wrong}/lab.yaml`, 'title: Wrong\nstepz: []\n')
  const invalid = run(wrong)
  t.strictSame(invalid.codes, [0, 2, 0], 'the step that runs labs fails')
  t.match(invalid.report, 'unknown field')
  const [same, other] = ['nodeport', 'clusterip'].map(
    (name) => `${process.cwd()}/labs/nodeport ${process.cwd()}/labs/${name}`,
  )
  t.strictSame(run('', same).codes, [0, 0, 0])
  t.strictSame(run('', other).codes, [0, 1, 0], 'a request that ends differently')
  t.match(readFileSync(`${cwd}/summary.md`, 'utf8'), /\*\*No request ends differently[^]*end differently\*\*/)
  if (cannotRun === false) {
    const passed = run('nodeport')
    t.strictSame(passed.codes, [0, 0, 0])
    t.match(passed.report, /<testsuite name="nodeport" tests="\d+" failures="0" errors="0"/)
    t.match(readFileSync(`${cwd}/summary.md`, 'utf8'), /^```text\n[^]*nodeport: \d+ checks passed/m)
  }
})

/** An npm that installs this checkout instead of the published package. */
function npmOf(checkout: string): string {
  return `#!/bin/sh\nmkdir -p "$RUNNER_TEMP/vethlab/node_modules" && ln -sfn ${checkout} "$RUNNER_TEMP/vethlab/node_modules/vethlab"\n`
}
