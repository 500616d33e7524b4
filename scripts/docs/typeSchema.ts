import ts from 'typescript'

/** A JSON Schema (draft 2020-12) as a value. */
export type Schema = Readonly<Record<string, unknown>>

/**
 * Writes the JSON Schema of what `JSON.stringify` makes of values of a type: properties that may be undefined are optional, functions are
 * left out. Interfaces are definitions, so that they may contain themselves. Throws Error for a type that JSON does not have.
 */
export function createTypeSchemas(checker: ts.TypeChecker) {
  const names = new Map<ts.Type, string>()
  let definitions: Record<string, Schema> = {}

  function schemaOf(type: ts.Type, at: string): Schema {
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {}
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value }
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: checker.typeToString(type) === 'true' }
    if (type.flags & ts.TypeFlags.StringLike) return { type: 'string' }
    if (type.flags & ts.TypeFlags.NumberLike) return { type: 'number' }
    if (type.flags & ts.TypeFlags.BooleanLike) return { type: 'boolean' }
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' }
    if (type.isUnion()) return unionOf(type, at)
    if (checker.isTupleType(type)) return tupleOf(type as ts.TupleTypeReference, at)
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference)
      return { type: 'array', items: item === undefined ? {} : schemaOf(item, `${at}[]`) }
    }
    if (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return objectOf(type, at)
    throw new Error(`${at}: JSON has no ${checker.typeToString(type)}`)
  }

  function unionOf({ types }: ts.UnionType, at: string): Schema {
    const present = types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined))
    const literals = present.flatMap((one) =>
      one.isStringLiteral() || one.isNumberLiteral() ? [one.value] : [],
    )
    const isBoolean = present.filter(({ flags }) => flags & ts.TypeFlags.BooleanLiteral).length === 2
    const others = present.filter(
      (one) =>
        !(one.isStringLiteral() || one.isNumberLiteral()) &&
        !(isBoolean && one.flags & ts.TypeFlags.BooleanLiteral),
    )
    const all = [
      ...(literals.length > 1 ? [{ enum: literals }] : literals.map((value) => ({ const: value }))),
      ...(isBoolean ? [{ type: 'boolean' }] : []),
      ...others.map((one) => schemaOf(one, at)),
    ]
    const [only = {}] = all
    return all.length === 1 ? only : { anyOf: all }
  }

  function tupleOf(type: ts.TupleTypeReference, at: string): Schema {
    const items = checker.getTypeArguments(type)
    if (type.target.combinedFlags & ts.ElementFlags.Variable) {
      return { type: 'array', items: { anyOf: items.map((item) => schemaOf(item, `${at}[]`)) } }
    }
    return {
      type: 'array',
      prefixItems: items.map((item, index) => schemaOf(item, `${at}[${index}]`)),
      ...{ minItems: type.target.minLength, maxItems: items.length },
    }
  }

  function objectOf(type: ts.Type, at: string): Schema {
    const name = nameOf(type)
    if (name === undefined) return propertiesOf(type, at)
    if (!(name in definitions)) {
      definitions[name] = {}
      definitions[name] = propertiesOf(type, name)
    }
    return { $ref: `#/$defs/${name}` }
  }

  /** The name of an interface or alias, unless it has parameters; numbered if another type has the same. */
  function nameOf(type: ts.Type): string | undefined {
    const known = names.get(type)
    if (known !== undefined) return known
    if (type.aliasTypeArguments !== undefined) return undefined
    if (type.flags & ts.TypeFlags.Object && checker.getTypeArguments(type as ts.TypeReference).length > 0)
      return undefined
    const { name } = type.aliasSymbol ?? type.symbol ?? { name: '__type' }
    if (name.startsWith('__')) return undefined
    const same = [...names.values()].filter((other) => other.replace(/\d+$/, '') === name).length
    const own = same === 0 ? name : `${name}${same + 1}`
    names.set(type, own)
    return own
  }

  function propertiesOf(type: ts.Type, at: string): Schema {
    if (['Map', 'ReadonlyMap', 'Set', 'ReadonlySet'].includes(type.symbol?.name ?? ''))
      throw new Error(`${at}: JSON has no ${checker.typeToString(type)}`)
    const properties: Record<string, Schema> = {}
    const required: string[] = []
    for (const property of checker.getPropertiesOfType(type)) {
      const own = checker.getTypeOfSymbol(property)
      if (own.getCallSignatures().length > 0) continue
      const { name } = property
      const description = ts.displayPartsToString(property.getDocumentationComment(checker))
      if (!(own.flags & ts.TypeFlags.Undefined))
        properties[name] = {
          ...schemaOf(own, `${at}.${name}`),
          ...(description === '' ? {} : { description }),
        }
      const mayBeAbsent = own.isUnion() && own.types.some(({ flags }) => flags & ts.TypeFlags.Undefined)
      if (!(property.flags & ts.SymbolFlags.Optional) && !mayBeAbsent && name in properties)
        required.push(name)
    }
    const [index] = checker.getIndexInfosOfType(type)
    return {
      type: 'object',
      ...(Object.keys(properties).length === 0 ? {} : { properties }),
      ...(required.length === 0 ? {} : { required }),
      ...(index === undefined ? {} : { additionalProperties: schemaOf(index.type, `${at}.*`) }),
    }
  }

  /** The schema of a type with the definitions that it needs. */
  return (type: ts.Type, at: string): Schema => {
    definitions = {}
    names.clear()
    const schema = schemaOf(type, at)
    const sorted = Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1))
    return { ...schema, ...(sorted.length === 0 ? {} : { $defs: Object.fromEntries(sorted) }) }
  }
}
