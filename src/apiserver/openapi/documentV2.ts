import { acceptsJson, parseAccept } from '../accept.js'
import { notAcceptable } from '../status.js'

const swagger = '2.0'
const info = { title: 'Kubernetes API of a vethlab lab', version: 'v1' }
const protobuf = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

/**
 * `GET /openapi/v2`, which kubectl reads to validate a `List`; it accepts objects of which the document says nothing, and the server
 * validates them. The fields are in the documents of version 3. Throws a 406 Status.
 */
export function openApiV2(accept: string | undefined): {
  readonly contentType: string
  readonly body: string
} {
  const ranges = parseAccept(accept)
  // clients write the version of the format with a dot or with an at sign
  if (ranges.some(({ type }) => type.replace('@', '.') === protobuf))
    // Document of github.com/google/gnostic-models/openapiv2
    return {
      contentType: protobuf,
      body: field(1, swagger) + field(2, field(1, info.title) + field(2, info.version)),
    }
  if (!ranges.some(acceptsJson)) throw notAcceptable(['application/json', protobuf])
  return { contentType: 'application/json', body: `${JSON.stringify({ swagger, info, paths: {} })}\n` }
}

/** A field of a protobuf message whose content is ASCII and short. */
function field(number: number, content: string): string {
  return String.fromCharCode(number * 8 + 2, content.length) + content
}
