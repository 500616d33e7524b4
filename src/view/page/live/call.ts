import type { ApiError } from '../../live/api.js'

/** The path of the API; docs/view-api.md describes what is below. */
export const base = '/api/v1'

/** The JSON that the server answers; with a body, the method is POST. Throws Error with its message and hint for 4xx and 5xx. */
export async function call<Answer>(path: string, body?: unknown): Promise<Answer> {
  const options =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(base + path, options)
  const text = await response.text()
  if (response.ok) return JSON.parse(text) as Answer
  throw new Error(errorText(text) ?? `HTTP ${response.status}`)
}

function errorText(text: string): string | undefined {
  try {
    const { error, hint } = JSON.parse(text) as ApiError
    return hint === undefined ? error : `${error}; ${hint}`
  } catch {
    return undefined
  }
}
