import { Complaint, type Context, defineCommand } from '../command.ts'
import { presentChecks } from '../check.ts'
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
    'Checks a captured webhook request as a receiver does, and says what is wrong with it: the clock, the ' +
    'secret, a body that was changed\n' +
    'and how, a header that is missing. The request is read from the standard input if no file is named: as it ' +
    'went over the wire, as\n' +
    '`curl -v`, `nc` or a proxy shows it, as a HAR file, or as JSON {"headers", "body"}.\n' +
    '\n' +
    `The endpoint’s secret comes from ${secretVariable} (several with spaces or commas between them) or --secret-file: what\n` +
    'stands in a command line can be seen by everybody on the machine. Exit code 0: genuine; 1: not; 2: wrong usage.',
  examples: [
    { line: 'querypost verify --request captured.txt', does: 'a request in a file' },
    { line: 'nc -l 4000 | querypost verify', does: 'the next one that comes' },
    {
      line: "querypost verify --body body.json --header 'svc-webhook-id: evt_…' --header 'svc-webhook-timestamp: 17…' --header 'svc-webhook-signature: v1=…'",
      does: 'a body and its headers',
    },
    {
      line: 'querypost verify --request captured.txt --at 2026-09-21T14:13:20Z',
      does: 'as it would have been judged then',
    },
  ],
  options: {
    request: { type: 'string', value: 'file', does: 'the captured request; - for the standard input' },
    body: { type: 'string', value: 'file', does: 'the body alone, byte for byte; - for the standard input' },
    header: { type: 'string', multiple: true, value: 'name: value', does: 'a header, with --body; again for each' },
    'secret-file': { type: 'string', value: 'file', does: `a file with the secret, instead of ${secretVariable}` },
    at: { type: 'string', value: 'time', does: 'judge by this clock: ISO 8601, or seconds since 1970 (now)' },
    tolerance: { type: 'string', value: 'seconds', default: '300', does: 'how far the send time may be off (300)' },
  },
  common: ['json'],
  async run(context, { operands, options }) {
    if (operands.length > 0)
      throw new Complaint(2, `Name the file of a request with --request: --request ${operands[0]}`)
    const secrets = await readSecrets(context, options['secret-file'])
    const toleranceSeconds = readTolerance(options.tolerance)
    const at = options.at === undefined ? undefined : readTime(options.at)
    const request = await readRequest(context, options)
    const now = at ?? request.capturedAt ?? context.clock.now()
    const diagnosis = await diagnose({ request, secrets, now, toleranceSeconds })
    tell(context, diagnosis, request.notes)
    return diagnosis.isGenuine ? 0 : 1
  },
})

function tell({ isJson, stdout, stderr, paint }: Context, diagnosis: Diagnosis, notes: string[]) {
  const { isGenuine, code, message, event, checks } = diagnosis
  for (const note of notes) stderr.write(`${note}\n`)
  if (isJson) {
    stdout.write(`${JSON.stringify({ isGenuine, code, message, event, checks })}\n`)
    return
  }
  const verdict = isGenuine ? paint.stdout.green('Genuine.') : `${paint.stdout.red('Not genuine:')} ${code}`
  stdout.write(`${verdict}\n\n${presentChecks(checks, paint.stdout)}`)
}

async function readSecrets(context: Context, file: string | undefined): Promise<string[]> {
  const given =
    file === undefined ? context.environment[secretVariable] : (await readInput(context, file)).toString('utf8')
  const secrets = splitSecrets(given ?? '')
  if (secrets.length > 0) return secrets
  throw new Complaint(
    2,
    `Set ${secretVariable} to the endpoint’s secret (whsec_…), or name a file that holds it with --secret-file.`,
  )
}

async function readRequest(
  context: Context,
  options: { request: string | undefined; body: string | undefined; header: string[] | undefined },
): Promise<CapturedRequest> {
  if (options.body !== undefined) {
    if (options.request !== undefined) throw new Complaint(2, 'Give either --request or --body with --header.')
    return {
      headers: (options.header ?? []).map(readHeader),
      body: Uint8Array.from(await readInput(context, options.body)),
      notes: [],
    }
  }
  if (options.header) throw new Complaint(2, '--header goes with --body.')
  const bytes = await readInput(context, options.request ?? '-')
  try {
    const isJson = /^\uFEFF?\s*[[{]/.test(bytes.subarray(0, 100).toString('utf8'))
    return (isJson && readJsonRequest(bytes.toString('utf8').replace(/^\uFEFF/, ''))) || readRawRequest(bytes)
  } catch (error) {
    if (error instanceof UnreadableRequest) throw new Complaint(2, error.message)
    throw error
  }
}

function readHeader(text: string): [string, string] {
  const colon = text.indexOf(':')
  if (colon < 1) throw new Complaint(2, `--header ${JSON.stringify(text)} is not of the form 'name: value'.`)
  return [text.slice(0, colon).trim(), text.slice(colon + 1).trim()]
}

function readTime(text: string): Date {
  const time = new Date(/^\d{1,12}$/.test(text) ? Number(text) * 1000 : text)
  if (Number.isNaN(time.getTime()))
    throw new Complaint(2, `--at ${text} is no time. Example: --at 2026-09-21T14:13:20Z`)
  return time
}

function readTolerance(text: string): number {
  const seconds = Number(text)
  if (text.trim() === '' || !Number.isFinite(seconds) || seconds < 0) {
    throw new Complaint(2, `--tolerance ${text} is no number of seconds. Example: --tolerance 300`)
  }
  return seconds
}
