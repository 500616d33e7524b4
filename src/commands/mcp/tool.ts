import * as z from 'zod'
import { isKnownError } from '../../errors.js'
import type { Tool, ToolAnswer } from '../../host/mcp/serveTools.js'

/** A word or a few of them. */
export const text = z.string().min(1).max(4096)

/** What `call` gets for an input schema. */
type Input<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape>>

/** A tool whose faults of the input, and of the host, are answers. */
export function tool<Shape extends z.ZodRawShape>(
  about: Omit<Tool, 'input' | 'call'>,
  shape: Shape,
  call: (input: Input<Shape>, signal: AbortSignal) => Promise<ToolAnswer>,
): Tool {
  return {
    ...about,
    input: z.strictObject(shape),
    async call(input, signal) {
      try {
        return await call(input as Input<Shape>, signal)
      } catch (error) {
        // other errors are the fault of vethlab: the SDK answers with their message
        if (!isKnownError(error)) throw error
        return { text: error.message, failed: true }
      }
    },
  }
}
