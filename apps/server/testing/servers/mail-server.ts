import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** An e-mail as the server received it. */
export interface ReceivedEmail {
  from: string
  to: string[]
  headers: Map<string, string>
  text: string
  isEncrypted: boolean
}

/** A real SMTP server on loopback with scripted responses. */
export interface MailServer {
  url: string
  port: number
  emails: ReceivedEmail[]
  connectionCount(): number
  /** The responses to the next recipients or messages, one each; `null` accepts. */
  answers: { recipient: (Refused | null)[]; content: (Refused | null)[] }
  /** Resolves when this many e-mails have been accepted. */
  received(count: number): Promise<ReceivedEmail[]>
  /** Closes the connections that clients keep open. */
  dropConnections(): void
  close(): Promise<void>
}

export interface Refused {
  status: number
  message: string
}

export async function startMailServer(
  options: Pick<SMTPServerOptions, 'secure' | 'key' | 'cert'> & {
    port?: number
    /** Without it, no authentication is required. */
    signIn?: { user: string; password: string }
    offersTls?: boolean
  } = {},
): Promise<MailServer> {
  const { port = 0, signIn, offersTls = false, ...tls } = options
  const emails: ReceivedEmail[] = []
  const answers: MailServer['answers'] = { recipient: [], content: [] }
  const waiting = new Set<() => void>()
  const sockets = new Set<{ destroy(): void }>()
  let connectionCount = 0
  const server = new SMTPServer({
    ...tls,
    authOptional: signIn === undefined,
    disabledCommands: [...(offersTls ? [] : ['STARTTLS' as const]), ...(signIn ? [] : ['AUTH' as const])],
    // By default, authentication without TLS is rejected.
    allowInsecureAuth: true,
    closeTimeout: 0,
    disableReverseLookup: true,
    onAuth(given, _session, done) {
      const isRight = given.username === signIn?.user && given.password === signIn?.password
      if (isRight) return done(null, { user: given.username })
      return done(refusal({ status: 535, message: 'Authentication credentials invalid' }))
    },
    onRcptTo(_address, _session, done) {
      const answer = answers.recipient.shift()
      done(answer ? refusal(answer) : null)
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const answer = answers.content.shift()
        if (answer) return done(refusal(answer))
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        emails.push({
          ...parseEmail(Buffer.concat(chunks).toString()),
          from,
          to: rcptTo.map(({ address }) => address),
          isEncrypted: session.secure,
        })
        done(null)
        for (const wake of waiting) wake()
      })
    },
  })
  // Clients may reset their connections.
  server.on('error', () => {})
  server.server.on('connection', (socket) => {
    connectionCount += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const bound = (server.server.address() as AddressInfo).port
  return {
    url: `${tls.secure ? 'smtps' : 'smtp'}://127.0.0.1:${bound}`,
    port: bound,
    emails,
    answers,
    connectionCount: () => connectionCount,
    async received(count) {
      while (emails.length < count) {
        const arrival = Promise.withResolvers<void>()
        waiting.add(arrival.resolve)
        await arrival.promise
        waiting.delete(arrival.resolve)
      }
      return emails
    },
    dropConnections() {
      for (const socket of sockets) socket.destroy()
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

const refusal = ({ status, message }: Refused) => Object.assign(new Error(message), { responseCode: status })

function parseEmail(raw: string): { headers: Map<string, string>; text: string } {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const body = raw.slice(end + 4)
  return { headers, text: decode(body, headers.get('content-transfer-encoding')).replaceAll('\r\n', '\n').trimEnd() }
}

function decode(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  if (encoding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** A header's decoded text, as a mail client shows it. */
export function shownHeader(email: ReceivedEmail, name: string): string {
  const value = email.headers.get(name) ?? ''
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : decode(text.replaceAll('_', ' '), 'quoted-printable'),
    )
}
