import type { ProxyConfiguration } from './model.js'
import type { ConfigurationFile } from './proxySettings.js'

/** Id of the certificate that is shown where a host has none of its own, or the client names no host. */
export const defaultCertificate = 'default'

/** Certificates with their keys, one file each, as both proxies read them. */
export function certificateFiles({ certificates }: ProxyConfiguration): ConfigurationFile[] {
  return Object.values(certificates).map(({ certificate, key }, index) => ({
    name: certificateFile(index),
    text: `${certificate.trimEnd()}\n${key.trimEnd()}\n`,
    holdsKeys: true,
  }))
}

/** Tells the file of a certificate by its id, or of the default one; undefined where there is neither. */
export function certificatePaths(
  { certificates }: ProxyConfiguration,
  folder: string,
): (id: string | undefined) => string | undefined {
  const paths = new Map(
    Object.keys(certificates).map((id, index) => [id, `${folder}/${certificateFile(index)}`]),
  )
  return (id = defaultCertificate) => paths.get(id) ?? paths.get(defaultCertificate)
}

/** The file of the certificate with this index: ids are names of objects, which may be longer than a file's name. */
export function certificateFile(index: number): string {
  return `certificate-${index}.pem`
}
