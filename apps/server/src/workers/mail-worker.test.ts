import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { notify } from '../domain/notifications/notify.ts'
import { emailAttemptsMax, emailLeaseMs, emailTooOldMs, emailWaitsMs } from '../domain/notifications/notification-emails.ts'
import type { NotificationKind } from '../model/notification.ts'
import { type Mail, MailError } from '../ports/mail.ts'
import { makeMail } from '../ports/smtp-mail.ts'
import { makeSampler } from '../ports/telemetry/sampler.ts'
import { makeTracer } from '../ports/telemetry/spans.ts'
import { formatTraceparent } from '../ports/telemetry/traceparent.ts'
import { claimEmails, recordEmail } from '../store/notifications/claim-emails.ts'
import { type MailServer, startMailServer } from '../../testing/servers/mail-server.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../testing/test-service.ts'
import { ruleKindsOf, storeKinds } from '../../testing/store/test-store.ts'
import { makeMailWorker } from './mail-worker.ts'
import { makeSqlEmailStore } from '../store/notifications/email-store.ts'
import { pollPause } from '../../testing/poll-pause.ts'

const minute = 60_000
const hour = 60 * minute

describe.each(storeKinds)('notification e-mails on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let member: TestPerson
  let server: MailServer
  let mail: Mail
  const stops: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    member = await shop.addPerson('member', 'member@shop.test')
  })
  afterAll(() => service.stop())
  beforeEach(async () => {
    await service.services.db.deleteFrom('notifications').execute()
    await service.services.db.updateTable('users').set({ email_notifications: true, comment_emails: true }).execute()
    server = await startMailServer()
    mail = makeMail({ url: server.url, from: 'Querypost <querypost@example.com>' })
  })
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
    await mail.close()
    await server.close()
  })

  function startWorker(using: Mail = mail) {
    const worker = makeMailWorker({ ...service.services, emails: makeSqlEmailStore(service.services.db), mail: using })
    worker.start()
    const stop = () => worker.stop({ graceMs: 0 })
    stops.push(stop)
    return { stop }
  }

  async function tell(message: string, person = member, about: NotificationKind = 'run_failed') {
    const { db, clock, random } = service.services
    const notification = { kind: about, message, link: '/chats/abcdefghjk' } as const
    await db.transaction().execute((tx) => notify({ tx, clock, random }, { ...person.caller, ...notification }))
  }

  const wake = () => service.services.wakeups.wake('mail')
  /** A busy worker does not sleep yet, so it would not notice that time has passed. */
  function leap(ms: number) {
    service.clock.leap(ms)
    wake()
  }
  const rows = () =>
    service.services.db
      .selectFrom('notifications')
      .select(['message', 'email_state as state', 'email_attempt_count as attempts', 'email_next_attempt_at as next'])
      .orderBy('created_at')
      .orderBy('message')
      .execute()

  /** The store is written after the server has responded, so assertions about it may have to wait. */
  async function until(isSo: (all: Awaited<ReturnType<typeof rows>>) => boolean) {
    for (;;) {
      const all = await rows()
      if (isSo(all)) return all
      await pollPause()
    }
  }
  const ended = () => until((all) => all.every(({ state }) => state !== 'due'))
  const attempted = (attempts: number, message = 'first') =>
    until((all) => {
      const email = all.find((row) => row.message === message)
      return email?.attempts === attempts && email.next?.getTime() !== leaseEnd().getTime()
    })
  const leaseEnd = () => new Date(service.clock.now().getTime() + emailLeaseMs)

  test.each(ruleKindsOf(kind))('sends a notification once, to its recipient', async () => {
    startWorker()
    await tell('The automation “Weekly” did not finish.')
    wake()
    const [email] = await server.received(1)
    expect(email).toMatchObject({ to: ['member@shop.test'], from: 'querypost@example.com' })
    expect(email!.text).toMatch(/^The automation “Weekly” did not finish\.\n\nhttps:\/\/querypost\.test\/chats\/abcdefghjk\n/)
    expect(await ended()).toEqual([{ message: expect.any(String), state: 'sent', attempts: 1, next: null }])
    leap(hour)
    await tell('Another.', shop.admin)
    wake()
    await server.received(2)
    expect(server.emails.map(({ to }) => to)).toEqual([['member@shop.test'], ['admin@shop.test']])
    await ended()
  })

  test('sends no notification that is read, switched off or a day old', async () => {
    await tell('old')
    await service.clock.advance(24 * hour)
    const wanted = service.services.db.updateTable('users').where('id', '=', member.caller.userId)
    await tell('read')
    expect((await member.page('POST', '/app/api/notifications/read')).statusCode).toBe(200)
    await tell('switched off later')
    await wanted.set({ email_notifications: false }).execute()
    await tell('switched off before')
    await tell('wanted', shop.admin)
    expect((await rows()).map(({ message, state }) => [message, state])).toEqual([
      ['old', 'due'],
      ['read', 'due'],
      ['switched off before', null],
      ['switched off later', 'due'],
      ['wanted', 'due'],
    ])
    startWorker()
    await server.received(1)
    expect((await ended()).map(({ message, state, attempts }) => [message, state, attempts])).toEqual([
      ['old', null, 0],
      ['read', null, 0],
      ['switched off before', null, 0],
      ['switched off later', null, 0],
      ['wanted', 'sent', 1],
    ])
    expect(server.emails).toHaveLength(1)
  })

  test('sends no notification of a comment that is switched off, but others', async () => {
    await tell('reply', member, 'comment_reply')
    await service.services.db.updateTable('users').set({ comment_emails: false }).execute()
    await tell('failure')
    await tell('mention', member, 'comment_mention')
    startWorker()
    await server.received(1)
    expect((await ended()).map(({ message, state }) => [message, state])).toEqual([
      ['failure', 'sent'],
      ['mention', null],
      ['reply', null],
    ])
  })

  test.each(ruleKindsOf(kind))('sends no notification of an organization to its former member', async () => {
    const former = await shop.addPerson('member', 'former@shop.test')
    await tell('of the shop', former)
    for (const table of ['sessions', 'memberships'] as const) {
      await service.services.db.deleteFrom(table).where('user_id', '=', former.caller.userId).execute()
    }
    startWorker()
    expect(await ended()).toMatchObject([{ state: null, attempts: 0 }])
    expect(server.emails).toEqual([])
  })

  test.each(ruleKindsOf(kind))('gives up at once if the recipient does not exist', async () => {
    server.answers.recipient.push({ status: 550, message: 'no such mailbox' })
    await tell('for nobody')
    startWorker()
    expect(await ended()).toMatchObject([{ state: 'failed', attempts: 1, next: null }])
    leap(12 * hour)
    expect(server.emails).toEqual([])
  })

  test.each(ruleKindsOf(kind))('retries after a minute if the server asks for it', async () => {
    server.answers.recipient.push({ status: 450, message: 'greylisted' }, null)
    await tell('later')
    startWorker()
    const [waiting] = await attempted(1, 'later')
    expect(waiting).toMatchObject({ state: 'due', next: new Date(service.clock.now().getTime() + minute) })
    leap(minute - 1)
    expect(server.emails).toEqual([])
    leap(1)
    await server.received(1)
    expect(await ended()).toMatchObject([{ state: 'sent', attempts: 2 }])
  })

  test.each(ruleKindsOf(kind))('sends when an unreachable server is back, and gives up after six attempts', async () => {
    const { port } = server
    await server.close()
    await tell('first')
    startWorker()
    for (const [index, waitMs] of emailWaitsMs.slice(0, 2).entries()) {
      await attempted(index + 1)
      leap(waitMs)
    }
    await attempted(3)
    server = await startMailServer({ port })
    leap(30 * minute)
    await server.received(1)
    expect(await ended()).toMatchObject([{ state: 'sent', attempts: 4 }])

    await server.close()
    await tell('second', shop.admin)
    wake()
    for (const [index, waitMs] of emailWaitsMs.entries()) {
      await attempted(index + 1, 'second')
      leap(waitMs)
    }
    expect((await ended())[1]).toMatchObject({ message: 'second', state: 'failed', attempts: 6, next: null })
  })

  test.each(ruleKindsOf(kind))('two workers send each e-mail once', async () => {
    for (let number = 0; number < 20; number += 1) await tell(`number ${number}`)
    startWorker()
    startWorker()
    await server.received(20)
    const all = await ended()
    expect(all.every(({ state, attempts }) => state === 'sent' && attempts === 1)).toBe(true)
    expect(new Set(server.emails.map(({ headers }) => headers.get('message-id'))).size).toBe(20)
    expect(server.emails).toHaveLength(20)
  })

  test.each(ruleKindsOf(kind))('an e-mail continues the trace of the change that it reports', async () => {
    const sampler = makeSampler({ name: 'parentbased_always_on', ratio: 1 })
    const { clock, random } = service.services
    const span = makeTracer({ clock, random, sampler, showsSql: false, onEnded() {} }).start({ name: 'request', parent: null })
    await span.run(() => tell('traced'))
    const { emails } = await claimEmails(service.services.db, { leaseMs: emailLeaseMs, keptMs: emailTooOldMs, attemptsMax: emailAttemptsMax, count: 5 })
    expect(emails).toMatchObject([{ message: 'traced', traceparent: formatTraceparent(span.context) }])
  })

  test.each(ruleKindsOf(kind))('an e-mail claimed by a worker that died is sent when its lease has expired', async () => {
    await tell('claimed')
    const claim = { leaseMs: emailLeaseMs, keptMs: emailTooOldMs, attemptsMax: emailAttemptsMax, count: 5 }
    const { emails } = await claimEmails(service.services.db, claim)
    expect(emails).toMatchObject([{ message: 'claimed', attemptNumber: 1, email: 'member@shop.test' }])
    expect(await claimEmails(service.services.db, claim)).toEqual({ emails: [], checkedCount: 0 })
    await service.clock.advance(emailLeaseMs)
    startWorker()
    await server.received(1)
    expect(await ended()).toMatchObject([{ state: 'sent', attempts: 2 }])
    // The first worker comes back; its outcome is rejected.
    expect(await recordEmail(service.services.db, emails[0]!, { state: 'failed' }, { endedAgoMs: 0 })).toBe(false)
    expect(await rows()).toMatchObject([{ state: 'sent' }])
  })

  test.each(ruleKindsOf(kind))('does not try every e-mail of a long queue on an unresponsive server', async () => {
    let sendCount = 0
    const away: Mail = {
      send: async () => {
        sendCount += 1
        throw new MailError('no connection', false)
      },
      close: async () => {},
    }
    for (let number = 0; number < 12; number += 1) await tell(`number ${number}`)
    const { stop } = startWorker(away)
    // An attempt counts from its claim on; it has ended when the next attempt is scheduled.
    const nextMs = service.clock.now().getTime() + emailWaitsMs[0]
    await until((all) => all.filter(({ next }) => next?.getTime() === nextMs).length === 5)
    await stop()
    expect(sendCount).toBe(5)
  })

  test.each(ruleKindsOf(kind))('a stop interrupts a hanging e-mail and leaves it due', async () => {
    const begun = Promise.withResolvers<void>()
    const slow: Mail = {
      send: (_letter, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new MailError('interrupted', false)))
          begun.resolve()
        }),
      close: async () => {},
    }
    await tell('slow')
    const { stop } = startWorker(slow)
    await begun.promise
    await stop()
    expect(await rows()).toMatchObject([{ state: 'due', attempts: 0, next: service.clock.now() }])
  })
})
