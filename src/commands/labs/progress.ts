import type { Reporter } from '../../results/events.js'
import { printable } from '../../text/printable.js'
import { cut } from '../../text/textWidth.js'
import { eraseErrorLine, printError } from '../output.js'
import { isDumb } from '../terminal.js'

/** A line that is drawn again and again. */
export interface StatusLine {
  /** Columns of the terminal. */
  readonly width: number
  draw(text: string): void
  clear(): void
}

/** Shows the labs that run on the last line of the terminal, below the output of a reporter, if there is a terminal. */
export function withProgress(reporter: Reporter, wanted: boolean): Reporter {
  if (!wanted || process.stderr.isTTY !== true || isDumb()) return reporter
  return showingProgress(reporter, {
    width: process.stderr.columns,
    draw: printError,
    clear: eraseErrorLine,
  })
}

/** The reporter, which writes above the line with the labs that have started and not ended. */
export function showingProgress(reporter: Reporter, line: StatusLine): Reporter {
  const running = new Set<string>()
  let done = 0
  return {
    on(event) {
      line.clear()
      reporter.on(event)
      if (event.type === 'lab-start') running.add(event.lab)
      if (event.type === 'lab-end' || event.type === 'lab-error') {
        running.delete(event.lab)
        done += 1
      }
      if (running.size === 0) return
      const names = [...running].map(printable).join(', ')
      line.draw(cut(`${done} done, running: ${names}`, line.width - 1))
    },
    end() {
      line.clear()
      reporter.end()
    },
  }
}
