import type { ChildProcess } from 'node:child_process'

/** Lines of a command's standard error; `next` resolves with the next wanted one. */
export interface StderrLines {
  /** `ended` is called instead when the command ends. */
  next(wanted: (line: string) => boolean, ended: () => Promise<never>): Promise<string>
  /** All of it so far. */
  text(): string
}

/** Reads the standard error of a command, whose promise resolves when it has ended. */
export function stderrLines(command: Pick<ChildProcess, 'stderr'> & PromiseLike<unknown>): StderrLines {
  let rest = ''
  let all = ''
  let waiting: { wanted: (line: string) => boolean; found: (line: string) => void } | undefined
  command.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    all += chunk
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const line of parts) {
      if (waiting?.wanted(line) !== true) continue
      const { found } = waiting
      waiting = undefined
      found(line)
    }
  })
  const end = command.then(() => undefined)
  return {
    text: () => all,
    async next(wanted, ended) {
      const line = new Promise<string>((resolve) => (waiting = { wanted, found: resolve }))
      return (await Promise.race([line, end])) ?? ended()
    },
  }
}
