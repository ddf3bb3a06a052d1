import { CommandError, type Context, defineCommand } from '../command.ts'
import { formatChecks } from '../checks.ts'
import { readInput } from '../read-input.ts'
import { type CapturedRequest, UnreadableRequest } from '../verify/captured-request.ts'
import { diagnose, type Diagnosis } from '../verify/diagnose.ts'
import { splitSecrets } from '../verify/examine-secrets.ts'
import { readJsonRequest } from '../verify/read-json-request.ts'
import { readRawRequest } from '../verify/read-raw-request.ts'

const secretVariable = 'QUERYPOST_WEBHOOK_SECRET'

export const command = defineCommand({
  usage: '[--request <file> | --body <file> --header <header> …]',
  description:
    'Verifies a captured webhook request as a receiver does, and explains what is wrong: the clock, the secret, how the ' +
    'body was changed, a missing header. It reads the request from standard input or a file: as sent over the wire, as ' +
    'shown by `curl -v`, `nc` or a proxy, as a HAR file, or as JSON {"headers", "body"}.\n' +
    '\n' +
    `The endpoint’s secret comes from ${secretVariable} (separate several with spaces or commas) or from --secret-file, ` +
    'not from an option, because other users of the machine can see command lines. Exit code 0: genuine; 1: not genuine; 2: wrong usage.',
  examples: [
    { line: 'querypost verify --request captured.txt', description: 'verify a request in a file' },
    { line: 'nc -l 4000 | querypost verify', description: 'verify the next request that arrives' },
    {
      line: "querypost verify --body body.json --header 'svc-webhook-id: evt_…' --header 'svc-webhook-timestamp: 17…' --header 'svc-webhook-signature: v1=…'",
      description: 'verify a body and its headers',
    },
    {
      line: 'querypost verify --request captured.txt --at 2026-09-21T14:13:20Z',
      description: 'verify it as of a given time',
    },
  ],
  options: {
    request: { type: 'string', value: 'file', description: 'the captured request; - for standard input' },
    body: { type: 'string', value: 'file', description: 'only the body, byte for byte; - for standard input' },
    header: { type: 'string', multiple: true, value: 'name: value', description: 'a header for --body; repeat for more' },
    'secret-file': { type: 'string', value: 'file', description: `read the secret from this file instead of ${secretVariable}` },
    at: { type: 'string', value: 'time', description: 'verify as of this time: ISO 8601 or Unix seconds (default: now)' },
    tolerance: { type: 'string', value: 'seconds', default: '300', description: 'how far off the send time may be (default: 300)' },
  },
  common: ['json'],
  async run(context, { operands, options }) {
    if (operands.length > 0)
      throw new CommandError(2, `To name a file, use --request ${operands[0]}`)
    const secrets = await readSecrets(context, options['secret-file'])
    const toleranceSeconds = readTolerance(options.tolerance)
    const at = options.at === undefined ? undefined : readTime(options.at)
    const request = await readRequest(context, options)
    const now = at ?? request.capturedAt ?? context.clock.now()
    const diagnosis = await diagnose({ request, secrets, now, toleranceSeconds })
    printDiagnosis(context, diagnosis, request.notes)
    return diagnosis.isGenuine ? 0 : 1
  },
})

function printDiagnosis({ isJson, stdout, stderr, paint }: Context, diagnosis: Diagnosis, notes: string[]) {
  const { isGenuine, code, message, event, checks } = diagnosis
  for (const note of notes) stderr.write(`${note}\n`)
  if (isJson) {
    stdout.write(`${JSON.stringify({ isGenuine, code, message, event, checks })}\n`)
    return
  }
  const verdict = isGenuine ? paint.stdout.green('Genuine.') : `${paint.stdout.red('Not genuine:')} ${code}`
  stdout.write(`${verdict}\n\n${formatChecks(checks, paint.stdout)}`)
}

async function readSecrets(context: Context, file: string | undefined): Promise<string[]> {
  const given =
    file === undefined ? context.environment[secretVariable] : (await readInput(context, file)).toString('utf8')
  const secrets = splitSecrets(given ?? '')
  if (secrets.length > 0) return secrets
  throw new CommandError(
    2,
    `Set ${secretVariable} to the endpoint’s secret (whsec_…), or name a file with --secret-file.`,
  )
}

async function readRequest(
  context: Context,
  options: { request: string | undefined; body: string | undefined; header: string[] | undefined },
): Promise<CapturedRequest> {
  if (options.body !== undefined) {
    if (options.request !== undefined) throw new CommandError(2, 'Use either --request, or --body with --header.')
    return {
      headers: (options.header ?? []).map(readHeader),
      body: Uint8Array.from(await readInput(context, options.body)),
      notes: [],
    }
  }
  if (options.header) throw new CommandError(2, '--header needs --body.')
  const bytes = await readInput(context, options.request ?? '-')
  try {
    const isJson = /^\uFEFF?\s*[[{]/.test(bytes.subarray(0, 100).toString('utf8'))
    return (isJson && readJsonRequest(bytes.toString('utf8').replace(/^\uFEFF/, ''))) || readRawRequest(bytes)
  } catch (error) {
    if (error instanceof UnreadableRequest) throw new CommandError(2, error.message)
    throw error
  }
}

function readHeader(text: string): [string, string] {
  const colon = text.indexOf(':')
  if (colon < 1) throw new CommandError(2, `--header ${JSON.stringify(text)} is not of the form 'name: value'.`)
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()]
}

function readTime(text: string): Date {
  const time = new Date(/^\d{1,12}$/.test(text) ? Number(text) * 1000 : text)
  if (Number.isNaN(time.getTime()))
    throw new CommandError(2, `--at ${text} is not a time. Example: --at 2026-09-21T14:13:20Z`)
  return time
}

function readTolerance(text: string): number {
  const seconds = Number(text)
  if (text.trim() === '' || !Number.isFinite(seconds) || seconds < 0) {
    throw new CommandError(2, `--tolerance ${text} is not a number of seconds. Example: --tolerance 300`)
  }
  return seconds
}
