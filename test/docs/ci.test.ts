import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import t from 'tap'
import { parse } from 'yaml'
import { ciCommand } from '../../src/commands/ci.js'
import { runCommand } from '../../src/commands/labs/run.js'

interface Step {
  readonly run?: string
  readonly uses?: string
  readonly if?: string
}

const read = (file: string): unknown =>
  parse(readFileSync(`docs/ci/${file}`, 'utf8'), { strict: true, uniqueKeys: true })

/** The options that a call of vethlab in a script gives, all of which its verb has to know. */
function unknownOptions(script: string): string[] {
  const call = /dist\/cli\.cjs (ci|run) (.*)/.exec(script)
  if (call === null) return ['no call of vethlab']
  const verb: Command = call[1] === 'ci' ? ciCommand() : runCommand()
  const options = (call[2] ?? '').split(' ').filter((word) => word.startsWith('--'))
  return options.filter((option) => !verb.options.some(({ long }) => long === option))
}

t.test('the workflow of GitHub Actions runs the matrix and keeps its results', async (t) => {
  const { jobs } = read('github.yml') as { jobs: { labs: { steps: Step[] } } }
  const { steps } = jobs.labs
  const call = steps.find(({ run }) => run?.includes('cli.cjs') === true)
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
