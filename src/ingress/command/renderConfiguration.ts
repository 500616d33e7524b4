import type { ProxyConfiguration } from '../model.js'

/** Name of the file that a user's own program reads. */
export const configurationFile = 'configuration.json'

/** Grows when a program that reads the file would have to change; fields may be added without. */
const version = 1

/** What a user's own program is told of what it is to do: the model as it is, in JSON. */
export function renderConfiguration(configuration: ProxyConfiguration, generation: string): string {
  return `${JSON.stringify({ version, generation, ...configuration }, undefined, 2)}\n`
}
