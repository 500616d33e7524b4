import { CommandError } from '../errors.js'
import type { Plan, PlannedCommand, PlannedProcess, Stage } from '../topology/types.js'
import { startProcess } from './runProcesses.js'
import type { RunningCommand, Sandbox } from './sandbox.js'

/** Commands of one `each` that run at the same time: enough to keep a few cores busy. */
const parallel = 8

/** Told of each process of a plan that stays. */
export type OnProcess = (planned: PlannedProcess, running: RunningCommand) => void

/** Runs a plan: stages in order, the commands of a stage at once. Throws CommandError for the first that fails. */
export async function runPlan(sandbox: Sandbox, plan: Plan, onProcess?: OnProcess): Promise<void> {
  for (const stage of plan.stages) await runStage(sandbox, stage, onProcess)
}

async function runStage(sandbox: Sandbox, stage: Stage, onProcess?: OnProcess): Promise<void> {
  await sandbox.writeFiles(stage.files)
  const results = await Promise.allSettled([
    ...stage.commands.map((command) => runPlanned(sandbox, stage.title, command)),
    ...(stage.processes ?? []).map(async (planned) => {
      const running = await startProcess(sandbox, planned)
      onProcess?.(planned, running)
    }),
  ])
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Runs one command, or its every `each` at once; `what` stands in the error when it fails. */
export async function runPlanned(
  sandbox: Sandbox,
  what: string,
  { argv, each }: PlannedCommand,
): Promise<void> {
  if (each === undefined) {
    await sandbox.must(what, argv, { stdout: 'ignore' })
    return
  }
  if (each.length === 0) return
  // xargs replaces {} itself: one process from here for any number of namespaces, and no shell
  const fanned = ['xargs', '-0', '-P', String(parallel), '-I', '{}', ...argv]
  const result = await sandbox.run(fanned, {
    stdout: 'ignore',
    input: each.map((item) => `${item}\0`).join(''),
  })
  if (result.exitCode !== 0) throw new CommandError({ what, argv, ...result })
}
