/** What the URLs in an answer of a proxied request are relative to. */
export interface ProxiedFrom {
  /** The path of the API up to `proxy`, without a slash at its end. */
  readonly prefix: string
  /** The host and port to which the request was sent, and the ones in its Host header. */
  readonly hosts: readonly string[]
}

/** A URL of an answer as the client of the API has to write it (Transport.rewriteURL of apimachinery). */
export function proxiedUrl(text: string, { prefix, hosts }: ProxiedFrom): string {
  const [, host, path = '', rest = ''] =
    /^(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?(?:\/\/([^/?#]*))?([^?#]*)(.*)$/s.exec(text) ?? []
  if ((host !== undefined && host !== '' && !hosts.includes(host)) || !path.startsWith('/')) return text
  return path.startsWith(prefix) ? `${path}${rest}` : `${prefix}${path}${rest}`
}

/** HTML whose links to the same host go through the API (rewriteHTML of apimachinery). */
export function proxiedHtml(html: string, from: ProxiedFrom): string {
  return html.replace(/<([a-zA-Z][a-zA-Z0-9]*)(\s[^>]*)>/g, (whole, tag: string, attributes: string) => {
    const names = linkAttributes[tag.toLowerCase()]
    if (names === undefined) return whole
    const rewritten = attributes.replace(
      /([a-zA-Z-]+)(\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g,
      (one, name: string, equals: string, double?: string, single?: string, bare?: string) =>
        names.includes(name.toLowerCase())
          ? `${name}${equals}"${proxiedUrl(double ?? single ?? bare ?? '', from)}"`
          : one,
    )
    return `<${tag}${rewritten}>`
  })
}

/** The attributes of HTML that are URLs, by element. */
const linkAttributes: Readonly<Record<string, readonly string[]>> = {
  ...{ a: ['href'], area: ['href'], base: ['href'], link: ['href'] },
  ...{ audio: ['src'], embed: ['src'], script: ['src'], source: ['src'], track: ['src'] },
  ...{ blockquote: ['cite'], del: ['cite'], ins: ['cite'], q: ['cite'] },
  ...{ frame: ['longdesc', 'src'], iframe: ['longdesc', 'src'], img: ['longdesc', 'src', 'usemap'] },
  ...{ applet: ['codebase'], object: ['archive', 'classid', 'codebase', 'data', 'usemap'] },
  ...{ body: ['background'], button: ['formaction'], command: ['icon'], form: ['action'] },
  ...{ head: ['profile'], html: ['manifest'], input: ['formaction', 'src', 'usemap'] },
  video: ['poster', 'src'],
}
