import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { composeEmail, decideEmail, emailAttemptsMax } from './notification-emails.ts'
import { type ClaimedEmail, notificationKinds } from '../../model/notification.ts'

const baseUrl = 'https://querypost.test'

describe('the outcome of an attempt to send an e-mail', () => {
  test('is sent once the server accepts it, on any attempt', () => {
    for (let attemptNumber = 1; attemptNumber <= emailAttemptsMax; attemptNumber += 1) {
      expect(decideEmail({ outcome: 'taken', attemptNumber })).toEqual({ state: 'sent' })
    }
  })

  test('is retried after temporary rejections: after 1, 5 and 30 minutes, 2 and 6 hours, and then no more', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map((attemptNumber) => {
      const decision = decideEmail({ outcome: 'refused_for_now', attemptNumber })
      return decision.state === 'due' ? decision.waitMs / 60_000 : decision.state
    })
    expect(waits).toEqual([1, 5, 30, 120, 360, 'failed', 'failed'])
  })

  test('is returned without counting the attempt if nothing was sent', () => {
    expect(decideEmail({ outcome: 'not_sent', attemptNumber: 6 })).toEqual({ state: 'given_back' })
  })

  test('fails at once after a permanent rejection', () => {
    expect(decideEmail({ outcome: 'refused_for_good', attemptNumber: 1 })).toEqual({ state: 'failed' })
  })
})

describe('a notification e-mail', () => {
  const failed: Omit<ClaimedEmail, 'attemptNumber' | 'leaseNumber'> = {
    id: 'ntf_1',
    kind: 'run_failed',
    message: 'The automation “Weekly” failed. The model did not respond.',
    link: '/chats/abcdefghjk',
    email: 'ann@example.com',
  }

  test('says what happened, where to look, and how to turn off e-mails', () => {
    expect(composeEmail(failed, { baseUrl })).toEqual({
      id: 'ntf_1',
      to: 'ann@example.com',
      subject: 'Automation failed: The automation “Weekly” failed. The model did not respond.',
      text: [
        failed.message,
        `${baseUrl}/chats/abcdefghjk`,
        `See all notifications, or turn off these e-mails: ${baseUrl}/notifications`,
      ].join('\n\n'),
    })
  })

  test('has a short subject on one line, whatever names the message contains', () => {
    const troublesome = fc.constantFrom('\r', '\n', '\0', ' ', 'a', '\u2028', '\u202E', '😀')
    const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: troublesome }))
    fc.assert(
      fc.property(fc.constantFrom(...notificationKinds), fc.array(anything, { maxLength: 4 }), (kind, parts) => {
        const { subject } = composeEmail({ ...failed, kind, message: parts.join('') }, { baseUrl })
        expect(subject).toMatch(/^[^\p{Cc}\p{Cf}\u2028\u2029]{1,120}$/u)
      }),
      { seed: 4 },
    )
  })
})
