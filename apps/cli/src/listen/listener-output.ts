import type { EventStreamReady, Me, StreamedEvent } from '@querypost/client'
import type { Context } from '../command.ts'
import { eventTypes } from '../event-type.ts'
import type { Forwarded } from './forward.ts'

/** The output of `listen`: a line of text or of JSON for each event. */
export interface ListenerOutput {
  ready(ready: EventStreamReady, isAgain: boolean): void
  event(event: StreamedEvent, receivedAt: Date, forwarded: Forwarded | null): void
  reconnecting(why: string | undefined, waitMs: number): void
  summary(counts: { events: number; delivered: number; failed: number }): void
}

const widestType = Math.max(...eventTypes.map(({ length }) => length))

const secretHint =
  '  If the signature is rejected, check that the receiver has the secret above and verifies the raw body.\n' +
  '  `querypost verify` explains what is wrong with a request.\n'
const missedHint = 'Events from more than an hour ago were missed. See the delivery log of an endpoint.\n'

export function makeListenerOutput(
  context: Context,
  options: { me: Me; target: URL | null; isPrinting: boolean },
): ListenerOutput {
  const { stdout, stderr, isJson } = context
  const { stdout: paint, stderr: paintHint } = context.paint
  const { me, target } = options
  let isSecretHintPrinted = false

  /** Printed once per session. */
  function printSecretHint({ status }: Forwarded) {
    if (isSecretHintPrinted || ![400, 401, 403].includes(status ?? 0)) return
    isSecretHintPrinted = true
    stderr.write(paintHint.dim(secretHint))
  }

  return {
    ready({ secret, hasMissedEvents }, isAgain) {
      if (isJson) stdout.write(`${JSON.stringify({ kind: 'ready', secret, hasMissedEvents })}\n`)
      if (hasMissedEvents) stderr.write(paintHint.yellow(missedHint))
      if (isAgain) {
        stderr.write(paintHint.dim('Reconnected.\n'))
        return
      }
      const where = target ? `, forwarding to ${paintHint.bold(target.href)}` : ''
      stderr.write(`Listening to events of ${paintHint.bold(me.organization.name)}${where}. Press Ctrl+C to stop.\n`)
      if (isJson) return
      stderr.write('Your local signing secret (stays the same between sessions):\n\n')
      stderr.write(`  export QUERYPOST_WEBHOOK_SECRET=${secret}\n\n`)
    },

    event(event, receivedAt, forwarded) {
      if (isJson) {
        stdout.write(`${JSON.stringify({ kind: 'event', ...event, forwarded })}\n`)
        return
      }
      const type = event.type.padEnd(widestType)
      const mark = event.isTest ? paint.dim('  sample') : ''
      stdout.write(`${paint.dim(formatTime(receivedAt))}  ${paint.bold(type)}  ${event.id}${mark}${outcomeOf(forwarded)}\n`)
      if (options.isPrinting) stdout.write(`${indented(event.body)}\n`)
      if (forwarded) printSecretHint(forwarded)
    },

    reconnecting(why, waitMs) {
      const seconds = Math.max(1, Math.round(waitMs / 1000))
      const reason = why ?? 'The service closed the connection.'
      stderr.write(paintHint.yellow(`${reason} Reconnecting in ${seconds} s. No events are lost.\n`))
    },

    summary({ events, delivered, failed }) {
      const forwarded = target ? `: ${delivered} delivered, ${failed} failed` : ''
      stderr.write(`\n${events} ${events === 1 ? 'event' : 'events'}${forwarded}.\n`)
      if (failed > 0) stderr.write(paintHint.dim('For a real endpoint, failed deliveries are retried: eight attempts over 36 hours.\n'))
    },
  }

  function outcomeOf(forwarded: Forwarded | null): string {
    if (!forwarded) return ''
    const { status, durationMs, failure, attempts } = forwarded
    const times = attempts > 1 ? `, attempt ${attempts}` : ''
    if (failure === null) return `  ${paint.green(`→ ${status}`)} ${paint.dim(`in ${durationMs} ms${times}`)}`
    return `  ${paint.red(`→ ${failure}`)} ${paint.dim(`(${durationMs} ms${times})`)}`
  }
}

/** Local time. */
const formatTime = (time: Date) => time.toTimeString().slice(0, 8)

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2).replaceAll(/^/gm, '  ')
}
