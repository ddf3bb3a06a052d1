/**
 * The mail server of the recipients. It runs in a child process at a low priority: in production it is another machine, which takes no
 * processor time from the service.
 */
import { constants, setPriority } from 'node:os'
import { startMailServer } from '@querypost/server/testing'
import { answerRequests, startChild } from '../load/child.ts'

export interface Arrivals {
  url: string
  /** The recipients of the e-mails that arrived after the first `since`, in the order of arrival. */
  to: string[]
  /** When the last one arrived, in milliseconds since 1970. */
  lastAtMs: number
}

export const startMailReceiver = () => startChild<{ since: number }, Arrivals>(new URL(import.meta.url))

async function receive(): Promise<void> {
  setPriority(constants.priority.PRIORITY_LOW)
  const { url, emails, received } = await startMailServer()
  let lastAtMs = 0
  answerRequests(async ({ since }: { since: number }): Promise<Arrivals> => ({
    url,
    to: emails.slice(since).map(({ to }) => to.join()),
    lastAtMs,
  }))
  for (;;) {
    await received(emails.length + 1)
    lastAtMs = Date.now()
  }
}

if (process.send && process.argv[1] === import.meta.filename) void receive()
