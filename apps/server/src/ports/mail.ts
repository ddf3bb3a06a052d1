import nodemailer from 'nodemailer'

/** E-mail, as the operator has set it up. */
export interface Mail {
  /**
   * Throws `MailError` when the server did not take it, or when the signal aborted before it was known to have done so.
   */
  send(letter: Letter, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export interface Letter {
  /** The same in every attempt to send the same letter: by it mail programs know a second copy. */
  id: string
  to: string
  subject: string
  text: string
}

/** `isFinal`: the server will not take it however often it is tried. */
export class MailError extends Error {
  override readonly name = 'MailError'
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}

/** Each of these is a silence; the signal bounds the whole. */
const silenceMs = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000, dnsTimeout: 10_000 }
const connectionsMax = 5

/**
 * By SMTP. `smtps://` speaks TLS from the first byte; `smtp://` changes to TLS when the server offers it, and
 * `smtp://…?requireTLS=true` refuses to go on without. A certificate that does not hold is refused in each case.
 */
export function makeMail(options: { url: string; from: string }): Mail {
  let transport = open()
  function open() {
    return nodemailer.createTransport(
      {
        ...silenceMs,
        url: options.url,
        pool: true,
        maxConnections: connectionsMax,
        // A connection that the server closed while nobody used it; whatever else goes wrong is tried again by the
        // queue.
        maxRequeues: 1,
        logger: false,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from: options.from },
    )
  }

  /**
   * A server that answers by drops keeps its connection for as long as it likes; only a pool can be given up, not a
   * letter.
   */
  function giveUp(stuck: typeof transport) {
    if (transport !== stuck) return
    transport = open()
    stuck.close({ force: true })
  }

  return {
    async send({ id, to, subject, text }, signal) {
      if (signal.aborted) throw interrupted()
      const current = transport
      const aborted = Promise.withResolvers<never>()
      const onAbort = () => {
        giveUp(current)
        aborted.reject(interrupted())
      }
      signal.addEventListener('abort', onAbort, { once: true })
      const sending = current.sendMail({
        // As one address, whatever it contains: a text would be read as a list.
        to: { name: '', address: to },
        subject,
        text,
        messageId: `<${id}@querypost>`,
        // Asks vacation programs not to answer.
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      try {
        await Promise.race([sending, aborted.promise])
      } catch (error) {
        throw error instanceof MailError ? error : mailErrorOf(error as SmtpError)
      } finally {
        signal.removeEventListener('abort', onAbort)
      }
    },
    async close() {
      transport.close({ force: true })
    },
  }
}

/** Connects, changes to TLS and signs in as for a letter, and sends none. Throws `MailError` with what the server said. */
export async function tryMail(options: { url: string }): Promise<void> {
  const transport = nodemailer.createTransport({ ...silenceMs, url: options.url, logger: false })
  try {
    await transport.verify()
  } catch (error) {
    throw mailErrorOf(error as SmtpError)
  } finally {
    transport.close()
  }
}

const interrupted = () => new MailError('It took too long, or was interrupted.', false)

interface SmtpError extends Error {
  /** Nodemailer's own. */
  code?: string
  /** What the client had said, or `API` when it never came to speak. */
  command?: string
  responseCode?: number
}

/**
 * Final is what concerns this letter: its recipient or its content is refused for good. A sign-in that fails, a sender
 * that is not allowed, a certificate that does not hold: these are the operator's to mend, and the letter is still
 * worth sending then.
 */
function mailErrorOf(error: SmtpError): MailError {
  const isRefusedForGood = (error.responseCode ?? 0) >= 500 && (error.command === 'RCPT TO' || error.command === 'DATA')
  const isNoAddress = error.code === 'EENVELOPE' && error.command === 'API'
  return new MailError(error.message, isRefusedForGood || isNoAddress)
}
