import { useState } from 'preact/hooks'

/** How the last task ended. */
export interface TaskState {
  readonly isBusy: boolean
  /** Empty if it has not failed. */
  readonly error: string
  /** Empty unless it has ended well. */
  readonly done: string
}

/** Runs a task; `done` is shown when it has ended well. */
export type Run = (done: string, task: () => Promise<void>) => void

/** The state of the last task, and a function that runs the next one. */
export function useTask(): { readonly state: TaskState; readonly run: Run } {
  const [state, setState] = useState<TaskState>({ isBusy: false, error: '', done: '' })
  const run: Run = (done, task) => {
    setState({ isBusy: true, error: '', done: '' })
    task().then(
      () => setState({ isBusy: false, error: '', done }),
      ({ message }: Error) => setState({ isBusy: false, error: message, done: '' }),
    )
  }
  return { state, run }
}
