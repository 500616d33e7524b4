import { on } from 'node:events'
import { CannotRunError, reported } from '../errors.js'
import { newSocketFolder, removeSocketFolder } from '../host/controlSocket.js'
import { findHolders, startHolder, stopHolder } from '../host/holders.js'
import { callerOwner } from '../host/owner.js'
import type { PreparedLab } from '../lab/plan/prepareLab.js'
import type { PrepareOptions } from '../lab/plan/prepareOptions.js'
import type { RunOptions } from '../lab/steps/runOptions.js'
import type { LabEvent, LabResult } from '../results/events.js'
import { labGone } from './sendOrder.js'
import { rejectSecond, upLab, type UpLab } from './upLab.js'

/** The order that starts the process that holds a lab. */
export interface HoldOrder {
  readonly directory: string
  /** Of `newSocketFolder`. */
  readonly socketFolder: string
  readonly cwd: string
  readonly run: boolean
  readonly stepwise: boolean
  readonly capture: boolean
  readonly ignoreKinds: readonly string[]
  readonly families?: PrepareOptions['families']
  readonly mode?: PrepareOptions['mode']
  readonly commands?: PrepareOptions['commands']
  readonly iptables?: RunOptions['iptables']
  readonly pcap?: string | undefined
  readonly pcapAll?: boolean | undefined
  readonly kubeProxyBinary?: string | undefined
}

/** The message of the holder that the lab is running. */
export interface UpMessage {
  readonly type: 'up'
  readonly result?: LabResult | undefined
  /** Notices about a lab whose steps did not run; a result has its own. */
  readonly notices?: readonly string[] | undefined
}

/** A message of the holder: events of the run, what its start waits for, then that the lab is running (with the result of its steps), or an error. */
export type HoldMessage =
  | { readonly type: 'event'; readonly event: LabEvent }
  | { readonly type: 'ask'; readonly step: string }
  | { readonly type: 'wait'; readonly pods: readonly string[] }
  | UpMessage
  | { readonly type: 'error'; readonly message: string; readonly exitCode: number }

/** Runs a lab in a process that keeps it running afterwards; returns when the steps are done. */
export async function runHeld(prepared: PreparedLab, options: RunOptions): Promise<LabResult> {
  const { result } = await hold(prepared, options, true)
  if (result === undefined) throw new Error('the holder gave no result')
  return result
}

/** Called with the process that will hold a lab, before it starts the lab. */
export type OnHolder = (pid: number) => void

/** Starts a lab of an owner in a process that holds it; returns when the lab runs, with its notices. */
export async function startHeld(
  prepared: PreparedLab,
  options: RunOptions,
  owner = callerOwner(),
  onHolder?: OnHolder,
): Promise<UpLab & { readonly notices: readonly string[] }> {
  const { notices = [], pid } = await hold(prepared, options, false, owner, onHolder)
  const { name } = prepared.lab
  try {
    return { ...(await upLab(name, owner)), notices }
  } catch (error) {
    // a lab that its owner does not know of would run for ever
    const left = findHolders(owner).filter((holder) => holder.pid === pid)
    await Promise.all(left.map(stopHolder))
    throw left.length === 0 ? labGone(name) : error
  }
}

async function hold(
  prepared: PreparedLab,
  options: RunOptions,
  run: boolean,
  owner = callerOwner(),
  onHolder?: OnHolder,
): Promise<UpMessage & { readonly pid: number | undefined }> {
  const { name, directory } = prepared.lab
  await rejectSecond(
    name,
    findHolders(owner).find(({ lab }) => lab === name),
  )
  const order: HoldOrder = {
    directory,
    socketFolder: newSocketFolder(),
    cwd: options.cwd ?? process.cwd(),
    run,
    stepwise: options.beforeStep !== undefined,
    capture: run,
    ignoreKinds: [...(options.ignoreKinds ?? [])],
    families: options.families,
    mode: options.mode,
    commands: options.commands,
    iptables: options.iptables,
    pcap: options.pcap,
    pcapAll: options.pcapAll,
    kubeProxyBinary: options.kubeProxyBinary,
  }
  const holder = startHolder(name, owner)
  const kill = () => void holder.kill('SIGTERM')
  options.signal?.addEventListener('abort', kill)
  try {
    if (holder.pid !== undefined) onHolder?.(holder.pid)
  } catch (error) {
    kill()
    throw error
  }
  holder.send(order)
  const message = await followHolder(holder, options)
    .catch((error: unknown) => {
      kill()
      throw error
    })
    // a class starts many labs with one signal
    .finally(() => options.signal?.removeEventListener('abort', kill))
  if (message === undefined) {
    const { exitCode, signal } = await holder
    removeSocketFolder(order.socketFolder)
    options.signal?.throwIfAborted()
    const how = signal === undefined ? `exited with ${exitCode ?? '?'}` : `was ended by ${signal}`
    throw new CannotRunError(`the process that holds the lab "${name}" ${how} before the lab was running`)
  }
  holder.disconnect()
  holder.unref()
  return { ...message, pid: holder.pid }
}

/** Passes on the messages of the holder until the lab is running; returns undefined when the holder ends first. */
async function followHolder(
  holder: ReturnType<typeof startHolder>,
  options: RunOptions,
): Promise<UpMessage | undefined> {
  for await (const [received] of on(holder, 'message', { close: ['exit'] })) {
    const message = received as HoldMessage
    if (message.type === 'up') return message
    if (message.type === 'error') throw reported(message.message, message.exitCode)
    if (message.type === 'wait') options.onWait?.(message.pods)
    if (message.type === 'event') options.onEvent?.(message.event)
    if (message.type === 'ask') {
      await options.beforeStep?.(message.step)
      holder.send('continue')
    }
  }
  return undefined
}
