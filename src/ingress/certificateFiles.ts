import type { ProxyConfiguration } from './model.js'
import type { ConfigurationFile } from './proxySettings.js'

/** ID of the certificate for hosts without a certificate, and for clients without SNI. */
export const defaultCertificate = 'default'

/** Certificates with their keys, one file each, in the format of both proxies. */
export function certificateFiles({ certificates }: ProxyConfiguration): ConfigurationFile[] {
  return Object.values(certificates).map(({ certificate, key }, index) => ({
    name: certificateFile(index),
    text: `${certificate.trimEnd()}\n${key.trimEnd()}\n`,
    holdsKeys: true,
  }))
}

/** Returns a function from the ID of a certificate to its file, or that of the default one; undefined if there is neither. */
export function certificatePaths(
  { certificates }: ProxyConfiguration,
  folder: string,
): (id: string | undefined) => string | undefined {
  const paths = new Map(
    Object.keys(certificates).map((id, index) => [id, `${folder}/${certificateFile(index)}`]),
  )
  return (id = defaultCertificate) => paths.get(id) ?? paths.get(defaultCertificate)
}

/** The file of the certificate with this index: IDs are names of objects, which may exceed the length of a file name. */
export function certificateFile(index: number): string {
  return `certificate-${index}.pem`
}
