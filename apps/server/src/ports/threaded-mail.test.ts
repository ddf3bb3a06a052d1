import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../testing/servers/mail-server.ts'
import type { Email, Mail } from './mail.ts'
import { makeThreadedMail } from './threaded-mail.ts'

const message: Email = { id: 'ntf_1', to: 'ann@example.com', subject: 'Something failed', text: 'It did.' }
const never = new AbortController().signal

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function mailServer(): Promise<MailServer> {
  const server = await startMailServer()
  closers.push(() => server.close())
  return server
}
function mailTo(url: string): Mail {
  const mail = makeThreadedMail({ url, from: 'querypost@example.com' })
  closers.push(() => mail.close())
  return mail
}

test('e-mails arrive with their files', async () => {
  const server = await mailServer()
  const mail = mailTo(server.url)
  const files = [{ fileName: 'a.csv', contentType: 'text/csv', bytes: Buffer.from('a,b\n') }]
  await Promise.all(['ann', 'bob', 'eve'].map((name) => mail.send({ ...message, to: `${name}@example.com`, files }, never)))
  expect(server.emails.flatMap(({ to }) => to).toSorted()).toEqual(['ann@example.com', 'bob@example.com', 'eve@example.com'])
})

test('a rejection says whether it is final', async () => {
  const server = await mailServer()
  server.answers.recipient.push({ status: 550, message: 'No such mailbox' })
  await expect(mailTo(server.url).send(message, never)).rejects.toMatchObject({ name: 'MailError', isFinal: true, isRecipient: true })
})

test('sending ends when the signal aborts, before and during it', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  closers.push(() => silent.close())
  const mail = mailTo(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`)
  const stopping = new AbortController()
  const connected = once(silent, 'connection')
  const sending = expect(mail.send(message, stopping.signal)).rejects.toMatchObject({ name: 'MailError', isFinal: false })
  await connected
  stopping.abort()
  await sending
  await expect(mail.send(message, stopping.signal)).rejects.toThrow('interrupted')
})

test('a thread that ends fails its e-mails, and the next one starts another', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  closers.push(() => silent.close())
  const mail = mailTo(`smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`)
  for (let times = 0; times < 2; times++) {
    const connected = once(silent, 'connection')
    const sending = expect(mail.send(message, never)).rejects.toMatchObject({ name: 'MailError', isFinal: false })
    await connected
    await mail.close()
    await sending
  }
})
