import { createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Authority, makeAuthority, trust } from '../../testing/servers/certificates.ts'
import { type MailServer, shownHeader, startMailServer } from '../../testing/servers/mail-server.ts'
import { type Email, type Mail, MailError } from './mail.ts'
import { makeMail, tryMail } from './smtp-mail.ts'

const from = 'Querypost <querypost@example.com>'
const text = 'It did.\n\nhttps://x.test/'
const message: Email = { id: 'ntf_1', to: 'ann@example.com', subject: 'Something failed', text }
const never = new AbortController().signal

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function mailServer(options: Parameters<typeof startMailServer>[0] = {}): Promise<MailServer> {
  const server = await startMailServer(options)
  closers.push(() => server.close())
  return server
}

function mailTo(url: string): Mail {
  const mail = makeMail({ url, from })
  closers.push(() => mail.close())
  return mail
}

/** The error for an e-mail that was not accepted. */
async function refusalOf(sending: Promise<void>): Promise<MailError> {
  const error: unknown = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(MailError)
  return error as MailError
}

test('an e-mail arrives as it was sent', async () => {
  const server = await mailServer()
  const wide = 'Zahlungen über 10 € — 失敗.\n.\n\nA line that is long. '.repeat(20).trim()
  await mailTo(server.url).send({ ...message, subject: 'Größer als 5 — 失敗', text: wide }, never)
  const [got] = server.emails
  expect(got).toMatchObject({ from: 'querypost@example.com', to: ['ann@example.com'], text: wide })
  expect(shownHeader(got!, 'subject')).toBe('Größer als 5 — 失敗')
  expect(Object.fromEntries(got!.headers)).toMatchObject({
    from,
    to: 'ann@example.com',
    'message-id': '<ntf_1@querypost>',
    'auto-submitted': 'auto-generated',
    'content-type': 'text/plain; charset=utf-8',
  })
})

test('a subject stays one header, an address one recipient', async () => {
  const server = await mailServer()
  const mail = mailTo(server.url)
  await mail.send({ ...message, subject: 'x\r\nBcc: eve@example.com\r\n\r\nbody\nX-Other: 1' }, never)
  const [got] = server.emails
  expect(got!.to).toEqual(['ann@example.com'])
  expect(got!.text).toBe(message.text)
  const ours = ['auto-submitted', 'date', 'from', 'message-id', 'subject', 'to']
  const ofContent = ['content-transfer-encoding', 'content-type', 'mime-version']
  expect([...got!.headers.keys()].toSorted()).toEqual([...ours, ...ofContent].toSorted())
  for (const to of ['ann@example.com, eve@example.com', 'ann@example.com>\r\nRCPT TO:<eve@example.com', 'nobody']) {
    const error = await refusalOf(mail.send({ ...message, to }, never))
    expect([to, error.isFinal]).toEqual([to, true])
  }
  expect(server.emails).toHaveLength(1)
})

describe('rejections by the server', () => {
  test.each([
    ['recipient', 550, true],
    ['recipient', 450, false],
    ['content', 554, true],
    ['content', 451, false],
  ] as const)('of the %s with %i: final is %s', async (place, status, isFinal) => {
    const server = await mailServer()
    const mail = mailTo(server.url)
    server.answers[place].push({ status, message: 'not like this' })
    const error = await refusalOf(mail.send(message, never))
    expect(error.isFinal).toBe(isFinal)
    expect(error.message).toContain(`${status} not like this`)
    await mail.send(message, never)
    expect(server.emails).toHaveLength(1)
  })

  test('a failed sign-in is for the operator to fix; its password is not revealed', async () => {
    const server = await mailServer({ signIn: { user: 'querypost', password: 'right' } })
    const at = (password: string) => server.url.replace('//', `//querypost:${password}@`)
    const error = await refusalOf(mailTo(at('hush-hush')).send(message, never))
    expect(error.isFinal).toBe(false)
    expect(error.message).toMatch(/535/)
    expect(error.message).not.toMatch(/hush|aHVzaC/)
    await mailTo(at('right')).send(message, never)
    expect(server.emails).toHaveLength(1)
  })

  test('recovers when an unavailable server is back', async () => {
    const first = await startMailServer()
    await first.close()
    const mail = mailTo(first.url)
    const error = await refusalOf(mail.send(message, never))
    expect([error.isFinal, error.message]).toEqual([false, expect.stringContaining('ECONNREFUSED')])
    const second = await mailServer({ port: first.port })
    await mail.send(message, never)
    expect(second.emails).toHaveLength(1)
  })
})

