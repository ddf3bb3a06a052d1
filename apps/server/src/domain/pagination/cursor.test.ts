import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../refusal.ts'
import type { RefusalCode } from '../../model/error-code.ts'
import { type Cursor, cursorLifetimeMs, expiredSnapshot, historyKeptMs, makeCursorCodec } from './cursor.ts'

const codec = makeCursorCodec({ secretKey: Buffer.alloc(32, 1) })
const issuedAt = new Date('2026-01-05T09:00:00.000Z')
const later = (ms: number) => new Date(issuedAt.getTime() + ms)

const cursor: Cursor = {
  list: 'references',
  organizationId: 'org_shop',
  systemIdentifier: '7591234567890123456',
  snapshot: '744:750:744,747',
  after: { createdAt: '2026-01-05T08:59:59.123456Z', id: 'ref_last' },
  sequenceStartedAt: issuedAt,
  issuedAt,
}
const expected = {
  list: cursor.list,
  organizationId: cursor.organizationId,
  systemIdentifier: cursor.systemIdentifier,
  now: issuedAt,
}
const text = codec.encode(cursor)

function refusal(act: () => unknown): Refusal {
  try {
    act()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('it was not rejected')
}

const decoding = (given: string, differently: Partial<typeof expected> = {}) =>
  refusal(() => codec.decode(given, { ...expected, ...differently }))

const withCode = (code: RefusalCode, message: RegExp) => ({ code, message: expect.stringMatching(message) as string })

const notOurs = /not a cursor that this service issued.*Send the previous page's nextCursor unchanged/

describe('a cursor', () => {
  test('is decoded to what was encoded, whatever it contains', () => {
    const time = fc.date({ min: new Date(0), max: new Date('2100-01-01T00:00:00.000Z'), noInvalidDate: true })
    const cursors = fc.record({
      list: fc.constantFrom('queries' as const, 'references' as const),
      organizationId: fc.string(),
      systemIdentifier: fc.string(),
      snapshot: fc.string(),
      after: fc.record({ createdAt: fc.string(), id: fc.string({ unit: 'grapheme' }) }),
      sequenceStartedAt: time,
      issuedAt: time,
    })
    fc.assert(
      fc.property(cursors, (cursor) => {
        const { list, organizationId, systemIdentifier, sequenceStartedAt, issuedAt } = cursor
        const now = new Date(Math.min(sequenceStartedAt.getTime(), issuedAt.getTime()))
        const text = codec.encode(cursor)
        expect(codec.decode(text, { list, organizationId, systemIdentifier, now })).toEqual(cursor)
        expect(text).toMatch(/^[\w-]+$/)
      }),
      { seed: 1, numRuns: 300 },
    )
  })

  test('stays short enough for a URL, even with many transactions in flight', () => {
    const inFlight = Array.from({ length: 200 }, (_, i) => 4_294_967_296 + 3 * i)
    const snapshot = `${inFlight[0]}:${inFlight.at(-1)! + 1}:${inFlight.join(',')}`
    expect(codec.encode({ ...cursor, snapshot }).length).toBeLessThan(4096)
  })
})

describe('a modified cursor', () => {
  test('is rejected if any one bit changes', () => {
    const bytes = Buffer.from(text, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      expect(decoding(changed.toString('base64url'))).toMatchObject(withCode('cursor_invalid', notOurs))
    }
  })

  test('is rejected if any one character changes', () => {
    const position = fc.nat(text.length - 1)
    const character = fc.string({ unit: 'binary', minLength: 0, maxLength: 2 })
    fc.assert(
      fc.property(position, character, (at, other) => {
        fc.pre(other !== text[at])
        expect(decoding(text.slice(0, at) + other + text.slice(at + 1))).toMatchObject(withCode('cursor_invalid', notOurs))
      }),
      { seed: 2, numRuns: 500 },
    )
  })

  test('is rejected if characters are removed or added', () => {
    for (let length = 0; length < text.length; length++) {
      expect(decoding(text.slice(0, length))).toMatchObject(withCode('cursor_invalid', notOurs))
      expect(decoding(text.slice(text.length - length))).toMatchObject(withCode('cursor_invalid', notOurs))
    }
    for (const added of ['A', '=', '==', ' ', '\n', '\0', text]) {
      expect(decoding(text + added)).toMatchObject(withCode('cursor_invalid', notOurs))
      expect(decoding(added + text)).toMatchObject(withCode('cursor_invalid', notOurs))
    }
  })

  test('is rejected in another encoding of the same bytes', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const paddings = [0, 1, 2].map((length) => {
      const padded = codec.encode({ ...cursor, after: { ...cursor.after, id: 'x'.repeat(length) } })
      const last = alphabet.indexOf(padded.at(-1)!)
      return { padded, spare: [1, 2, 3, 15].map((bits) => padded.slice(0, -1) + alphabet[last ^ bits]!) }
    })
    const spellings = paddings.flatMap(({ padded, spare }) => {
      const standard = Buffer.from(padded, 'base64url').toString('base64')
      const same = [...spare, standard, `${padded}=`, ` ${padded}`].filter(
        (other) => other !== padded && Buffer.from(other, 'base64url').equals(Buffer.from(padded, 'base64url')),
      )
      expect(codec.decode(padded, expected)).toMatchObject({ snapshot: cursor.snapshot })
      return same
    })
    expect(spellings.length).toBeGreaterThan(6)
    for (const spelling of spellings) expect(decoding(spelling)).toMatchObject(withCode('cursor_invalid', notOurs))
  })

  test('is rejected if it is made up or signed with another key', () => {
    const others = makeCursorCodec({ secretKey: Buffer.alloc(32, 2) })
    const payload = Buffer.from(text, 'base64url').subarray(16)
    const madeUp = ['', '0', 'null', 'undefined', '..', payload.toString('base64url'), others.encode(cursor)]
    for (const given of madeUp) expect(decoding(given)).toMatchObject(withCode('cursor_invalid', notOurs))
    expect(decoding('x').details).toEqual([
      { path: 'cursor', message: 'it is not a cursor that this service issued' },
    ])
  })
})

