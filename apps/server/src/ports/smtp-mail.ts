import nodemailer from 'nodemailer'
import { type Mail, MailError } from './mail.ts'

/** Each limits a period of silence; the signal limits the whole. */
const silenceMs = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 30_000, dnsTimeout: 10_000 }
const connectionsMax = 5

/**
 * Sends mail over SMTP. `smtps://` uses TLS from the first byte; `smtp://` switches to TLS if the server offers it, and
 * `smtp://…?requireTLS=true` fails if it does not. An invalid certificate is rejected in each case.
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
        // For a connection that the server closed while it was idle; the queue retries everything else.
        maxRequeues: 1,
        logger: false,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from: options.from },
    )
  }

  /**
   * A server that responds very slowly can keep its connection as long as it likes, and only a whole pool can be abandoned, not a
   * single e-mail.
   */
  function abandon(stuck: typeof transport) {
    if (transport !== stuck) return
    transport = open()
    stuck.close({ force: true })
  }

  return {
    async send({ id, to, subject, text, html, files = [], headers }, signal) {
      if (signal.aborted) throw interrupted()
      const current = transport
      const aborted = Promise.withResolvers<never>()
      const onAbort = () => {
        abandon(current)
        aborted.reject(interrupted())
      }
      signal.addEventListener('abort', onAbort, { once: true })
      const sending = current.sendMail({
        // As one address, whatever it contains: a string would be parsed as a list.
        to: { name: '', address: to },
        subject,
        text,
        ...(html !== undefined && { html }),
        attachments: files.map(({ fileName, contentType, bytes, contentId }) => ({
          filename: fileName,
          contentType,
          content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
          ...(contentId !== undefined && { cid: contentId, contentDisposition: 'inline' as const }),
        })),
        messageId: `<${id}@querypost>`,
        // Asks auto-responders not to answer.
        headers: { ...headers, 'Auto-Submitted': 'auto-generated' },
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

/** Connects, switches to TLS and signs in as for an e-mail, but sends none. Throws `MailError` with the server's answer. */
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

const interrupted = () => new MailError('Sending took too long or was interrupted.', false)

interface SmtpError extends Error {
  /** Nodemailer's own code. */
  code?: string
  /** The client's last command, or `API` if there was none. */
  command?: string
  responseCode?: number
}

/**
 * Final errors concern this e-mail: its recipient or content is permanently rejected. A failed sign-in, a forbidden sender or an
 * invalid certificate is for the operator to fix, and the e-mail is still worth sending then.
 */
function mailErrorOf(error: SmtpError): MailError {
  const isRefusedForGood = (error.responseCode ?? 0) >= 500 && (error.command === 'RCPT TO' || error.command === 'DATA')
  const isNoAddress = error.code === 'EENVELOPE' && error.command === 'API'
  const isRecipient = isNoAddress || (isRefusedForGood && error.command === 'RCPT TO')
  return new MailError(error.message, isRefusedForGood || isNoAddress, isRecipient)
}
