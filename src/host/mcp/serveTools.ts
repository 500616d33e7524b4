import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type * as z from 'zod'

/** A tool of the Model Context Protocol: a question, or a change. */
export interface Tool {
  readonly name: string
  readonly title: string
  /** What it answers, for the program that chooses among tools. */
  readonly description: string
  readonly input: z.ZodObject
  /** False for a tool that starts, changes or removes labs. */
  readonly readOnly: boolean
  /** Called with input that the schema accepts. What it throws is an answer that failed. */
  call(input: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ToolAnswer>
}

export interface ToolAnswer {
  readonly text: string
  /** The question has no answer: the text is the reason. */
  readonly failed?: boolean
  /** The same answer as a value, if it was requested. */
  readonly value?: Readonly<Record<string, unknown>>
}

/** What the server says of itself. */
export interface ServedTools {
  readonly version: string
  /** How to use the tools, for the program that calls them. */
  readonly instructions: string
  readonly tools: readonly Tool[]
}

/** Serves tools on standard input and output, until standard input ends; that aborts calls which still run. */
export async function serveTools({ version, instructions, tools }: ServedTools): Promise<void> {
  const ending = new AbortController()
  const server = new McpServer({ name: 'vethlab', title: 'vethlab', version }, { instructions })
  for (const tool of tools) {
    const { name, title, description, input, readOnly } = tool
    const annotations = { readOnlyHint: readOnly, openWorldHint: false }
    server.registerTool(
      name,
      { title, description, inputSchema: input, annotations },
      async (given, { signal }) => {
        const { text, failed, value } = await tool.call(given, AbortSignal.any([signal, ending.signal]))
        return {
          content: [{ type: 'text', text }],
          ...(failed === true ? { isError: true } : {}),
          ...(value === undefined ? {} : { structuredContent: { ...value } }),
        }
      },
    )
  }
  const ended = new Promise<void>((resolve) => process.stdin.once('end', resolve))
  await server.connect(new StdioServerTransport())
  await ended
  ending.abort()
  await server.close()
}
