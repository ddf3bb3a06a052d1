/** The thread that sends e-mails: `threaded-mail.ts` starts it. */
import { parentPort, workerData } from 'node:worker_threads'
import { MailError } from './mail.ts'
import { makeMail } from './smtp-mail.ts'
import type { MailAnswer, MailRequest } from './threaded-mail.ts'

const mail = makeMail(workerData as Parameters<typeof makeMail>[0])
const sending = new Map<number, AbortController>()

async function send({ number, email }: Extract<MailRequest, { act: 'send' }>): Promise<MailAnswer> {
  const stopping = new AbortController()
  sending.set(number, stopping)
  try {
    await mail.send(email, stopping.signal)
    return { number, failure: null }
  } catch (error) {
    const { message, isFinal, isRecipient } = error instanceof MailError ? error : new MailError(String(error), false)
    return { number, failure: { message, isFinal, isRecipient } }
  } finally {
    sending.delete(number)
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const post = (answer: MailAnswer) => parentPort!.postMessage(answer)

parentPort!.on('message', (request: MailRequest) => {
  if (request.act === 'stop') sending.get(request.number)?.abort()
  else void send(request).then(post)
})
