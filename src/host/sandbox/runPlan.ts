import { CommandError } from '../../errors.js'
import type { PlannedCommand, PlannedProcess, PlannedStage, Stage } from '../../topology/types.js'
import { startContainer, startProcess } from './runProcesses.js'
import type { RunningCommand, Sandbox } from './sandbox.js'

/** Called with each process of a stage that keeps running. */
export type OnProcess = (planned: PlannedProcess, running: RunningCommand) => void

/** Stages, by name, that a function runs instead of their files, commands and processes. */
export type StageRunners = Readonly<Record<string, (stage: Stage) => Promise<unknown>>>

/** Runs each stage once, after the stages that it depends on. Throws CommandError for the first that fails. */
export type RunPlanned = (stages: readonly PlannedStage[], runners?: StageRunners) => Promise<void>

/** Runs the stages of one plan in one or more calls; stages of earlier calls are not run again. */
export function planRunner(
  sandbox: Sandbox,
  { onStage, onProcess }: { onStage?: ((stage: PlannedStage) => void) | undefined; onProcess?: OnProcess },
): RunPlanned {
  const begun = new Map<string, Promise<void>>()
  const done = new Set<string>()
  const untilDone = (name: string) => {
    const stage = begun.get(name)
    if (stage === undefined) throw new Error(`no stage "${name}" comes before the one that waits for it`)
    return stage
  }
  const run = async (stage: PlannedStage, runner?: StageRunners[string]) => {
    // stages without dependencies start immediately, before what the caller starts next
    if (!stage.after.every((name) => done.has(name))) await Promise.all(stage.after.map(untilDone))
    onStage?.(stage)
    await (runner === undefined ? runStage(sandbox, stage, onProcess) : runner(stage))
    done.add(stage.name)
  }
  return async (stages, runners = {}) => {
    for (const stage of stages) {
      if (!begun.has(stage.name)) begun.set(stage.name, run(stage, runners[stage.name]))
    }
    await Promise.all(stages.map(({ name }) => untilDone(name)))
  }
}

/** Runs stages one after another. Throws CommandError for the first that fails. */
export async function runStages(
  sandbox: Sandbox,
  stages: readonly Stage[],
  onProcess?: OnProcess,
): Promise<void> {
  for (const stage of stages) await runStage(sandbox, stage, onProcess)
}

async function runStage(sandbox: Sandbox, stage: Stage, onProcess?: OnProcess): Promise<void> {
  await sandbox.writeFiles(stage.files)
  const results = await Promise.allSettled([
    ...stage.commands.map((command) => runPlanned(sandbox, stage.name, command)),
    ...(stage.processes ?? []).map(async (planned) => {
      const start = planned.container === undefined ? startProcess : startContainer
      const running = await start(sandbox, planned)
      onProcess?.(planned, running)
    }),
  ])
  const failed = results.find((result) => result.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Runs one command, or all its `each` in parallel; `what` is its name in errors. */
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
  const result = await sandbox.run(argv, { stdout: 'ignore', each })
  if (result.exitCode !== 0) throw new CommandError({ what, argv, ...result })
}
