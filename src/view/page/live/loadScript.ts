const loading = new Map<string, Promise<unknown>>()

/** What a script of the page leaves; the first call loads it, and one after a failure tries again. Throws Error if it cannot be loaded. */
export async function loadScript<Made>(
  path: string,
  nonce: string,
  made: () => Made | undefined,
): Promise<Made> {
  const found = (loading.get(path) as Promise<Made> | undefined) ?? load(path, nonce, made)
  loading.set(path, found)
  return found.catch((error: unknown) => {
    loading.delete(path)
    throw error
  })
}

function load<Made>(path: string, nonce: string, made: () => Made | undefined): Promise<Made> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.nonce = nonce
    script.src = path
    const fail = () => reject(new Error(`${path} cannot be loaded`))
    script.onload = () => {
      const found = made()
      if (found === undefined) fail()
      else resolve(found)
    }
    script.onerror = fail
    document.head.append(script)
  })
}
