/** A duration in readable form: `7 ms`, `0.84 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 100) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 9_950) return `${(milliseconds / 1000).toFixed(2)} s`
  const seconds = Math.round(milliseconds / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