describe('a cursor used elsewhere', () => {
  test('is rejected by another list, with that reason', () => {
    expect(decoding(text, { list: 'queries' })).toMatchObject(withCode('cursor_invalid', /belongs to another list/))
  })

  test('is rejected for another organization, without saying whose it is', () => {
    const refused = decoding(text, { organizationId: 'org_other' })
    expect(refused).toMatchObject(withCode('cursor_invalid', notOurs))
    expect(JSON.stringify([refused.message, refused.details])).not.toContain('org_')
  })

  test('is expired in another database, or in one restored to before it was issued', () => {
    const replaced = decoding(text, { systemIdentifier: '1' })
    expect(replaced).toMatchObject(withCode('cursor_expired', /database was replaced.*Start a new sequence/))
    expect(expiredSnapshot()).toMatchObject(withCode('cursor_expired', /database was restored.*Start a new sequence/))
  })
})

describe('an old cursor', () => {
  test('is valid for 24 hours, to the millisecond', () => {
    expect(codec.decode(text, { ...expected, now: later(cursorLifetimeMs - 1) })).toEqual(cursor)
    const refused = decoding(text, { now: later(24 * 3600_000) })
    const message = /valid for 24 hours\. Start a new sequence by requesting the list without a cursor/
    expect(refused).toMatchObject(withCode('cursor_expired', message))
  })

  test('counts its 24 hours from its own issue, within the seven days of its sequence', () => {
    const fresh = codec.encode({ ...cursor, issuedAt: later(historyKeptMs - 1000) })
    const decoded = codec.decode(fresh, { ...expected, now: later(historyKeptMs - 1) })
    expect(decoded.sequenceStartedAt).toEqual(issuedAt)
    const refused = decoding(fresh, { now: later(7 * 24 * 3600_000) })
    expect(refused).toMatchObject(withCode('cursor_expired', /7 days from its first page\. Start a new sequence/))
  })

  test('is valid if the clock has gone back to before it was issued', () => {
    expect(codec.decode(text, { ...expected, now: later(-60_000) })).toEqual(cursor)
  })

  test('is rejected as modified if it is both old and modified', () => {
    expect(decoding(text.slice(1), { now: later(10 * historyKeptMs) })).toMatchObject(withCode('cursor_invalid', notOurs))
  })
})
