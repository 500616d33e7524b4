/** What the real API server answered, as recorded. */
export interface Answer {
  readonly accepted: boolean
  readonly error?: string
}

/** The recorded answer in the format of vethlab: a message for each field. */
export function recordedMessages({ accepted, error = '' }: Answer): string[] {
  if (accepted) return []
  const [head = '', ...fields] = error.split('\n* ')
  if (fields.length > 0) return fields.map((field) => head + field)
  return [
    head
      // The messages around the answer are kubectl's; there are no CRDs to install here.
      .replace(/^error: /, '')
      .replace(/^Error from server \(\w+\): /, '')
      .replace('\nensure CRDs are installed first', '')
      // The real allocator chooses at random.
      .replace('10.96.66.30', '10.96.1.1'),
  ]
}
