import type { ProxyConfiguration } from '../model.js'

/** Name of the file for a custom ingress controller. */
export const configurationFile = 'configuration.json'

/** Increases with incompatible changes of the file; added fields do not count. */
const version = 1

/** The configuration of a custom ingress controller: the model as JSON. */
export function renderConfiguration(configuration: ProxyConfiguration, generation: string): string {
  return `${JSON.stringify({ version, generation, ...configuration }, undefined, 2)}\n`
}
