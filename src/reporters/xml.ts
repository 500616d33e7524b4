/** An XML element, or character data, as text. */
export type Xml = string

// What XML 1.0 does not allow even as a reference (Char, section 2.2); lone surrogates too.
const ILLEGAL = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

const ENTITY: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // In attributes, parsers replace these with spaces if they are not escaped.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Any text as character data; characters that XML does not allow are removed. */
export function xmlText(text: string): Xml {
  return text.replace(ILLEGAL, '').replace(/[&<>\r]/g, entity)
}

/** An element with its attributes (undefined ones are omitted) and its children, each on a separate line. */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  children: readonly Xml[] = [],
): Xml {
  const open = [name, ...attributeTexts(attributes)].join(' ')
  return children.length === 0 ? `<${open}/>` : `<${open}>\n${children.join('\n')}\n</${name}>`
}

/** An element that contains only text. */
export function xmlTextElement(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  text: string,
): Xml {
  return `<${[name, ...attributeTexts(attributes)].join(' ')}>${xmlText(text)}</${name}>`
}

function attributeTexts(attributes: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${value.replace(ILLEGAL, '').replace(/[&<>"\t\n\r]/g, entity)}"`],
  )
}

function entity(character: string): string {
  return ENTITY[character] ?? character
}
