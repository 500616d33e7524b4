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
  url: url.describe('The URL; {name} stands for an address.'),
  method: line
    .regex(/^[A-Za-z]+$/, 'is not an HTTP method')
    .optional()
    .describe('The HTTP method; GET, or POST with a body.'),
  headers: z
    .record(line.regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is not a header name'), line)
    .optional()
    .describe('Headers of the request, by name.'),
  body: argument.optional().describe('The body of the request.'),
  resolve: lineSome
    .optional()
    .describe("The address that the URL's host stands for, for a name that no DNS server knows."),
  http: z
    .union([z.literal(1.1), z.literal(2)])
    .optional()
    .describe('The version of HTTP: 1.1 or 2; without it 2 where TLS offers it, else 1.1.'),
  cacert: argument
    .min(1)
    .optional()
    .describe(
      'A file of certificates that may vouch for the server: a path, from the folder of lab.yaml on; those of the machine by default.',
    ),
  insecure: z.boolean().optional().describe("Take any server's certificate, whoever vouches for it."),
  timeout: durationSchema.optional().describe('How long the whole transfer may take; 30 seconds by default.'),
})

const ncFields = z.strictObject({
  host: host.describe('An address, or a name in braces.'),
  port: port.describe('The port: a number, or {service.nodePort}.'),
  udp: z.boolean().optional().describe('UDP instead of TCP.'),
  sourcePort: z
    .int()
    .min(1)
    .max(65535)
    .optional()
    .describe('The port that it sends from; one that is free by default.'),
  send: argument.optional().describe('Text to send; a newline is added.'),
  timeout: durationSchema.optional().describe('How long to wait for the answer; 30 seconds by default.'),
})

const pingFields = z.strictObject({
  host: host.describe('An address, or a name in braces.'),
  count: z.int().min(1).max(100).optional().describe('Echo requests to send; 1 by default.'),
  timeout: durationSchema.optional().describe('How long to wait for each answer; 30 seconds by default.'),
})

const argv = z.array(argument).min(1)
const commandFields = z.strictObject({
  argv: argv.describe('Program and arguments; no shell takes part.'),
  timeout: durationSchema.optional().describe('How long the command may run; 30 seconds by default.'),
})

/** What a request may be: the actions that something in the lab carries out. */
export const requestShape = {
  curl: z.union([url, curlFields]).optional().describe('An HTTP request: the URL, or its parts.'),
  nc: ncFields.optional().describe('A TCP or UDP exchange with netcat.'),
  ping: z.union([host, pingFields]).optional().describe('ICMP echo requests: the host, or its parts.'),
  command: z
    .union([argv, commandFields])
    .optional()
    .describe('Any command, as a list of program and arguments.'),
}

/** The requests as lab.yaml writes them. */
export type RequestFile = z.infer<z.ZodObject<typeof requestShape>>
