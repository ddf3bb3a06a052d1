import { Worker } from 'node:worker_threads'
import { type Email, type Mail, MailError } from './mail.ts'

/** Messages to the thread and from it. The number of an e-mail connects them. */
export type MailRequest = { act: 'send'; number: number; email: Email } | { act: 'stop'; number: number }
export interface MailAnswer {
  number: number
  failure: { message: string; isFinal: boolean; isRecipient: boolean } | null
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const post = (thread: Worker, request: MailRequest) => thread.postMessage(request)

/**
 * Sends mail like `makeMail`, in a thread of its own: encoding e-mails and talking to the mail server would delay requests. The thread
 * starts with the first e-mail. If it fails, so do the e-mails that it was sending, and the next one starts another thread.
 */
export function makeThreadedMail(options: { url: string; from: string }): Mail {
  let thread: Worker | undefined
  let lastNumber = 0
  const waiting = new Map<number, (failure: MailAnswer['failure']) => void>()

  function start(): Worker {
    const started = new Worker(new URL('./mail-thread.ts', import.meta.url), { workerData: options })
    started.on('message', ({ number, failure }: MailAnswer) => waiting.get(number)?.(failure))
    started.on('error', (error) => lose(started, error.message))
    started.on('exit', () => lose(started, 'The thread that sends e-mails has ended.'))
    // The service ends without waiting for idle connections.
    started.unref()
    return started
  }

  function lose(lost: Worker, message: string): void {
    if (thread !== lost) return
    thread = undefined
    for (const settle of waiting.values()) settle({ message, isFinal: false, isRecipient: false })
  }

  return {
    async send(email, signal) {
      const current = (thread ??= start())
      const number = ++lastNumber
      const stop = () => post(current, { act: 'stop', number })
      const failure = await new Promise<MailAnswer['failure']>((resolve) => {
        waiting.set(number, resolve)
        signal.addEventListener('abort', stop, { once: true })
        post(current, { act: 'send', number, email })
        if (signal.aborted) stop()
      })
      waiting.delete(number)
      signal.removeEventListener('abort', stop)
      if (failure) throw new MailError(failure.message, failure.isFinal, failure.isRecipient)
    },
    async close() {
      await thread?.terminate()
    },
  }
}
