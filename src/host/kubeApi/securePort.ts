/** The port of the HTTPS server beside the plain one. */
export function securePortOf(port: number): number {
  return port + 1
}
