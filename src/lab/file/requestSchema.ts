import * as z from 'zod'
import { durationSchema } from './duration.js'

/** Text that goes into an argument array: a NUL byte would end it. */
export const argument = z.string().refine((text) => !text.includes('\0'), 'must not hold a NUL character')
/** Text that must stay on its line in a request. */
export const line = z.string().regex(/^\P{Cc}*$/u, 'must not hold control characters')
export const lineSome = line.min(1)

const url = line.regex(/^https?:\/\/[^\s/]/, 'is not an http:// or https:// URL')
const host = line.regex(/^[A-Za-z0-9{]/, 'is not a host: write an address, or a name in braces')
const port = z.union([
  z.int().min(1).max(65535),
  z.string().regex(/^\{[^{}]+\}$/, 'is not a port: write a number, or {service.nodePort}'),
])

const curlFields = z.strictObject({
  url: url.describe('The URL, http or https; {name} is replaced by an address.'),
  method: line
    .regex(/^[A-Za-z]+$/, 'is not an HTTP method')
    .optional()
    .describe('The HTTP method. Default: GET, or POST with a body.'),
  headers: z
    .record(line.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is not a header name'), line)
    .optional()
    .describe('Headers of the request, by name.'),
  body: argument.optional().describe('The body of the request.'),
  resolve: lineSome
    .optional()
    .describe('The address of the host in the URL, for a name that no DNS server has.'),
  http: z
    .union([z.literal(1.1), z.literal(2)])
    .optional()
    .describe('HTTP version. Default: 2 if the server offers it over TLS, 1.1 otherwise.'),
  cacert: argument
    .min(1)
    .optional()
    .describe("A file of CA certificates (PEM), relative to the folder of lab.yaml. Default: the host's."),
  insecure: z.boolean().optional().describe('Accept any server certificate. Default: false.'),
  timeout: durationSchema.optional().describe('Time limit of the transfer. Default: 30s.'),
})

const ncFields = z.strictObject({
  host: host.describe('An address, a name in braces, or a name that the DNS of the place knows.'),
  port: port.describe('A number, or a name in braces such as {service.nodePort}.'),
  udp: z.boolean().optional().describe('Use UDP instead of TCP. Default: false.'),
  sourcePort: z.int().min(1).max(65535).optional().describe('The source port. Default: a free port.'),
  send: argument.optional().describe('Text to send; nc adds a newline.'),
  timeout: durationSchema.optional().describe('Time limit for the answer. Default: 30s.'),
})

const pingFields = z.strictObject({
  host: host.describe('An address, a name in braces, or a name that the DNS of the place knows.'),
  count: z.int().min(1).max(100).optional().describe('Number of echo requests. Default: 1.'),
  timeout: durationSchema.optional().describe('Time limit for each answer. Default: 30s.'),
})

const argv = z.array(argument).min(1)
const commandFields = z.strictObject({
  argv: argv.describe('Program and arguments.'),
  stdin: argument
    .optional()
    .describe('A file for its standard input, such as saved rules; relative to the folder of lab.yaml.'),
  timeout: durationSchema.optional().describe('Time limit of the command. Default: 30s.'),
})

/** The kinds of requests: the actions that a place of the lab runs. */
export const requestShape = {
  curl: z.union([url, curlFields]).optional().describe('An HTTP request: the URL, or a mapping.'),
  nc: ncFields.optional().describe('A TCP or UDP exchange with netcat.'),
  ping: z.union([host, pingFields]).optional().describe('ICMP echo requests: the host, or a mapping.'),
  command: z
    .union([argv, commandFields])
    .optional()
    .describe('A command: the list of program and arguments, or a mapping. No shell is used.'),
}

/** The requests as lab.yaml writes them. */
export type RequestFile = z.infer<z.ZodObject<typeof requestShape>>
