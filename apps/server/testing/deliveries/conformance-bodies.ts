import { expect, test } from 'vitest'
import { content, type DeliveryHelpers } from './conformance-helpers.ts'

export function testBodies(helpers: () => DeliveryHelpers): void {
  test.each([
    ['unicode', 'Umsatz +3 % – „schön“ 🎉 \u2028 \u{10FFFF} é e\u0301'],
    ['characters that JSON escapes', 'NUL \u0000, \u001f, "quotes", back\\slash, \\u0000, half a pair \ud800'],
    ['text that looks like SQL or an array', `'; drop table x; -- {a,"b",NULL} $1 \\x41`],
    ['a large text', 'ß0123456789abcde'.repeat(65_536)],
  ])('the body is sent exactly as written: %s', async (_, reason) => {
    const { addEndpoint, publish, claim, claimAndRecord } = helpers()
    await addEndpoint('we_a')
    const { eventId } = await publish(0, { content: content(reason) })
    const [claimed] = (await claim(0)).deliveries
    const createdAt = '2026-03-01T12:00:00.000Z'
    const { type, data } = content(reason)
    expect(claimed!.body === JSON.stringify({ id: eventId, type, createdAt, data })).toBe(true)
    await helpers().store.release([claimed!])
    const [again] = await claimAndRecord(1, { state: 'delivered' })
    expect(again!.body === claimed!.body).toBe(true)
  })
}
