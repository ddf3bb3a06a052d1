import type { EventStreamReady, Me, StreamedEvent } from '@querypost/client'
import type { Context } from '../command.ts'
import { eventTypes } from '../event-type.ts'
import type { Forwarded } from './forward.ts'

/** What `listen` says: a line for each event, or a JSON document on each line. */
export interface ListenerOutput {
  ready(ready: EventStreamReady, isAgain: boolean): void
  event(event: StreamedEvent, cameAt: Date, forwarded: Forwarded | null): void
  reconnecting(why: string | undefined, waitMs: number): void
  summary(counts: { events: number; delivered: number; failed: number }): void
}

const widestType = Math.max(...eventTypes.map(({ length }) => length))

const secretHint =
  '  If it is the signature: does the receiver have the secret above, and the raw body? `querypost verify` tells what is wrong.\n'
const missedHint = 'Some events were missed: they happened more than an hour ago. The log of an endpoint has them.\n'

export function makeListenerOutput(
  context: Context,
  options: { me: Me; target: URL | null; isPrinting: boolean },
): ListenerOutput {
  const { stdout, stderr, isJson } = context
  const { stdout: paint, stderr: paintHint } = context.paint
  const { me, target } = options
  let isSecretHintGiven = false

  /** Said once: it is the first thing to look at, and a nuisance the second time. */
  function hintAtSecret({ status }: Forwarded) {
    if (isSecretHintGiven || ![400, 401, 403].includes(status ?? 0)) return
    isSecretHintGiven = true
    stderr.write(paintHint.dim(secretHint))
  }

  return {
    ready({ secret, hasMissedEvents }, isAgain) {
      if (isJson) stdout.write(`${JSON.stringify({ kind: 'ready', secret, hasMissedEvents })}\n`)
      if (hasMissedEvents) stderr.write(paintHint.yellow(missedHint))
      if (isAgain) {
        stderr.write(paintHint.dim('Listening again.\n'))
        return
      }
      const where = target ? `, forwarding to ${paintHint.bold(target.href)}` : ''
      stderr.write(`Listening to the events of ${paintHint.bold(me.organization.name)}${where}. Ctrl-C ends it.\n`)
      if (isJson) return
      stderr.write(`They are signed with a secret of yours, the same each time; no endpoint has it:\n\n`)
      stderr.write(`  export QUERYPOST_WEBHOOK_SECRET=${secret}\n\n`)
    },

    event(event, cameAt, forwarded) {
      if (isJson) {
        stdout.write(`${JSON.stringify({ kind: 'event', ...event, forwarded })}\n`)
        return
      }
      const type = event.type.padEnd(widestType)
      const mark = event.isTest ? paint.dim('  sample') : ''
      stdout.write(`${paint.dim(timeOf(cameAt))}  ${paint.bold(type)}  ${event.id}${mark}${outcomeOf(forwarded)}\n`)
      if (options.isPrinting) stdout.write(`${indented(event.body)}\n`)
      if (forwarded) hintAtSecret(forwarded)
    },

    reconnecting(why, waitMs) {
      const seconds = Math.max(1, Math.round(waitMs / 1000))
      const what = why ?? 'The service ended the connection.'
      stderr.write(paintHint.yellow(`${what} Trying again in ${seconds} s; nothing is missed meanwhile.\n`))
    },

    summary({ events, delivered, failed }) {
      const forwarded = target ? `: ${delivered} delivered, ${failed} failed` : ''
      stderr.write(`\n${events} ${events === 1 ? 'event' : 'events'}${forwarded}.\n`)
      if (failed > 0) stderr.write(paintHint.dim('A real endpoint would be tried eight times, over 36 hours.\n'))
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

/** By the clock on the wall. */
const timeOf = (time: Date) => time.toTimeString().slice(0, 8)

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2).replaceAll(/^/gm, '  ')
}
