import { isKnownError } from '../../errors.js'
import { startCapture } from '../capture/startCapture.js'
import { findTool } from '../environment.js'
import { withSandbox } from '../sandbox/withSandbox.js'
import type { Finding } from './finding.js'

/** Whether packets can be captured; tried as labs do it, because without root many things can prevent it. */
export async function captureFinding(): Promise<Finding> {
  const finding = {
    group: 'kernel',
    name: 'capture with LINUX_SLL2',
    required: true,
    neededFor: 'packets with interface and direction',
  } as const
  if (findTool('tcpdump') === undefined) return { ...finding, status: 'unknown' }
  try {
    const failure = await tryCapture()
    if (failure === undefined) return { ...finding, status: 'ok' }
    const remedy = 'use sudo, or tcpdump 4.99 or newer on a kernel with CONFIG_PACKET'
    return { ...finding, status: 'missing', detail: failure, remedy }
  } catch (error) {
    // a sandbox that cannot be created is a separate finding
    if (isKnownError(error)) return { ...finding, status: 'unknown' }
    throw error
  }
}

/** The error of tcpdump, or undefined; throws if no sandbox can be created. */
async function tryCapture(): Promise<string | undefined> {
  return withSandbox('doctor', {}, async (made) => {
    const sandbox = await made
    try {
      const netns = 'probe'
      await sandbox.must('making a namespace', ['ip', 'netns', 'add', netns])
      await startCapture(sandbox, { netns, interfaces: new Map() })
      return undefined
    } catch (error) {
      if (!isKnownError(error)) throw error
      return error.message.trim().split('\n').at(-1)?.trim()
    }
  })
}
