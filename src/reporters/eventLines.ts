import type { CreateReporter } from '../results/events.js'

/** Each event as one line of JSON, when it happens: for programs that follow a run. */
export const createEventLines: CreateReporter = (options) => ({
  on: (event) => {
    options.write(`${JSON.stringify(event)}\n`)
  },
  end: () => undefined,
})
