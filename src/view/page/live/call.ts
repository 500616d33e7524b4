import type { ApiError } from '../../live/api.js'

/** An API: that of a lab, docs/view-api.md, or that of a class. */
export interface Api {
  /** Its path. */
  readonly base: string
  /** The JSON that the server answers; with a body, the method is POST. Throws Error with its message and hint for 4xx and 5xx. */
  readonly call: <Answer>(path: string, body?: unknown, accept?: string) => Promise<Answer>
  /** The text that the server answers. Throws Error with its message and hint for 4xx and 5xx. */
  readonly callText: (path: string, options: CallOptions) => Promise<string>
}

/** How an API is called. */
export interface CallOptions {
  /** `GET` by default, or `POST` with a body. */
  readonly method?: string
  /** A text as it is, or a value that is sent as JSON. */
  readonly body?: unknown
  /** Media type of the body; JSON by default. */
  readonly type?: string
  /** Media type of the answer; JSON by default. */
  readonly accept?: string
}

const json = 'application/json'

/** The API at a path. */
export function apiAt(base: string): Api {
  const callText: Api['callText'] = async (path, { method, body, type, accept }) => {
    const sent = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(base + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { accept: accept ?? json, ...(body === undefined ? {} : { 'content-type': type ?? json }) },
      ...(body === undefined ? {} : { body: sent }),
    })
    const text = await response.text()
    if (response.ok) return text
    throw new Error(errorText(text) ?? `HTTP ${response.status}`)
  }
  const call: Api['call'] = async <Answer>(path: string, body?: unknown, accept?: string) =>
    JSON.parse(await callText(path, { body, ...(accept === undefined ? {} : { accept }) })) as Answer
  return { base, call, callText }
}

/** The API of this page: below the path of the page. */
export const ownApi = apiAt(new URL('api/v1', document.baseURI).pathname)

export const { base, call, callText } = ownApi

/** The message of an error of the page's server, or of a Status of the Kubernetes API. */
function errorText(text: string): string | undefined {
  try {
    const { error, hint, message } = JSON.parse(text) as Partial<ApiError> & { readonly message?: string }
    const shown = error ?? message
    return hint === undefined || shown === undefined ? shown : `${shown}; ${hint}`
  } catch {
    return undefined
  }
}
