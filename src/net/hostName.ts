/** Whether a text can be the host name of an HTTP request. */
export function isHostName(text: string): boolean {
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)
}