describe('connections', () => {
  test('are reused, and replaced when the server has closed them', async () => {
    const server = await mailServer()
    const mail = mailTo(server.url)
    await mail.send(message, never)
    await mail.send(message, never)
    expect(server.connectionCount()).toBe(1)
    server.dropConnections()
    await mail.send(message, never)
    expect([server.emails.length, server.connectionCount()]).toEqual([3, 2])
  })

  test('that respond too slowly are abandoned with the signal; the next e-mail gets another', async () => {
    const stuck: Server = createServer((socket: Socket) => {
      socket.on('error', () => {})
      socket.write('220-wait')
    })
    stuck.listen(0, '127.0.0.1')
    await once(stuck, 'listening')
    const { port } = stuck.address() as AddressInfo
    const mail = mailTo(`smtp://127.0.0.1:${port}`)
    const patience = new AbortController()
    const connected = once(stuck, 'connection') as Promise<[Socket]>
    const sending = refusalOf(mail.send(message, patience.signal))
    const [socket] = await connected
    const closed = new Promise((resolve) => socket.once('close', resolve))
    patience.abort()
    expect((await sending).isFinal).toBe(false)
    await closed
    stuck.close()
    await once(stuck, 'close')
    const server = await mailServer({ port })
    await mail.send(message, never)
    expect(server.emails).toHaveLength(1)
    expect((await refusalOf(mail.send(message, patience.signal))).isFinal).toBe(false)
    expect(server.emails).toHaveLength(1)
  })
})

describe('TLS', () => {
  let authority: Authority
  beforeAll(async () => {
    authority = await makeAuthority()
  })
  const trusted = () => closers.push(trust(authority))
  const issued = () => authority.issue({ names: ['127.0.0.1'] })

  test('from the first byte with smtps', async () => {
    trusted()
    const server = await mailServer({ secure: true, ...(await issued()) })
    await mailTo(server.url).send(message, never)
    expect(server.emails).toMatchObject([{ isEncrypted: true }])
  })

  test('if the server offers it, with smtp', async () => {
    trusted()
    const server = await mailServer({ offersTls: true, ...(await issued()) })
    await mailTo(server.url).send(message, never)
    expect(server.emails).toMatchObject([{ isEncrypted: true }])
  })

  test('or not at all, if the address allows it and the server offers none', async () => {
    const server = await mailServer()
    const error = await refusalOf(mailTo(`${server.url}?requireTLS=true`).send(message, never))
    expect(error.isFinal).toBe(false)
    expect(server.emails).toEqual([])
  })

  test.each([true, false])('rejects an untrusted certificate (smtps: %s)', async (secure) => {
    const server = await mailServer({ secure, offersTls: true, ...(await issued()) })
    const error = await refusalOf(mailTo(server.url).send(message, never))
    expect([error.isFinal, error.message]).toEqual([false, expect.stringMatching(/certificate/)])
    expect(server.emails).toEqual([])
  })
})

test('tests a server without sending an e-mail', async () => {
  const server = await mailServer({ signIn: { user: 'querypost', password: 'right' } })
  const url = (password: string) => server.url.replace('://', `://querypost:${password}@`)
  await tryMail({ url: url('right') })
  expect((await refusalOf(tryMail({ url: url('wrong') }))).message).toMatch(/535/)
  expect((await refusalOf(tryMail({ url: 'smtp://127.0.0.1:1' }))).message).toMatch(/ECONNREFUSED/)
  expect(server.emails).toEqual([])
})
