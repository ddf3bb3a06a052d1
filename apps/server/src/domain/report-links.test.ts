import { expect, test } from 'vitest'
import { makeReportLinks } from './report-links.ts'

const baseUrl = 'https://querypost.test'
const links = makeReportLinks({ secretKey: Buffer.alloc(32, 1), baseUrl })
const unsubscribe = { kind: 'unsubscribe', organizationId: 'org_a', reportId: 'rep_a', email: 'guest@example.com' } as const

test('a link says what it is for', () => {
  const url = new URL(links.unsubscribeUrl(unsubscribe))
  expect(url.pathname).toMatch(/^\/reports\/unsubscribe\/[\w-]+$/)
  expect(links.read(url.pathname.split('/').at(-1)!)).toEqual(unsubscribe)
  const confirm = new URL(links.confirmUrl(unsubscribe))
  expect(confirm.pathname).toBe('/reports/confirm')
  expect(links.read(confirm.hash.slice(1))).toMatchObject({ kind: 'confirm', email: 'guest@example.com' })
})

test('rejects a link that was changed, is incomplete, or comes from another service', () => {
  const token = links.tokenOf(unsubscribe)
  const changed = Buffer.from(token, 'base64url')
  changed[changed.length - 5]! ^= 1
  const foreign = makeReportLinks({ secretKey: Buffer.alloc(32, 2), baseUrl }).tokenOf(unsubscribe)
  for (const wrong of ['', token.slice(0, -1), `${token}A`, changed.toString('base64url'), foreign]) {
    expect(() => links.read(wrong), wrong).toThrow('This link is incomplete')
  }
})
