import * as z from 'zod'

/** A name, `namespace/name` or selector in an expectation. */
export const reference = z.string().min(1)

/** One reference or several. */
export const references = z.union([reference, z.array(reference).min(1)])
